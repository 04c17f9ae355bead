import { withArabicAmounts } from '../text/numbers.ts'
import { withoutInvisible } from '../text/plain-text.ts'
import { listNumberTokens, type NumberToken } from './number-tokens.ts'
import { countLeading } from './text-lines.ts'

/** The units in which a document may print a number, and the relative tolerance of a match. */
const scales = [1, 1e3, 1e4, 1e6, 1e8, 1e9] as const
const relativeTolerance = 1e-5
const leastDigitsToScale = 3
/** A longer line is a paragraph, not a row of a table. */
const longestRowChars = 400

/** The numbers of one text, sorted for fast look-ups. */
export interface NumberIndex {
  /** Whether a whole token equals the value within 1e-5; with `scaled` also in another unit. */
  has(value: number, scaled: boolean): boolean
  /** Whether a table row contains `current` (in any unit) and a prior value from which it grew by `percent`. */
  hasGrowth(current: number, percent: number, tolerance: number): boolean
  /** The lines, from 0, with a number for which `has` is true. Lines with the number in the same unit come first. */
  linesWith(value: number, scaled: boolean): readonly number[]
  /** The lines, from 0, for which `hasGrowth` is true. */
  linesWithGrowth(current: number, percent: number, tolerance: number): readonly number[]
}

interface NumberReading {
  readonly value: number
  readonly token: NumberToken
  /** The value includes the scale word after the number. */
  readonly isScaled: boolean
}

/**
 * The values that a token may mean. Parentheses mean a minus or a remark, a percentage may also mean a share, and a scale
 * word after the number may or may not belong to the gold's unit.
 */
function listReadings(token: NumberToken): NumberReading[] {
  const values = token.inParentheses ? [token.value, -token.value] : [token.value]
  const withShares = token.percent ? values.flatMap(value => [value, value / 100]) : values
  const scaled = token.scale === 1 ? [] : values.map(value => value * token.scale)
  return [
    ...withShares.map(value => ({ value, token, isScaled: false })),
    ...scaled.map(value => ({ value, token, isScaled: true })),
  ]
}

/** Returns a function that returns the line of a position, from 0. */
function createLineFinder(text: string): (at: number) => number {
  let ends: number[] | null = null
  return at => {
    ends ??= [...text.matchAll(/\n/g)].map(({ index }) => index)
    return countLeading(ends, end => end < at)
  }
}

/** The readings that are a value in a unit, such as in thousands. */
function* listReadingsNear(
  sorted: readonly NumberReading[],
  value: number,
  scale: number,
): Generator<NumberReading> {
  const target = value / scale
  const slack = Math.abs(target) * relativeTolerance
  for (let at = countLeading(sorted, reading => reading.value < target - slack); at < sorted.length; at++) {
    const reading = sorted[at]!
    if (reading.value > target + slack) return
    if (scale === 1 || (!reading.isScaled && reading.token.digits >= leastDigitsToScale)) yield reading
  }
}

/** Indexes the numbers of a text. */
export function indexNumbers(source: string): NumberIndex {
  const text = withArabicAmounts(withoutInvisible(source))
  const tokens = listNumberTokens(text)
  const sorted = tokens.flatMap(listReadings).sort((a, b) => a.value - b.value)

  function findRow(token: NumberToken): NumberToken[] {
    const start = text.lastIndexOf('\n', token.at) + 1
    const next = text.indexOf('\n', token.at)
    const end = next === -1 ? text.length : next
    if (end - start > longestRowChars) return []
    return tokens.filter(candidate => candidate.at >= start && candidate.at < end)
  }

  function* growingReadings(current: number, percent: number, tolerance: number): Generator<NumberReading> {
    for (const scale of scales) {
      for (const reading of listReadingsNear(sorted, current, scale)) {
        const priors = findRow(reading.token).filter(candidate => candidate.at !== reading.token.at)
        const grew = priors.flatMap(listReadings).some(prior => {
          const growth = (100 * (reading.value - prior.value)) / Math.abs(prior.value)
          return Math.abs(growth - percent) <= tolerance * (1 + 1e-6)
        })
        if (grew) yield reading
      }
    }
  }

  const lineOf = createLineFinder(text)
  const linesOf = (readings: Iterable<NumberReading>): number[] => [
    ...new Set([...readings].map(({ token }) => lineOf(token.at))),
  ]

  return {
    has(value, scaled) {
      const allowed = scaled ? scales : scales.slice(0, 1)
      return allowed.some(scale => {
        for (const { isScaled } of listReadingsNear(sorted, value, scale))
          if (scaled || !isScaled) return true
        return false
      })
    },
    hasGrowth: (...growth) => growingReadings(...growth).next().done !== true,
    linesWith(value, scaled) {
      const allowed = scaled ? scales : scales.slice(0, 1)
      const readings = allowed.flatMap(scale => [...listReadingsNear(sorted, value, scale)])
      return linesOf(readings.filter(({ isScaled }) => scaled || !isScaled))
    },
    linesWithGrowth: (...growth) => linesOf(growingReadings(...growth)),
  }
}
