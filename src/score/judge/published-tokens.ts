/** The approximate tokens of the instructions and the reply of a published prompt. */
export const promptOverheadTokens = 300
/** Prompts show at most this many characters of a text. */
const shownChars = 8000
const tokensOfLetter = { ascii: 0.25, other: 0.7 } as const

const beyondAscii = /[^\0-\x7f]/

/** Estimates the tokens of a text: a quarter for each ASCII character, 0.7 for each other character. */
function estimateTokens(text: string): number {
  const length = Math.min(text.length, shownChars)
  if (!beyondAscii.test(text)) return length * tokensOfLetter.ascii
  let ascii = 0
  for (let at = 0; at < length; at += 1) if (text.charCodeAt(at) < 0x80) ascii += 1
  return ascii * tokensOfLetter.ascii + (length - ascii) * tokensOfLetter.other
}

/** Estimates the tokens of a call of the published procedure that shows these texts. */
export function estimatePublishedTokens(...texts: readonly string[]): number {
  return texts.reduce((sum, text) => sum + estimateTokens(text), promptOverheadTokens)
}

/** Estimates the tokens of a whole table, for calls that read or write all of it. */
export function estimateTableTokens(rows: readonly (readonly string[])[]): number {
  let sum = 0
  for (const row of rows) for (const text of row) sum += estimateTokens(text) + 0.5
  return sum
}
