/** The languages in which the built-in prompts exist. */
export type PromptLanguage = 'zh' | 'en'

/**
 * Returns a BCP 47 language tag in its canonical form. Underscores count as hyphens (`zh_CN`).
 *
 * Returns null for any other text, and for a two-letter code that no language has (`xx`). Primary subtags of more than three
 * letters are unassigned, so they are not accepted: `German` is well-formed, but it names no language.
 */
export function canonicalLanguage(text: string): string | null {
  const tag = text.trim().replaceAll('_', '-')
  if (!/^[a-z]{2,3}(?:-|$)/i.test(tag)) return null
  try {
    const canonical = Intl.getCanonicalLocales(tag)[0] ?? null
    return canonical !== null && isAssigned(readBaseLanguage(canonical)) ? canonical : null
  } catch (error) {
    if (error instanceof RangeError) return null
    throw error
  }
}

/** Returns the language of the prompts for a question: `zh` for Chinese of any script and region, `en` for all others. */
export function choosePromptLanguage(language: string): PromptLanguage {
  return readBaseLanguage(language) === 'zh' ? 'zh' : 'en'
}

/**
 * Returns the sentence that names the language in an English prompt: `The documents and the question are in German (de).`
 * Returns null for Chinese and English, whose prompts are in the language itself.
 */
export function languageSentence(language: string): string | null {
  if (['zh', 'en'].includes(readBaseLanguage(language))) return null
  const name = languageNames().of(language)
  const named = name === undefined ? `the language ${language}` : `${name} (${language})`
  return `The documents and the question are in ${named}.`
}

/** Returns the two-letter code of the language that has this English name; null when there is no such code. */
export function codeOfLanguageName(name: string): string | null {
  const names = languageNames()
  const letters = [...'abcdefghijklmnopqrstuvwxyz']
  const codes = letters.flatMap(first => letters.map(second => first + second))
  return codes.find(code => names.of(code)?.toLowerCase() === name.trim().toLowerCase()) ?? null
}

/** Whether a language has the code. All two-letter codes have names; not every three-letter code has. */
function isAssigned(code: string): boolean {
  return code.length > 2 || languageNames().of(code) !== undefined
}

let namesInEnglish: Intl.DisplayNames | undefined

/** Intl needs about 0.1 ms to load the names, so they are loaded once. */
function languageNames(): Intl.DisplayNames {
  namesInEnglish ??= new Intl.DisplayNames(['en'], { type: 'language', fallback: 'none' })
  return namesInEnglish
}

const readBaseLanguage = (language: string): string => language.split('-', 1)[0]!.toLowerCase()
