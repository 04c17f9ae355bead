import { answerLimits } from '../../src/score/answer/limits.ts'
import { measureOverlap, type Overlap } from '../../src/score/fuzzy/overlap.ts'
import { makeNotScored, type TextMetric, type TextMetricScore } from '../../src/score/metrics/metric.ts'
import { pythonFloat, pythonInteger } from '../../src/score/python/number.ts'
import { pythonStrip } from '../../src/score/python/text.ts'
import { isSameRow } from './compare-rows.ts'
import { type GoldAnswer, readGoldAnswer } from './gold-answer.ts'
import { makePlainValue, Uncomputable } from './plain-value.ts'
import { arePythonValuesEqual, readPythonLiteral, writePythonValue } from './python-literal.ts'
import { isSameTextOrDay } from './same-day.ts'

/** A list answer compared with the gold list. */
interface ListComparison extends Overlap {
  /** For each gold item, the item of the answer that matched it; null when none did. */
  readonly matched: readonly (string | null)[]
}

type ComparedValue = string | bigint | number | null

/**
 * Compares a list answer with the gold. Each item of the answer, in order, takes the first gold value that is equal and
 * still free.
 *
 * @param answer the part of the answer that `readAnswer` returns
 */
function compareLists(gold: readonly string[], answer: string): ListComparison {
  const items = readItems(answer)
  const keys = groupEqual(gold.map(readComparedValue))
  const matched: (string | null)[] = gold.map(() => null)
  let hits = 0
  for (const item of items) {
    const value = readComparedValue(item)
    const key = keys.find(({ value: other, free }) => free.length > 0 && areEqual(value, other))
    if (key === undefined) continue
    hits += 1
    matched[key.free.shift()!] = item
  }
  return { ...measureOverlap(hits, items.length, gold.length), matched }
}

/** A list has items; a text has one. A text that is neither as a Python literal is one item as a whole. */
function readItems(answer: string): readonly string[] {
  const literal = readPythonLiteral(answer)
  if (typeof literal === 'string') return [literal]
  const isList = typeof literal === 'object' && literal !== null && literal.kind === 'list'
  return isList ? literal.items.map(writePythonValue) : [answer]
}

/** Returns the value by which an item is compared; null for a missing value. */
function readComparedValue(item: string): ComparedValue {
  if (['null', 'nan', 'none'].includes(item.toLowerCase())) return null
  const number = item.includes('.') ? pythonFloat(item) : pythonInteger(item)
  if (number !== null) return number
  const value = makePlainValue(pythonStrip(item).toLowerCase())
  return value === 'nan' || value === 'none' ? null : value
}

/** A gold value, and the places of the items that have it and are not matched yet. */
interface FreeGoldItems {
  readonly value: ComparedValue
  readonly free: number[]
}

function groupEqual(values: readonly ComparedValue[]): FreeGoldItems[] {
  const groups: FreeGoldItems[] = []
  for (const [at, value] of values.entries()) {
    const group = groups.find(candidate => arePythonValuesEqual(candidate.value, value))
    if (group === undefined) groups.push({ value, free: [at] })
    else group.free.push(at)
  }
  return groups
}

function areEqual(left: ComparedValue, right: ComparedValue): boolean {
  if (typeof left === 'string' && typeof right === 'string') return isSameTextOrDay(left, right)
  return arePythonValuesEqual(left, right)
}

/**
 * Returns the part of an answer that the scorer reads. The steps and their order are those of the published
 * scorer's lineage (docs/longtablebench.md).
 */
export function readAnswer(answer: string): string {
  let text = answer.split('<|END_RESPONSE|>')[0]!
  text = /<answer>([\s\S]*?)<\/answer>/.exec(text)?.[1] ?? text
  text = takeAfterLast(text, '</think>')
  text = takeAfterLast(text, '◁/think▷')
  const response = /<response>([\s\S]*?)<\/response>/.exec(text)?.[1]
  text = response === undefined ? text : pythonStrip(response)
  if (text.includes('\n\n')) text = takeAfterLast(text, '\n\n')
  text = writeUnsupportedAsList(text)
  text = takeAfterLabel(writeAnglesAsList(text))
  text = takeAfterLast(text, 'list:')
  text = takeLastInside(text, /```python\nlist[dict]:([\s\S]*?)```/g)
  text = takeAfterLast(text, 'list[str]:')
  for (const fence of [
    /```json([\s\S]*?)```/g,
    /```python([\s\S]*?)```/g,
    /```list([\s\S]*?)```/g,
    /```([\s\S]*?)```/g,
  ])
    text = takeLastInside(text, fence)
  return takeBesideSingleFence(text)
}

const takeAfterLast = (text: string, mark: string): string => pythonStrip(text.split(mark).at(-1)!)

function takeLastInside(text: string, pattern: RegExp): string {
  const inside = [...text.matchAll(pattern)].at(-1)?.[1]
  return inside === undefined ? text : pythonStrip(inside)
}

/** The last pattern needs a further quotation mark, as the published one does. */
const unsupportedForms = [
  /\{'Unsupported'\}/giu,
  /\{"Unsupported"\}/giu,
  /\{'Unsupported': 'Unsupported'\}/giu,
  /\{"Unsupported": "Unsupported"\}/giu,
  /\{'result': 'Unsupported'\}/giu,
  /\{"result": "Unsupported"\}"/giu,
]

function writeUnsupportedAsList(text: string): string {
  return unsupportedForms.reduce((out, form) => out.replace(form, '["Unsupported"]'), text)
}

/** Writes all parts such as `<north>` as a list. */
function writeAnglesAsList(text: string): string {
  const parts = [...text.matchAll(/<([^<>]+)>/g)].map(match => match[1]!)
  return parts.length === 0 ? text : `['${parts.join("', '")}']`
}

function takeAfterLabel(text: string): string {
  const last = [...text.matchAll(/answer_item:|answer:|list\[dict\]:/giu)].at(-1)
  if (last !== undefined) return pythonStrip(text.slice(last.index + last[0].length))
  return text.toLowerCase().startsWith('list[') ? pythonStrip(text.slice(4)) : text
}

function takeBesideSingleFence(text: string): string {
  const [before, after, ...further] = text.split('```')
  if (after === undefined || further.length > 0) return text
  return after === '' ? before! : after
}

/** LongTableBench's score of an answer, as the published scorer's lineage computes it. */
export const longTableMetric: TextMetric = {
  async score({ reference, prediction }) {
    return makeScore(scoreLongTable(readGoldAnswer(reference), prediction))
  },
  async scoreList({ references, prediction }) {
    const comparison = scoreLongTable({ kind: 'list', items: references }, prediction)
    const items = references.map((_, at) => {
      const predicted = comparison?.matched[at] ?? null
      return { score: comparison === null ? null : Number(predicted !== null), predicted }
    })
    return { ...makeScore(comparison), items }
  },
  async referenceCase({ reference, prediction }) {
    const comparison = scoreLongTable(readGoldAnswer(reference), prediction)
    if (comparison === null) return { metrics: {}, error: 'AnswerTooLarge' }
    const { precision, recall, f1 } = comparison
    return { metrics: { precision, recall, f1 }, error: null }
  },
}

function makeScore(comparison: ListComparison | null): TextMetricScore {
  if (comparison === null)
    return makeNotScored(`answer too large: more than ${answerLimits.chars} characters`)
  const { precision, recall, f1 } = comparison
  return { value: f1, parts: { precision, recall }, note: null }
}

/**
 * Scores an answer as the model wrote it. A row is right or wrong as a whole.
 *
 * @returns null when the answer is too large to read
 */
export function scoreLongTable(gold: GoldAnswer, answer: string): ListComparison | null {
  if (answer.length > answerLimits.chars) return null
  const text = readAnswer(answer)
  try {
    if (gold.kind === 'list') return compareLists(gold.items, text)
    const hit = Number(isSameRow(gold.row, text))
    return { precision: hit, recall: hit, f1: hit, matched: [hit === 1 ? text : null] }
  } catch (error) {
    if (!(error instanceof Uncomputable)) throw error
    const items = gold.kind === 'list' ? gold.items : [null]
    return { precision: 0, recall: 0, f1: 0, matched: items.map(() => null) }
  }
}
