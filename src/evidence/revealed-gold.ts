import type { GoldGroup } from '../core/answer-kind.ts'
import type { GoldValue } from '../core/gold.ts'
import { lruCache } from '../system/lru-cache.ts'
import { foldText } from '../text/fold.ts'
import { hasCjk } from '../text/plain-text.ts'
import { countSignificantDigits, readPrintedNumber } from '../text/printed-number.ts'
import { type EvidenceNeedle, indexText, type TextIndexes } from './text-index.ts'

/** A group of gold values that a text reveals because it contains enough of them. */
export interface RevealedGold {
  /** 0-based row of a gold table; 0 for a gold JSON value or list. */
  readonly goldRow: number
  /** The columns, paths or list positions of the values that were found, in the group's order. */
  readonly columns: readonly string[]
}

interface GoldCell {
  readonly column: string
  readonly needle: EvidenceNeedle
  /** Unlikely to occur in a text by chance. */
  readonly telling: boolean
}

/** A group is revealed only when at least this many of the values found are telling. */
const tellingCellsOfALeak = 1

interface PreparedGroup {
  readonly cells: readonly GoldCell[]
  readonly leastShown: number
}

/** Prepared gold of recently used tasks. Keeping the gold of every task would use too much memory. */
const preparedGroups = lruCache<readonly PreparedGroup[], readonly GoldGroup[]>(64)

/**
 * Finds the groups of gold values, such as the rows of a table, that a text reveals. The text must contain as
 * many different values of a group as the group's `leastShown`, written as in the gold. The digits of a
 * number may be grouped in any way. At least one of the values must be telling: no year, no short number and
 * no short word. Whether the text is one of the task's own documents is checked elsewhere.
 *
 * @param groups the same list object for the same gold, so that it is prepared once
 * @param indexes text indexes shared with other callers
 */
export function findRevealedGold(
  text: string,
  groups: readonly GoldGroup[],
  indexes: TextIndexes = indexText,
): RevealedGold[] {
  if (text.trim() === '') return []
  const rows = preparedGroups(groups, () =>
    groups.map(({ values, leastShown }) => ({ cells: listCells(values), leastShown })),
  )
  const index = indexes(text)
  return rows.flatMap(({ cells, leastShown }, goldRow) => {
    const revealed: GoldCell[] = []
    for (const [at, cell] of cells.entries()) {
      // The cells that are left can no longer reveal the row.
      if (revealed.length + cells.length - at < leastShown) break
      if (index.has(cell.needle)) revealed.push(cell)
    }
    const telling = revealed.filter(cell => cell.telling).length
    return revealed.length >= leastShown && telling >= tellingCellsOfALeak
      ? [{ goldRow, columns: revealed.map(cell => cell.column) }]
      : []
  })
}

/** Keeps each value once, because two columns with the same value prove no more than one. */
function listCells(values: GoldGroup['values']): GoldCell[] {
  const cells = new Map<string, GoldCell>()
  for (const [column, value] of Object.entries(values)) {
    const cell = readCell(column, value)
    if (cell === null) continue
    const key = JSON.stringify(cell.needle)
    if (!cells.has(key)) cells.set(key, cell)
  }
  return [...cells.values()]
}

function readCell(column: string, value: GoldValue): GoldCell | null {
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
  return countSignificantDigits(size) >= leastTellingDigits
}

function isTellingText(folded: string): boolean {
  return folded.length >= (hasCjk(folded) ? 4 : 6)
}
