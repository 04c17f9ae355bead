import type { IndexRow, RunRow } from '../page/served-data.ts'
import { compareValues, type SortOrder } from './sort-order.ts'

/** A column of the index. `score` is the best arm. */
export type IndexColumn = 'name' | 'startedAt' | 'progress' | 'score' | 'tags'

/** Returns everything that a search looks at, in lower case. */
export function searchText(row: IndexRow): string {
  const parts =
    row.state === 'broken'
      ? [row.problem]
      : [...row.arms.map(({ name }) => name), ...row.models, ...row.tags, row.note, row.startedAt]
  return [row.name, row.state, ...parts].join(' ').toLowerCase()
}

/** Names the metric of a row, and the model that its arms share, because their names leave it out. */
export function describeScores({ metric, models }: RunRow): string {
  const shared = models.length === 1 ? models : []
  return [metric === null ? 'no score yet' : metric.label, ...shared].join(' · ')
}

/** Sorts the rows of the index. Runs that cannot be read come last. */
export function orderRows(rows: readonly IndexRow[], { column, isDown }: SortOrder<IndexColumn>): IndexRow[] {
  return rows.toSorted(
    (a, b) =>
      compareValues(sortValue(a, column), sortValue(b, column), isDown) || a.name.localeCompare(b.name),
  )
}

function sortValue(row: IndexRow, column: IndexColumn): string | number | null {
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
