/** The languages that our prompts are written in. */
export type PromptLanguage = 'zh' | 'en'

/**
 * A BCP 47 language tag in its canonical form; null for text that is no such tag.
 * Underscores count as hyphens (`zh_CN`). Only primary subtags of two or three letters are accepted, because longer ones
 * are unassigned: `German` is well-formed, but it names no language.
 */
export function canonicalLanguage(text: string): string | null {
  const tag = text.trim().replaceAll('_', '-')
  if (!/^[a-z]{2,3}(?:-|$)/i.test(tag)) return null
  try {
    return Intl.getCanonicalLocales(tag)[0] ?? null
  } catch (error) {
    if (error instanceof RangeError) return null
    throw error
  }
}

/** The prompts that a question's language uses: `zh` for Chinese of any script and region, `en` for all others. */
export function promptLanguageOf(language: string): PromptLanguage {
  return baseOf(language) === 'zh' ? 'zh' : 'en'
}

/**
 * The sentence that names the language in an English prompt: `The documents and the question are in German (de).`
 * Null for Chinese and English, whose prompts are in the language itself.
 */
export function languageSentence(language: string): string | null {
  if (['zh', 'en'].includes(baseOf(language))) return null
  const name = new Intl.DisplayNames(['en'], { type: 'language', fallback: 'none' }).of(language)
  const named = name === undefined ? `the language ${language}` : `${name} (${language})`
  return `The documents and the question are in ${named}.`
}

/** The two-letter code of the language that has this English name; null when no such code exists. */
export function codeOfLanguageName(name: string): string | null {
  const names = new Intl.DisplayNames(['en'], { type: 'language', fallback: 'none' })
  const letters = [...'abcdefghijklmnopqrstuvwxyz']
  const codes = letters.flatMap(first => letters.map(second => first + second))
  return codes.find(code => names.of(code)?.toLowerCase() === name.trim().toLowerCase()) ?? null
}

const baseOf = (language: string): string => language.split('-', 1)[0]!.toLowerCase()
