/** ROUGE-L as StrucText-Eval's published code computes it, with its components. */
interface PublishedRouge {
  /** F1, at most 0.999999995, because the published code adds 1e-8 to a divisor. */
  readonly f: number
  /** Share of the gold's distinct words that a common subsequence contains. */
  readonly p: number
  /** Share of the answer's distinct words that a common subsequence contains. */
  readonly r: number
  /** The F1 where it is at least 0.75, else 0. */
  readonly thresholded: number
}

/** The name of the exception that the published code raises. */
type PublishedRougeError = 'ValueError' | 'RecursionError'

/** White space as Python's `str.split()` understands it. It differs from `\s` in control characters and U+FEFF. */
const pythonSpace = /[\t-\r\x1c-\x20\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+/

/** Nested calls that Python allows to the function that traces a subsequence: 1,000 frames without its callers. */
const mostNestedCalls = 992

const threshold = 0.75

/**
 * Computes ROUGE-L as StrucText-Eval's code does with version 1.0.1 of the Python package `rouge`. Both texts are divided at
 * every full stop, words are separated by white space, and case matters. For each pair of parts, one longest common
 * subsequence is traced. The value depends on the distinct words of all these subsequences.
 *
 * @returns the name of the exception, where the published code raises one: for a text without any part, and for two
 * parts whose subsequence takes about 1,000 steps to trace
 */
export function computePublishedRougeL(gold: string, answer: string): PublishedRouge | PublishedRougeError {
  const goldParts = divideIntoParts(gold)
  const answerParts = divideIntoParts(answer)
  if (goldParts.length === 0 || answerParts.length === 0) return 'ValueError'
  const common = new Set<string>()
  for (const answerWords of answerParts)
    for (const goldWords of goldParts) {
      const words = traceSubsequence(answerWords, goldWords)
      if (words === null) return 'RecursionError'
      for (const word of words) common.add(word)
    }
  const p = common.size / new Set(goldParts.flat()).size
  const r = common.size / new Set(answerParts.flat()).size
  const f = 2 * ((p * r) / (p + r + 1e-8))
  return { f, p, r, thresholded: f < threshold ? 0 : f }
}

/** Divides a text at full stops. Empty parts are dropped; a part of white space has one word, the empty one. */
function divideIntoParts(text: string): string[][] {
  return text
    .split('.')
    .filter(part => part !== '')
    .map(part => {
      const words = part.split(pythonSpace).filter(word => word !== '')
      return words.length === 0 ? [''] : words
    })
}

/** Traces one longest common subsequence from the ends; null when Python's recursion limit stops the trace. */
function traceSubsequence(x: readonly string[], y: readonly string[]): string[] | null {
  const width = y.length + 1
  const lengths = new Uint32Array((x.length + 1) * width)
  for (let i = 1; i <= x.length; i++)
    for (let j = 1; j <= y.length; j++)
      lengths[i * width + j] =
        x[i - 1] === y[j - 1]
          ? lengths[(i - 1) * width + j - 1]! + 1
          : Math.max(lengths[(i - 1) * width + j]!, lengths[i * width + j - 1]!)
  const words: string[] = []
  let [i, j, calls] = [x.length, y.length, 1]
  while (i > 0 && j > 0) {
    calls += 1
    if (calls > mostNestedCalls) return null
    if (x[i - 1] === y[j - 1]) {
      words.push(x[i - 1]!)
      i -= 1
      j -= 1
    } else if (lengths[(i - 1) * width + j]! > lengths[i * width + j - 1]!) i -= 1
    else j -= 1
  }
  return words
}
