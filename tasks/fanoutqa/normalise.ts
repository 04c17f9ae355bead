import { tokenize } from './tokenize.ts'

const irregularForms: ReadonlyMap<string, string> = new Map(
  Object.entries({
    be: ['am', 'is', 'are', 'was', 'were', 'been', 'being', "'m", "'re"],
    have: ['has', 'had', 'having', "'ve"],
    do: ['does', 'did', 'done', 'doing'],
    will: ["'ll"],
    not: ["n't"],
    good: ['best'],
    man: ['men'],
    woman: ['women'],
    child: ['children'],
    person: ['people'],
    foot: ['feet'],
  }).flatMap(([lemma, forms]) => forms.map(form => [form, lemma] as const)),
)

/**
 * Normalises a text as FanOutQA's published code does (`fanoutqa` 1.1.1): lower case, repaired characters, numbers without
 * separators, one lemma for each token, no punctuation, single blanks. Its lemmas come from a statistical model
 * (spaCy), and its repairs from ftfy. docs/fanoutqa.md says which parts are equal.
 */
export function normalise(text: string): string {
  const plain = repairCharacters(text.toLowerCase()).replace(/(?:\p{Nd}+,)+\p{Nd}+(?:\.\p{Nd}+)?/gu, number =>
    number.replaceAll(',', ''),
  )
  return tokenize(plain)
    .map(lemmatise)
    .join(' ')
    .replace(/[,.?!:;]/g, '')
    .replace(/[\s\x1c-\x1f\x85]+/g, ' ')
}

/** Straight quotes, plain ligatures and widths, composed letters. */
function repairCharacters(text: string): string {
  return text
    .replace(/[ʼ‘-‛]/g, "'")
    .replace(/[“-‟]/g, '"')
    .replace(/[ﬀ-ﬆ\uff01-\uff5e\u3000]/g, sign => sign.normalize('NFKC'))
    .normalize('NFC')
}

const word = String.raw`[\p{L}\p{N}_]`
const boundary = `(?:(?<=${word})(?!${word})|(?<!${word})(?=${word}))`

/** Returns a test whether a normalised text contains another one between word boundaries, as Python's `\b` sees them. */
export function containsPhrase(text: string, phrase: string): boolean {
  const escaped = phrase.replace(/[.*+?^${}()|[\]\\/]/g, String.raw`\$&`)
  return new RegExp(`${boundary}${escaped}${boundary}`, 'u').test(text)
}

/**
 * Returns the lemma of a lower-case token by simple rules: the forms of common verbs, and the singular of a regular
 * plural. spaCy decides by the word's part of speech in its sentence, which rules cannot.
 */
function lemmatise(token: string): string {
  const irregular = irregularForms.get(token)
  if (irregular !== undefined) return irregular
  if (!/^\p{Ll}{3,}s$/u.test(token) || /(?:ss|us|is)$/.test(token)) return token
  if (token.endsWith('ies')) return `${token.slice(0, -3)}y`
  return token.slice(0, /(?:x|ch|sh|ss|zz)es$/.test(token) ? -2 : -1)
}
