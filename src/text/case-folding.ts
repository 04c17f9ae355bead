/** Full Unicode case folding, as Python's str.casefold(): Straße equals STRASSE, ς equals Σ, and ﬁ equals FI. */
export function casefold(text: string): string {
  if (/^[\x00-\x7f]*$/.test(text)) return text.toLowerCase()
  let out = ''
  for (const character of text) out += folded(character)
  return out
}

/**
 * Case folding for comparisons by meaning: as `casefold`, and the Turkish letters İ, I, ı and i are the same letter,
 * because only the language of a text tells which of them belong together.
 */
export function foldCase(text: string): string {
  return casefold(text)
    .replace(/i\u0307/g, 'i')
    .replaceAll('ı', 'i')
}

/**
 * Lower, upper and lower case in turn, for each character, produce the full folding. Only the dotless ı folds
 * to itself.
 */
const folded = (character: string): string =>
  character === 'ı' ? character : lowerEach(character.toLowerCase().toUpperCase())

function lowerEach(text: string): string {
  let out = ''
  for (const character of text) out += character.toLowerCase()
  return out
}
