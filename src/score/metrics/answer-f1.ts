import { readPeriod } from '../../text/dates.ts'
import { readNumberWords } from '../../text/number-words.ts'
import { type Quantity, readQuantity } from '../../text/quantities.ts'
import { findLargestPairing } from '../align/largest-pairing.ts'
import { measureOverlap } from '../fuzzy/overlap.ts'
import { splitAnswerItems } from '../text/answer-items.ts'
import { compareNumbers } from '../text/compare-numbers.ts'
import { normaliseText } from '../text/normalise.ts'
import { makeScored, refuseLarge, type TextListScore, type TextMetric } from './metric.ts'

/**
 * LongTableBench's answer F1 (section 4.1 of its paper): both answers are lists of items, matched one to one in any
 * order. Numbers (separators, scales, scientific notation, words, currencies, units) and dates (also DD/MM/YYYY) are
 * compared by meaning.
 */
export const answerF1: TextMetric = {
  async score({ reference, prediction }) {
    const { items, ...score } = scoreLists(splitAnswerItems(reference), splitAnswerItems(prediction))
    return score
  },
  async scoreList({ references, prediction }) {
    return scoreLists(references, splitAnswerItems(prediction))
  },
}

function scoreLists(goldItems: readonly string[], answerTexts: readonly string[]): TextListScore {
  const gold = goldItems.map(readItem)
  const predicted = answerTexts.map(readItem)
  const refused = refuseLarge(gold.length, predicted.length, 4_000_000)
  if (refused !== null) return { ...refused, items: goldItems.map(() => ({ score: null, predicted: null })) }
  if (gold.length === 0 && predicted.length === 0)
    return { ...makeScored(1, { precision: 1, recall: 1 }), items: [] }
  const goldOf = findLargestPairing({
    lefts: gold.length,
    rights: predicted.length,
    isAllowed: (i, j) => areSame(gold[i]!, predicted[j]!),
  })
  const { precision, recall, f1 } = measureOverlap(goldOf.size, predicted.length, gold.length)
  const predictedOf = new Map([...goldOf].map(([right, left]) => [left, answerTexts[right]!]))
  const items = goldItems.map((_, at) => {
    const text = predictedOf.get(at) ?? null
    return { score: text === null ? 0 : 1, predicted: text }
  })
  return { ...makeScored(f1, { precision, recall }), items }
}

/** An item of a list: a number, or any of several texts. */
type AnswerItem = Quantity | readonly string[]

function readItem(item: string): AnswerItem {
  const text = item.trim()
  const dates = readDates(text)
  return dates.length > 0 ? dates : (readNumber(text) ?? [`text ${normaliseText(text)}`])
}

const isText = (item: AnswerItem): item is readonly string[] => Array.isArray(item)
const noColumns = { gold: '', predicted: null }

function areSame(left: AnswerItem, right: AnswerItem): boolean {
  if (isText(left) || isText(right))
    return isText(left) && isText(right) && left.some(form => right.includes(form))
  return compareNumbers(left, right, noColumns, areEqual).isEqual
}

const areEqual = (left: number, right: number): boolean => Math.abs(left - right) <= 1e-12 * Math.abs(left)

function readDates(text: string): string[] {
  const numeric = /^(\d{1,2})[-/.](\d{1,2})[-/.](\d{4})$/.exec(text)
  if (numeric === null) {
    const date = /^\d+$/.test(text) ? null : readPeriod(text)
    return date === null ? [] : [`date ${date}`]
  }
  const [, first, second, year] = numeric
  const candidates = [readPeriod(`${year}-${second}-${first}`), readPeriod(`${year}-${first}-${second}`)]
  return candidates.filter(date => date !== null).map(date => `date ${date}`)
}

function readNumber(text: string): Quantity | null {
  const [, over, under] = /^([-+]?\d+)\s*\/\s*(\d+)$/.exec(text) ?? []
  if (Number(under) > 0) return readQuantity(String(Number(over) / Number(under)))
  return readQuantity(text) ?? readQuantity(String(readNumberWords(text) ?? ''))
}
