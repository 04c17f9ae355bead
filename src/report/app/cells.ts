import type { AttemptData, CellData, ScoringData } from '../page/attempt-data.ts'

/** A compared cell with the names of its item. */
interface NamedCell {
  /** Names the item in addresses. */
  readonly item: string
  /** The key of the item's gold row. Empty when each row is one item. */
  readonly row: string
  /** The column, or the item's own name. */
  readonly name: string
  readonly cell: CellData
}

/** Names the compared cells of a scoring, by the cell. Gold rows with the same key are numbered. */
export function nameCells({ columns, rows }: ScoringData): ReadonlyMap<CellData, NamedCell> {
  const names = new Map<CellData, NamedCell>()
  const keyCounts = new Map<string, number>()
  for (const cells of rows) {
    const key = cells.filter(cell => typeof cell === 'string' && cell !== '').join(' · ')
    const times = (keyCounts.get(key) ?? 0) + 1
    keyCounts.set(key, times)
    const row = times === 1 ? key : `${key} (${times})`
    const isTable = cells.filter(cell => typeof cell !== 'string').length > 1
    for (const [at, cell] of cells.entries()) {
      if (typeof cell === 'string') continue
      const name = columns[at] ?? ''
      names.set(
        cell,
        isTable ? { item: `${row} · ${name}`, row, name, cell } : { item: row, row: '', name: row, cell },
      )
    }
  }
  return names
}

/** Returns the compared cells of an attempt's first scoring, by the name of their item. */
export function listFirstScoringCells({ scorings: [scoring] }: AttemptData): ReadonlyMap<string, NamedCell> {
  const cells = scoring === undefined ? [] : [...nameCells(scoring).values()]
  return new Map(cells.map(cell => [cell.item, cell]))
}
