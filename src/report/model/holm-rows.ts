import { holm } from '../../score/statistics/holm.ts'
import { groupBy } from './entries.ts'
import { isPrimary, metricNamed, type RunScorers } from './metrics.ts'
import type { DifferenceRow } from './report-rows.ts'
import { scoringOf } from './scorings.ts'

/** A row before its p-value is corrected. */
export type TestedRow = Omit<DifferenceRow, 'pValueHolm'>

/** Whether tables of differences show a row: the primary metric for every domain, the others over all tasks. */
export function isInTable(row: TestedRow, scorers: RunScorers): boolean {
  const isKnown = metricNamed(scorers, row.scorer, row.metric) !== undefined
  return isKnown && (row.domain === 'all' || isPrimary(scorers, row.scorer, row.metric))
}

/**
 * Adds p-values that are corrected by Holm's method. The rows of one printed table are corrected together. All other
 * rows of a scorer and judge are corrected among themselves. A row that repeats another row under an older name of its
 * metric has the same values and is not counted.
 */
export function withHolm(rows: readonly TestedRow[], scorers: RunScorers): DifferenceRow[] {
  const tested = rows.filter(row => metricNamed(scorers, row.scorer, row.metric) !== undefined)
  const tables = groupBy(tested, row => `${scoringOf(row)} ${isInTable(row, scorers)} ${row.againstFirst}`)
  const corrected = new Map<string, number | null>()
  for (const table of tables.values()) {
    const adjusted = holm(table.map(({ pValue }) => pValue))
    for (const [at, row] of table.entries()) corrected.set(keyOf(row), adjusted[at]!)
  }
  return rows.map(row => ({ ...row, pValueHolm: corrected.get(keyOf(row)) ?? null }))
}

function keyOf({ arm, fromArm, domain, scorer, judge, metric }: TestedRow): string {
  return JSON.stringify([arm, fromArm, domain, scorer, judge, metric])
}
