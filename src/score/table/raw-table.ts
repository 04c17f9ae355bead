import { withoutCitationMarks } from '../../text/citation-marks.ts'
import { isMissing } from '../pandas/column.ts'
import { pythonKeyText } from '../python/text.ts'
import type { AlignedAnswer } from './aligned-answer.ts'
import type { GoldTable } from './gold-table.ts'
import type { RowKeyText } from './row-match.ts'

/** The values of a table as written and stripped; '' for what pandas reads as missing. */
export interface RawTable {
  /** The key texts of each row. */
  readonly keys: readonly (readonly string[])[]
  /** One text for each row, by target column. */
  readonly targets: readonly (readonly string[])[]
}

/** The raw table of the gold. */
export function rawGold(gold: GoldTable): RawTable {
  return rawTable(gold, gold.rowCount, name => gold.values.get(name) ?? null)
}

/**
 * The raw table of an answer. Columns that it lacks are empty.
 *
 * @param readsMarks whether the marks of sources are left out, except in columns whose gold has such marks or addresses
 */
export function rawAnswer(gold: GoldTable, answer: AlignedAnswer, readsMarks: boolean): RawTable {
  const withoutMarks = (name: string): readonly string[] | null => {
    const values = answer.columnOf(name)
    const plain = values?.map(withoutCitationMarks) ?? null
    const isMarked = plain?.some((text, row) => text !== values![row]) === true
    const hasMark = (text: string): boolean => text.includes('://') || withoutCitationMarks(text) !== text
    return isMarked && !gold.values.get(name)!.some(hasMark) ? plain : values
  }
  return rawTable(gold, answer.rowCount, readsMarks ? withoutMarks : answer.columnOf)
}

/** The key of a row, as the row rules compare it. */
export const rawKey = (table: RawTable, row: number): RowKeyText => ({
  parts: table.keys[row]!,
  text: pythonKeyText(table.keys[row]!),
})

function rawTable(
  gold: GoldTable,
  rowCount: number,
  columnOf: (name: string) => readonly string[] | null,
): RawTable {
  const cleaned = (name: string): string[] => {
    const values = columnOf(name)
    return Array.from({ length: rowCount }, (_, row) => cleanedText(values?.[row] ?? ''))
  }
  const keyColumns = gold.keyColumns.map(cleaned)
  return {
    keys: Array.from({ length: rowCount }, (_, row) => keyColumns.map(column => column[row]!)),
    targets: gold.targetColumns.map(cleaned),
  }
}

function cleanedText(value: string): string {
  const text = value.trim()
  return isMissing(text) ? '' : text
}
