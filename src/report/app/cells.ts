import type { AttemptData, CellData, ScoringData } from '../page/attempt-data.ts'

/** The compared cells of an attempt, by the name of their item. */
export type Cells = ReadonlyMap<string, CellData>

/** Returns the compared cells of an attempt's first scoring, by the name of their item. */
export function cellsOf({ scorings }: AttemptData): Cells {
  const [scoring] = scorings
  const cells = new Map<string, CellData>()
  for (const row of scoring?.rows ?? [])
    for (const [at, cell] of row.entries())
      if (typeof cell !== 'string') cells.set(itemName(scoring?.columns ?? [], row, at), cell)
  return cells
}

/** Names the item of a cell: the keys of its row, and its column when the row has several cells. */
export function itemName(columns: readonly string[], row: ScoringData['rows'][number], at: number): string {
  const keys = row.filter(cell => typeof cell === 'string').filter(text => text !== '')
  const column = row.filter(one => typeof one !== 'string').length > 1 ? columns[at] : undefined
  return [...keys, ...(column === undefined ? [] : [column])].join(' · ')
}
