/** Python's str.casefold(), full Unicode case folding: Straße equals STRASSE, ς equals Σ, and ﬁ equals FI. */
export function casefold(text: string): string {
  if (/^[\x00-\x7f]*$/.test(text)) return text.toLowerCase()
  let out = ''
  for (const character of text) out += folded(character)
  return out
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
