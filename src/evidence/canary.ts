import { jsonLeaves } from '../core/json-leaves.ts'
import type { Gold, GoldRow, GoldValue } from '../core/task.ts'
import { foldText } from './fold.ts'
import { goldNumber } from './gold-number.ts'
import { indexText, type Needle, type TextIndexes } from './text-index.ts'

/** A row of gold that a text gives away: three or more of its cells stand in it. */
export interface GoldSighting {
  /** 0-based row of the gold table; 0 for a gold JSON value. */
  readonly goldRow: number
  /** The columns whose values were found, in the row's order. */
  readonly columns: readonly string[]
}

interface GoldCell {
  readonly column: string
  readonly needle: Needle
  /** Unlikely to stand in a text by chance. */
  readonly telling: boolean
}

/** A table has to say so many cells of a row to give it away. */
const cellsOfALeak = 3
/** So many of them must be such as few other texts hold anyway. */
const tellingCellsOfALeak = 1

type PreparedGold = readonly (readonly GoldCell[])[]

/** The gold of tasks at work, the longest unused going first: that of every task of a run would not stay small. */
const prepared = new Map<Gold, PreparedGold>()
const mostPrepared = 64

function preparedOf(gold: Gold): PreparedGold {
  const rows = prepared.get(gold) ?? goldCells(gold)
  prepared.delete(gold)
  prepared.set(gold, rows)
  const oldest = prepared.keys().next()
  if (prepared.size > mostPrepared && !oldest.done) prepared.delete(oldest.value)
  return rows
}

/**
 * The gold rows that a text gives away: at least three of a row's cells with different values stand in it, as they are
 * written in gold (a number however it is grouped), at least one of them a telling one: no year, no short number, no
 * short word. Whose text it is must be asked apart. `indexes`: where texts are looked up that others look up too.
 */
export function goldRowsIn(text: string, gold: Gold, indexes: TextIndexes = indexText): GoldSighting[] {
  if (text.trim() === '') return []
  const rows = preparedOf(gold)
  const index = indexes(text)
  return rows.flatMap((cells, goldRow) => {
    const found = cells.filter(cell => index.has(cell.needle))
    const telling = found.filter(cell => cell.telling).length
    return found.length >= leastFound(gold, cells.length) && telling >= tellingCellsOfALeak
      ? [{ goldRow, columns: found.map(cell => cell.column) }]
      : []
  })
}

/** A JSON document is one row of often hundreds of values, some of which any document of its kind shows. */
function leastFound(gold: Gold, cells: number): number {
  return gold.kind === 'table' ? cellsOfALeak : Math.max(cellsOfALeak, Math.ceil(cells / 2))
}

function goldCells(gold: Gold): GoldCell[][] {
  return rowsOf(gold).map(cellsOfRow)
}

function rowsOf(gold: Gold): readonly GoldRow[] {
  if (gold.kind === 'table') return gold.rows
  return [
    gold.kind === 'json'
      ? jsonLeaves(gold.value)
      : Object.fromEntries((gold.items ?? gold.references).entries()),
  ]
}

/** Each value once: two columns of the same value are one sighting. */
function cellsOfRow(row: GoldRow): GoldCell[] {
  const cells = new Map<string, GoldCell>()
  for (const [column, value] of Object.entries(row)) {
    const cell = cellOf(column, value)
    if (cell === null) continue
    const key = JSON.stringify(cell.needle)
    if (!cells.has(key)) cells.set(key, cell)
  }
  return [...cells.values()]
}

function cellOf(column: string, value: GoldValue): GoldCell | null {
  if (value === null || typeof value === 'boolean' || String(value).trim() === '') return null
  const number = goldNumber(value)
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
