/** Instructions around the texts of a question, and its answer: about what the published prompts come to. */
export const aroundTokens = 300
/** No prompt shows more of a text. */
const shownChars = 8000
const tokensOfLetter = { ascii: 0.25, other: 0.7 } as const

const beyondAscii = /[^\0-\x7f]/

/** About how many tokens a text has: four ASCII characters, or one and a half of others, to a token. */
function aboutTokens(text: string): number {
  const length = Math.min(text.length, shownChars)
  if (!beyondAscii.test(text)) return length * tokensOfLetter.ascii
  let ascii = 0
  for (let at = 0; at < length; at += 1) if (text.charCodeAt(at) < 0x80) ascii += 1
  return ascii * tokensOfLetter.ascii + (length - ascii) * tokensOfLetter.other
}

/** About how many tokens a call of the published procedure takes that shows these texts. */
export function publishedTokens(...texts: readonly string[]): number {
  return texts.reduce((sum, text) => sum + aboutTokens(text), aroundTokens)
}

/** The tokens of a table's texts together, for a call that writes or reads the whole of it. */
export function tableTokens(rows: readonly (readonly string[])[]): number {
  let sum = 0
  for (const row of rows) for (const text of row) sum += aboutTokens(text) + 0.5
  return sum
}
