import { pythonInteger } from '../../src/score/python/number.ts'
import { pythonWords } from '../../src/score/python/text.ts'
import { smallNumberWords, tensWords } from '../../src/text/number-words.ts'

const units = smallNumberWords.slice(0, 10)
const values = new Map<string, number>([
  ...smallNumberWords.map((word, at) => [word, at] as const),
  ...tensWords.map((word, at) => [word, 20 + 10 * at] as const),
  ['hundred', 100],
  ['thousand', 1_000],
  ['million', 1_000_000],
  ['billion', 1_000_000_000],
])

/**
 * Returns the number that the Python library word2number 1.1 finds in a text: it ignores every word that is not an
 * English number word, so `Seven Samurai` is 7. A number with decimals is a float.
 *
 * @returns null when the library raises an error
 */
export function readWordNumber(sentence: string): bigint | number | null {
  const text = sentence.replaceAll('-', ' ').toLowerCase()
  if (/^\p{Nd}+$/u.test(text)) return pythonInteger(text)
  const words = pythonWords(text).filter(word => values.has(word) || word === 'point')
  const count = (word: string): number => words.filter(candidate => candidate === word).length
  if (words.length === 0 || ['thousand', 'million', 'billion', 'point'].some(word => count(word) > 1))
    return null
  const point = words.indexOf('point')
  const whole = readWholeNumber(point < 0 ? words : words.slice(0, point))
  if (whole === null) return null
  const decimals = point < 0 ? null : readDecimals(words.slice(point + 1))
  return decimals === null ? BigInt(whole) : whole + decimals
}

/** Returns null when there are no digits, or a word that is not a digit. */
function readDecimals(words: readonly string[]): number | null {
  const digits = words.map(word => units.indexOf(word))
  return digits.length === 0 || digits.includes(-1) ? null : Number(`0.${digits.join('')}`)
}

function readWholeNumber(words: readonly string[]): number | null {
  if (words.length <= 1) return words.length === 0 ? 0 : values.get(words[0]!)!
  const billion = words.indexOf('billion')
  const million = words.indexOf('million')
  const thousand = words.indexOf('thousand')
  const isOutOfOrder =
    (thousand > -1 && (thousand < million || thousand < billion)) || (million > -1 && million < billion)
  if (isOutOfOrder) return null
  const parts: (number | null)[] = []
  let start = 0
  for (const [at, size] of [
    [billion, 1_000_000_000],
    [million, 1_000_000],
    [thousand, 1_000],
  ] as const) {
    if (at < 0) continue
    const multiplier = readGroupValue(words.slice(start, at))
    parts.push(multiplier === null ? null : multiplier * size)
    start = at + 1
  }
  if (start < words.length) parts.push(readGroupValue(words.slice(start)))
  return parts.includes(null) ? null : parts.reduce<number>((sum, part) => sum + part!, 0)
}

/** The value of up to four words. Of five words or more, only the first counts. */
function readGroupValue(words: readonly string[]): number | null {
  const [a, b = 0, c = 0, d = 0] = words.map(word => values.get(word)!)
  if (a === undefined) return null
  if (words.length === 4 || words.length === 3) return a * b + c + d
  if (words.length === 2) return a === 100 || b === 100 ? a * b : a + b
  return a
}
