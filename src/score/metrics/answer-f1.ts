import { readNumber } from '../../core/values.ts'
import { largestPairing } from '../extract-bench/largest-pairing.ts'
import { readDate } from '../strict/dates.ts'
import { jsonItems } from '../text/lists.ts'
import { normaliseText } from '../text/normalise.ts'
import { scored, type TextMetric, tooLarge } from './metric.ts'
import { readNumberWords } from './number-words.ts'

/**
 * LongTableBench's answer F1 (its section 4.1): both answers as lists of items, matched one to one without order;
 * numbers (separators, scales, scientific notation, words) and dates (also DD/MM/YYYY) by what they mean.
 */
export const answerF1: TextMetric = {
  summary: 'F1 of the items of two lists, numbers and dates by meaning, 0..1 (LongTableBench)',
  async score({ reference, prediction }) {
    const gold = itemsOf(reference).map(formsOf)
    const given = itemsOf(prediction).map(formsOf)
    const refused = tooLarge(gold.length, given.length, 4_000_000)
    if (refused !== null) return refused
    if (gold.length === 0 && given.length === 0) return scored(1, { precision: 1, recall: 1 })
    const matched = largestPairing(
      gold.map(left => given.map(right => left.some(form => right.includes(form)))),
    )
    const precision = given.length === 0 ? 0 : matched / given.length
    const recall = gold.length === 0 ? 0 : matched / gold.length
    return scored(matched === 0 ? 0 : (2 * precision * recall) / (precision + recall), { precision, recall })
  },
}

/**
 * The items of an answer: its last list in brackets, JSON or Python; else its lines where there are several; else its
 * parts between semicolons; else those between commas that belong to no number and no date.
 */
export function itemsOf(answer: string): string[] {
  const text = answer.replace(/```\w*/g, '').trim()
  const list = [...text.matchAll(/\[[^[\]]*\]/g)].at(-1)?.[0]
  if (list !== undefined) return (jsonItems(list) ?? []).filter(item => item.trim() !== '')
  const body = text.replace(/^.*?(?:final answer|answer|答案)\s*(?:is|为|是)?\s*[:：]\s*/is, '')
  const lines = body
    .split('\n')
    .map(line => line.replace(/^\s*(?:[-*•]|\d+[.)])\s+/, '').trim())
    .filter(line => line !== '')
  if (lines.length > 1) return lines
  const line = lines[0] ?? ''
  return line
    .split(/[;；]/.test(line) ? /[;；]/ : anySeparator)
    .map(item => item.trim())
    .filter(item => item !== '')
}

/** Commas but those of thousands and of a date such as January 2, 2020. */
const anySeparator =
  /[、，]|(?<!\b(?:jan|feb|mar|apr|may|june?|july?|aug|sept?|oct|nov|dec)[a-z]*\.? \d{1,2}(?:st|nd|rd|th)?(?=, ?\d{4}\b)),(?!\d{3}(?!\d))\s*/i

/** All that an item may be taken for, as comparable texts. */
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
    const date = /^\d+$/.test(text) ? null : readDate(text)
    return date === null ? [] : [`date ${date}`]
  }
  const [, first, second, year] = numeric
  const candidates = [readDate(`${year}-${second}-${first}`), readDate(`${year}-${first}-${second}`)]
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
