import { sha256 } from '../system/hash.ts'
import { lruCache } from '../system/lru-cache.ts'

/** Returns the number of tokens of a text, counted locally, as an estimate of what a provider bills. */
export type TokenCounter = (text: string) => number

// The encoder takes quadratic time for text without a break: 200,000 letters take a minute, but 30 ms in pieces.
const longestRun = 96
const longRun = /[^\s\d]{96}(?=[^\s\d])|\s{96}(?=\s)/gu

// Between a blank line and a text, a token always ends. Only `/` may belong to the token of the line end. Tokens can
// therefore be counted in pieces, such as the pages of a document, and a page is in many prompts.
const pieceStart = /(?<=\n\n)(?=[^\s/])/
const longPieceChars = 1_000
/** The counts of recent long pieces by their hash, because a piece would keep the memory of the whole text. */
const recentCounts = lruCache<number>(20_000)

/**
 * Loads OpenAI's o200k encoding, which takes 0.3 s the first time. Text that looks like a control token, such as
 * `<|endoftext|>`, counts as plain text. Runs of more than 96 characters without a break are counted in pieces.
 */
export async function loadTokenCounter(): Promise<TokenCounter> {
  const { countTokens } = await import('gpt-tokenizer/encoding/o200k_base')
  const plain = { disallowedSpecial: new Set<string>() }
  const countNow: TokenCounter = text => {
    if (!mayHaveLongRun(text)) return countTokens(text, plain)
    let total = 0
    let start = 0
    for (const match of text.matchAll(longRun)) {
      const end = match.index + match[0].length
      total += countTokens(text.slice(start, end), plain)
      start = end
    }
    return total + countTokens(text.slice(start), plain)
  }
  const countPiece: TokenCounter = piece =>
    piece.length < longPieceChars ? countNow(piece) : recentCounts(sha256(piece), () => countNow(piece))
  return text => text.split(pieceStart).reduce((sum, piece) => sum + countPiece(piece), 0)
}

/**
 * Whether a text may contain a longer run. A longer run contains one of the characters 97, 194 and so on, so only the runs
 * around these are measured.
 */
function mayHaveLongRun(text: string): boolean {
  for (let at = longestRun; at < text.length; at += longestRun + 1) {
    const kind = kindAt(text, at)
    let [start, end] = [at, at + 1]
    while (end - start <= longestRun && start > 0 && kindAt(text, start - 1) === kind) start--
    while (end - start <= longestRun && end < text.length && kindAt(text, end) === kind) end++
    if (end - start > longestRun && kind !== 'digit') return true
  }
  return false
}

function kindAt(text: string, at: number): 'space' | 'digit' | 'other' {
  const character = text.charAt(at)
  if (/\s/.test(character)) return 'space'
  return /\d/.test(character) ? 'digit' : 'other'
}

/** Estimates the tokens of a text without a tokenizer: four Latin characters or one CJK character for each token. */
export function countTokensCheaply(text: string): number {
  let wide = 0
  for (let index = 0; index < text.length; index++) if (text.charCodeAt(index) >= 0x2e80) wide++
  return wide + Math.ceil((text.length - wide) / 4)
}

/** Returns the longest beginning of a text that has at most `tokens` tokens by `countTokensCheaply`. */
export function cutToTokens(text: string, tokens: number): string {
  if (countTokensCheaply(text) <= tokens) return text
  let quarters = 0
  for (let index = 0; index < text.length; index++) {
    quarters += text.charCodeAt(index) >= 0x2e80 ? 4 : 1
    if (quarters > tokens * 4) return text.slice(0, index)
  }
  return text
}
