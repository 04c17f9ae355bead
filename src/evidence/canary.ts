import type { GoldGroup } from '../core/answer-kind.ts'
import type { GoldValue } from '../core/task.ts'
import { readPrintedNumber } from '../text/printed-number.ts'
import { foldText } from './fold.ts'
import { indexText, type Needle, type TextIndexes } from './text-index.ts'

/** A group of gold values that a text gives away because it contains enough of them. */
export interface GoldSighting {
  /** 0-based: of a table the row; 0 for a gold JSON value or list. */
  readonly goldRow: number
  /** The columns, paths or places in the list whose values were found, in the group's order. */
  readonly columns: readonly string[]
}

interface GoldCell {
  readonly column: string
  readonly needle: Needle
  /** Unlikely to stand in a text by chance. */
  readonly telling: boolean
}

/** So many of the values that give a group away must be such as few other texts have anyway. */
const tellingCellsOfALeak = 1

interface PreparedGroup {
  readonly cells: readonly GoldCell[]
  readonly leastShown: number
}

/** The gold of tasks at work, the longest unused going first: that of every task of a run would not stay small. */
const prepared = new Map<readonly GoldGroup[], readonly PreparedGroup[]>()
const mostPrepared = 64

function preparedOf(groups: readonly GoldGroup[]): readonly PreparedGroup[] {
  const rows =
    prepared.get(groups) ?? groups.map(({ values, leastShown }) => ({ cells: cellsOf(values), leastShown }))
  prepared.delete(groups)
  prepared.set(groups, rows)
  const oldest = prepared.keys().next()
  if (prepared.size > mostPrepared && !oldest.done) prepared.delete(oldest.value)
  return rows
}

/**
 * The groups of gold values, such as the rows of a table, that a text gives away. It shows as many different values of
 * a group as the group says, written as in the gold (a number however its digits are grouped). At least one of them is a
 * telling one: no year, no short number, no short word. Whose text it is must be asked apart.
 *
 * @param groups the same list for the same gold, so that it is prepared once
 * @param indexes where texts are looked up that others look up too
 */
export function goldShownIn(
  text: string,
  groups: readonly GoldGroup[],
  indexes: TextIndexes = indexText,
): GoldSighting[] {
  if (text.trim() === '') return []
  const rows = preparedOf(groups)
  const index = indexes(text)
  return rows.flatMap(({ cells, leastShown }, goldRow) => {
    const found = cells.filter(cell => index.has(cell.needle))
    const telling = found.filter(cell => cell.telling).length
    return found.length >= leastShown && telling >= tellingCellsOfALeak
      ? [{ goldRow, columns: found.map(cell => cell.column) }]
      : []
  })
}

/** Each value once: two columns of the same value are one sighting. */
function cellsOf(values: GoldGroup['values']): GoldCell[] {
  const cells = new Map<string, GoldCell>()
  for (const [column, value] of Object.entries(values)) {
    const cell = cellOf(column, value)
    if (cell === null) continue
    const key = JSON.stringify(cell.needle)
    if (!cells.has(key)) cells.set(key, cell)
  }
  return [...cells.values()]
}

function cellOf(column: string, value: GoldValue): GoldCell | null {
  if (value === null || typeof value === 'boolean' || String(value).trim() === '') return null
  const number = readPrintedNumber(value)
  if (number !== null) {
    const needle = { kind: 'number', value: number.value, scaled: false } as const
    return { column, needle, telling: isTellingNumber(number.value) }
  }
  const form = foldText(String(value)).text
  return form === ''
    ? null
    : { column, needle: { kind: 'text', forms: [form] }, telling: isTellingText(form) }
}

const leastTellingDigits = 3

function isTellingNumber(value: number): boolean {
  const size = Math.abs(value)
  if (Number.isInteger(size) && size >= 1900 && size <= 2100) return false
  const digits = size.toExponential().split('e')[0]?.replace('.', '').length ?? 0
  return digits >= leastTellingDigits
}

const cjk = /[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af]/

function isTellingText(folded: string): boolean {
  return folded.length >= (cjk.test(folded) ? 4 : 6)
}
