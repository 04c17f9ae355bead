import type { Score } from '../../core/score.ts'
import type {
  BenchmarkTables,
  PooledLayout,
  PooledTableLayout,
  PooledValue,
} from '../../core/table-layout.ts'
import { type MeanInterval, ratioInterval } from '../../score/statistics/intervals.ts'
import { compareText, type Entry, groupBy, groupByKey, isScored } from './entries.ts'
import { facetOf } from './facets.ts'
import type { GroupKey, Measure } from './report-group.ts'
import type { PooledCell, PooledRow, PooledTable } from './report-rows.ts'

/** Table layouts by benchmark name. */
export type RunBenchmarks = Readonly<Record<string, BenchmarkTables>>

/** The rows of every pooled layout, by the layout's id, and the tables that show them. */
export interface PooledTables {
  readonly rows: Readonly<Record<string, readonly PooledRow[]>>
  readonly tables: readonly PooledTable[]
}

/** Computes the tables of the attempts' benchmarks that pool attempts. */
export function pooledTables(entries: readonly Entry[], benchmarks: RunBenchmarks): PooledTables {
  const made = Object.entries(benchmarks).flatMap(([name, { layouts }]) => {
    const own = entries.filter(({ attempt }) => attempt.benchmark === name)
    return layouts.flatMap(layout =>
      layout.kind === 'pooled' ? [{ layout, rows: rowsOf(layout, own) }] : [],
    )
  })
  return {
    rows: Object.fromEntries(made.map(({ layout, rows }) => [layout.id, rows])),
    tables: made.flatMap(({ layout, rows }) => tablesOf(layout, rows)),
  }
}

type Scored = Entry & { readonly score: Score }

function rowsOf(layout: PooledLayout, entries: readonly Entry[]): PooledRow[] {
  const fitting = entries.filter(({ key }) => layout.scorers.includes(key.scorer))
  return groupByKey(fitting).flatMap(({ key, entries: own }) => {
    const groups = groupBy(own, ({ attempt }) => facetOf(attempt, layout.by) ?? attempt.domain)
    // A single domain would repeat the row of all attempts.
    const named =
      layout.by === 'domain' && groups.size === 1 ? [] : [...groups].sort(([a], [b]) => compareText(a, b))
    return [...named, ['all', own] as const].map(([name, group]) => rowOf(layout, key, name, group))
  })
}

function rowOf(layout: PooledLayout, key: GroupKey, name: string, entries: readonly Entry[]): PooledRow {
  const scored = entries.filter(isScored)
  const row: Record<string, unknown> = { ...key, [layout.by]: name }
  const counts = { n: entries.length, scored: scored.length, unscored: entries.length - scored.length }
  Object.assign(row, counts)
  for (const value of layout.values) put(row, value.key, pooledValue(value, scored, entries))
  return row as unknown as PooledRow
}

/** Sets a value at its key. A key such as `outer.inner` names a field of a nested object. */
function put(row: Record<string, unknown>, key: string, value: unknown): void {
  const [outer = '', inner] = key.split('.')
  if (inner === undefined) row[outer] = value
  else row[outer] = { ...(row[outer] as Record<string, unknown> | undefined), [inner]: value }
}

function at(row: PooledRow, key: string): unknown {
  return key
    .split('.')
    .reduce<unknown>((value, part) => (value as Record<string, unknown> | undefined)?.[part], row)
}

function pooledValue(value: PooledValue, scored: readonly Scored[], all: readonly Entry[]): unknown {
  const answered = scored.filter(({ score }) => score.answered)
  switch (value.kind) {
    case 'answered':
      return answered.length
    case 'answered-share':
      return ratio(answered.length, scored.length)
    case 'tally':
      return tally(scored, value)
    case 'sum':
      return sumOf(scored, value.count)
    case 'share-of-all':
      return value.of(all.flatMap(({ score }) => score ?? []))
    case 'ratio':
      return ratioOf(value, value.among === 'answered' ? answered : scored)
    default:
      return value satisfies never
  }
}

function tally(scored: readonly Scored[], { of }: { of(score: Score): string | null }): unknown {
  const counts: Record<string, number> = {}
  for (const { score } of scored) {
    const name = of(score)
    if (name !== null) counts[name] = (counts[name] ?? 0) + 1
  }
  return counts
}

function sumOf(scored: readonly Scored[], count: string): number {
  return scored.reduce((total, { score }) => total + (score.counts[count] ?? 0), 0)
}

function ratio(part: number, whole: number): number | null {
  return whole === 0 ? null : part / whole
}

function ratioOf(
  { part, whole, interval }: Extract<PooledValue, { kind: 'ratio' }>,
  scored: readonly Scored[],
): unknown {
  if (interval !== true)
    return ratio(
      sumOf(scored, part),
      whole.reduce((sum, count) => sum + sumOf(scored, count), 0),
    )
  const parts = scored.map(entry => ({
    component: entry.component,
    part: sumOf([entry], part),
    whole: whole.reduce((sum, count) => sum + sumOf([entry], count), 0),
  }))
  return ratioInterval(parts) ?? { mean: null, low: null, high: null, components: 0 }
}

/** Makes a table for each scoring and each view of the layout. Its rows are sorted by facet value; `all` comes last. */
function tablesOf(layout: PooledLayout, rows: readonly PooledRow[]): PooledTable[] {
  const scorings = [...groupBy(rows, row => JSON.stringify([row.scorer, row.judge])).values()]
  return scorings.flatMap(own => layout.tables.flatMap(view => tableOf(layout, view, own)))
}

function tableOf(layout: PooledLayout, view: PooledTableLayout, rows: readonly PooledRow[]): PooledTable[] {
  const nameOf = (row: PooledRow): string => String(row[layout.by])
  const namesIn = (key: string): string[] => [
    ...new Set(rows.flatMap(row => Object.keys(at(row, key) as object))),
  ]
  const shown = rows.filter(
    row => view.only === undefined || Object.keys(at(row, view.only) as object).length > 0,
  )
  if (shown.length === 0) return []
  const { scorer, judge } = shown[0]!
  const names = [...new Set(shown.map(nameOf))].filter(name => name !== 'all')
  const ordered = [...names, 'all'].flatMap(name => shown.filter(row => nameOf(row) === name))
  const heads = view.columns.flatMap(column =>
    'tally' in column
      ? [column.head, ...namesIn(column.tally).sort()]
      : [column.head, ...(hasInterval(layout, column.key) ? ['groups'] : [])],
  )
  return [
    {
      ...{ id: layout.id, title: view.title, source: view.source, scorer, judge, by: layout.by },
      columns: heads,
      rows: ordered.map(row => ({
        ...{ name: nameOf(row), setting: row.setting, model: row.model, options: row.options },
        cells: view.columns.flatMap(column =>
          'tally' in column
            ? tallyCells(at(row, column.tally) as Record<string, number>, namesIn(column.tally).sort())
            : cellsOf(layout, row, column.key),
        ),
      })),
      remarks: view.remarks.flatMap(remark => remarkText(remark, rows, nameOf)),
    },
  ]
}

function tallyCells(counts: Readonly<Record<string, number>>, names: readonly string[]): PooledCell[] {
  const total = Object.values(counts).reduce((sum, n) => sum + n, 0)
  return [total, ...names.map(name => counts[name] ?? 0)].map(value => ({ kind: 'count', value }))
}

function hasInterval({ values }: PooledLayout, key: string): boolean {
  return values.some(value => value.key === key && value.kind === 'ratio' && value.interval === true)
}

/** Returns the cell of a value and, if it has an interval, one with the number of groups of tasks. */
function cellsOf(layout: PooledLayout, row: PooledRow, key: string): PooledCell[] {
  const cell = cellOf(layout, row, key)
  if (!hasInterval(layout, key)) return [cell]
  return [cell, { kind: 'count', value: (at(row, key) as MeanInterval).components }]
}

function cellOf({ values }: PooledLayout, row: PooledRow, key: string): PooledCell {
  const kind = values.find(value => value.key === key)?.kind
  const value = at(row, key)
  if (kind !== 'ratio' && kind !== 'answered-share' && kind !== 'share-of-all')
    return { kind: 'count', value: value as number }
  const isMean = typeof value === 'number' || value === null
  return { kind: 'share', value: isMean ? { mean: value, low: null, high: null } : (value as Measure) }
}

function remarkText(
  remark: PooledTableLayout['remarks'][number],
  rows: readonly PooledRow[],
  nameOf: (row: PooledRow) => string,
): string[] {
  if (typeof remark === 'string') return [remark]
  const all = rows.filter(row => nameOf(row) === 'all')
  const sum = all.reduce((total, row) => total + (at(row, remark.key) as number), 0)
  return sum === 0 ? [] : [remark.text.replace('{n}', String(sum))]
}
