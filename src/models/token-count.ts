/** Counts a text's tokens locally: an estimate of what a provider bills. */
export type TokenCounter = (text: string) => number

// A byte-pair encoder is quadratic in a run without a break: 200,000 letters in one run take a minute, in pieces 30 ms.
const longRun = /[^\s\d]{96}(?=[^\s\d])|\s{96}(?=\s)/gu
const hasLongRun = /[^\s\d]{97}|\s{97}/u

/**
 * OpenAI's o200k encoding, loaded when first asked for (0.3 s). Text that looks like a control token (`<|endoftext|>`)
 * counts as the plain text it is. Runs of more than 96 characters without a break are counted in pieces.
 */
export async function loadTokenCounter(): Promise<TokenCounter> {
  const { countTokens } = await import('gpt-tokenizer/encoding/o200k_base')
  const plain = { disallowedSpecial: new Set<string>() }
  return text => {
    if (!hasLongRun.test(text)) return countTokens(text, plain)
    let total = 0
    let start = 0
    for (const match of text.matchAll(longRun)) {
      const end = match.index + match[0].length
      total += countTokens(text.slice(start, end), plain)
      start = end
    }
    return total + countTokens(text.slice(start), plain)
  }
}

/** A count without tables for models that have no tokenizer: four Latin characters or one CJK character a token. */
export function countTokensCheaply(text: string): number {
  let wide = 0
  for (let index = 0; index < text.length; index++) if (text.charCodeAt(index) >= 0x2e80) wide++
  return wide + Math.ceil((text.length - wide) / 4)
}

/** The longest beginning of a text that `countTokensCheaply` counts as at most that many tokens. */
export function cutToTokens(text: string, tokens: number): string {
  if (countTokensCheaply(text) <= tokens) return text
  let quarters = 0
  for (let index = 0; index < text.length; index++) {
    quarters += text.charCodeAt(index) >= 0x2e80 ? 4 : 1
    if (quarters > tokens * 4) return text.slice(0, index)
  }
  return text
}
