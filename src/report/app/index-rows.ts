import type { IndexRow } from '../page/served-data.ts'

/** How the index is sorted. `score` is the best arm. */
export interface RowOrder {
  readonly column: 'name' | 'startedAt' | 'progress' | 'score' | 'tags'
  readonly isDown: boolean
}

/** Returns everything that a search looks at, in lower case. */
export function searchText(row: IndexRow): string {
  const parts =
    row.state === 'broken'
      ? [row.problem]
      : [...row.arms.map(({ name }) => name), ...row.models, ...row.tags, row.note, row.startedAt]
  return [row.name, row.state, ...parts].join(' ').toLowerCase()
}

/** Sorts the rows of the index. Runs that cannot be read come last. */
export function orderedRows(rows: readonly IndexRow[], { column, isDown }: RowOrder): IndexRow[] {
  const sign = isDown ? -1 : 1
  return rows.toSorted((a, b) => {
    const [left, right] = [sortValue(a, column), sortValue(b, column)]
    if (left === null || right === null)
      return left === right ? compare(a.name, b.name) : left === null ? 1 : -1
    return sign * compare(left, right) || compare(a.name, b.name)
  })
}

function sortValue(row: IndexRow, column: RowOrder['column']): string | number | null {
  if (row.state === 'broken') return null
  switch (column) {
    case 'progress':
      return row.planned === 0 ? 0 : row.done / row.planned
    case 'score': {
      const means = row.arms.flatMap(({ mean }) => mean ?? [])
      return means.length === 0 ? null : Math.max(...means)
    }
    case 'tags':
      return row.tags.length === 0 ? null : row.tags.join(' ')
    default:
      return row[column]
  }
}

function compare(a: string | number, b: string | number): number {
  return typeof a === 'number' && typeof b === 'number' ? a - b : String(a).localeCompare(String(b))
}
