import { readNumber } from '../../text/amounts.ts'
import { readPeriod } from '../../text/dates.ts'
import { readNumberWords } from '../../text/number-words.ts'
import { largestPairing } from '../largest-pairing.ts'
import { answerItems } from '../text/answer-items.ts'
import { normaliseText } from '../text/normalise.ts'
import { scored, type TextListScore, type TextMetric, tooLarge } from './metric.ts'

/**
 * LongTableBench's answer F1 (section 4.1 of its paper): both answers are lists of items, matched one to one in any
 * order. Numbers (separators, scales, scientific notation, words) and dates (also DD/MM/YYYY) are compared by
 * meaning.
 */
export const answerF1: TextMetric = {
  async score({ reference, prediction }) {
    const { items, ...score } = scoreLists(answerItems(reference), answerItems(prediction))
    return score
  },
  async scoreList({ references, prediction }) {
    return scoreLists(references, answerItems(prediction))
  },
}

function scoreLists(goldItems: readonly string[], givenItems: readonly string[]): TextListScore {
  const gold = goldItems.map(formsOf)
  const given = givenItems.map(formsOf)
  const refused = tooLarge(gold.length, given.length, 4_000_000)
  if (refused !== null) return { ...refused, items: goldItems.map(() => ({ score: null, predicted: null })) }
  if (gold.length === 0 && given.length === 0) return { ...scored(1, { precision: 1, recall: 1 }), items: [] }
  const goldOf = largestPairing({
    lefts: gold.length,
    rights: given.length,
    isAllowed: (i, j) => gold[i]!.some(form => given[j]!.includes(form)),
  })
  const matched = goldOf.size
  const precision = given.length === 0 ? 0 : matched / given.length
  const recall = gold.length === 0 ? 0 : matched / gold.length
  const value = matched === 0 ? 0 : (2 * precision * recall) / (precision + recall)
  const predictedOf = new Map([...goldOf].map(([right, left]) => [left, givenItems[right]!]))
  const items = goldItems.map((_, at) => {
    const predicted = predictedOf.get(at) ?? null
    return { score: predicted === null ? 0 : 1, predicted }
  })
  return { ...scored(value, { precision, recall }), items }
}

/** All readings of an item, as comparable texts. */
function formsOf(item: string): string[] {
  const text = item.trim()
  const dates = readDates(text)
  if (dates.length > 0) return dates
  const number = readAnyNumber(text)
  if (number !== null) return [`number ${Number(number.toPrecision(12))}`]
  return [`text ${normaliseText(text)}`]
}

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

const superscripts = '⁰¹²³⁴⁵⁶⁷⁸⁹'

function readAnyNumber(text: string): number | null {
  const plain = text.replace(
    /[⁰¹²³⁴⁵⁶⁷⁸⁹]+/g,
    run => `^${[...run].map(sign => superscripts.indexOf(sign)).join('')}`,
  )
  const scientific = /^([-+]?\d+(?:\.\d+)?)\s*(?:[eE]|[×x*·]\s*10\s*(?:\^|\*\*|ˆ)\s*)\(?([-+]?\d+)\)?$/.exec(
    plain,
  )
  if (scientific !== null) return Number(`${scientific[1]}e${scientific[2]}`)
  const fraction = /^([-+]?\d+)\s*\/\s*(\d+)$/.exec(plain)
  if (fraction !== null && Number(fraction[2]) !== 0) return Number(fraction[1]) / Number(fraction[2])
  const number = readNumber(plain)
  if (number !== null) return number.percent ? number.value / 100 : number.value
  return readNumberWords(plain)
}
