import type { Alignment } from '../align/align-columns.ts'
import type { CsvTable } from '../pandas/csv.ts'
import type { GoldTable } from './gold-table.ts'

/** An answer under the gold's columns. */
export interface AlignedAnswer {
  readonly rowCount: number
  /** The answer's values of a gold column, one for each row; null when the answer lacks it. */
  columnOf(goldColumn: string): readonly string[] | null
  /** The answer's column names without a gold column, in the answer's order. */
  readonly otherColumns: readonly string[]
  /** The answer's column names. */
  readonly header: readonly string[]
  readonly matchedTargets: number
  readonly nonKeyColumns: number
  readonly spuriousColumns: number
}

/**
 * Arranges an answer under the gold's columns.
 *
 * @param alignment positions of the gold's key columns, then of its targets
 */
export function alignAnswer(gold: GoldTable, answer: CsvTable, alignment: Alignment): AlignedAnswer {
  const names = [...gold.keyColumns, ...gold.targetColumns]
  const columns = new Map<string, readonly string[]>()
  for (const [i, name] of names.entries()) {
    const position = alignment[i] ?? null
    if (position !== null) {
      columns.set(
        name,
        answer.rows.map(row => row[position]!),
      )
    }
  }
  const isAligned = (position: number | null): boolean => position !== null
  const keys = alignment.slice(0, gold.keyColumns.length).filter(isAligned).length
  const matchedTargets = alignment.slice(gold.keyColumns.length).filter(isAligned).length
  return {
    rowCount: answer.rows.length,
    columnOf: name => columns.get(name) ?? null,
    header: answer.header,
    otherColumns: answer.header.filter((_, position) => !alignment.includes(position)),
    matchedTargets,
    nonKeyColumns: answer.header.length - keys,
    spuriousColumns: answer.header.length - keys - matchedTargets,
  }
}
