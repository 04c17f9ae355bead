/** Full Unicode case folding, as Python's str.casefold(): Straße equals STRASSE, ς equals Σ, and ﬁ equals FI. */
export function casefold(text: string): string {
  return /^[\x00-\x7f]*$/.test(text) ? text.toLowerCase() : text.replace(foldedLetter, folded)
}

const foldedLetter = /[\p{Changes_When_Casefolded}\p{Lu}]/gu

/**
 * Case folding for comparisons by meaning: as `casefold`, and the Turkish letters İ, I, ı and i are the same letter,
 * because only the language of a text tells which of them belong together.
 */
export function foldCase(text: string): string {
  return casefold(text)
    .replace(/i\u0307/g, 'i')
    .replaceAll('ı', 'i')
}

/** Lower, upper and lower case in turn, for each character, produce the full folding. */
const folded = (character: string): string => lowerEach(character.toLowerCase().toUpperCase())

function lowerEach(text: string): string {
  let out = ''
  for (const character of text) out += character.toLowerCase()
  return out
}
