import { lemmaOf } from './lemma.ts'
import { tokenize } from './tokenize.ts'

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
    .map(lemmaOf)
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
