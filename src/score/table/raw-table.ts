import { isMissing } from '../pandas/column.ts'
import type { AlignedAnswer } from './aligned-answer.ts'
import type { GoldTable } from './gold-table.ts'

/** A table's values as written, stripped; what pandas takes for missing is ''. */
export interface RawTable {
  /** One list of key texts a row. */
  readonly keys: readonly (readonly string[])[]
  /** By target column, one text a row. */
  readonly targets: readonly (readonly string[])[]
}

export function rawGold(gold: GoldTable): RawTable {
  return rawTable(gold, gold.rowCount, name => gold.values.get(name) ?? null)
}

/** Columns that the answer lacks are empty. */
export function rawAnswer(gold: GoldTable, answer: AlignedAnswer): RawTable {
  return rawTable(gold, answer.rowCount, answer.columnOf)
}

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
