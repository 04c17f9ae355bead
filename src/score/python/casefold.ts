/** Python's str.casefold(), full Unicode case folding: Straße and STRASSE, ς and Σ, ﬁ and FI come out equal. */
export function casefold(text: string): string {
  if (/^[\x00-\x7f]*$/.test(text)) return text.toLowerCase()
  let out = ''
  for (const character of text) out += folded(character)
  return out
}

/** Down, up and down again, character by character, goes through every full folding; the dotless ı alone keeps itself. */
const folded = (character: string): string =>
  character === 'ı' ? character : lowerEach(character.toLowerCase().toUpperCase())

function lowerEach(text: string): string {
  let out = ''
  for (const character of text) out += character.toLowerCase()
  return out
}
