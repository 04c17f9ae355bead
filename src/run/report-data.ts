import { benchmarks } from '../../tasks/registry.ts'
import type { Attempt } from '../core/attempt.ts'
import type { ScorerMetrics } from '../core/metric.ts'
import type { Score } from '../core/score.ts'
import type { BenchmarkTables } from '../core/table-layout.ts'
import type { Manifest } from './records/manifest.ts'
import { collectScorerMetrics } from './records/read-records.ts'

/** A run's records as a report needs them, with the metrics of its scorers and the tables of its benchmarks. */
export interface ReportData<T extends ReportRecords> {
  readonly records: T
  readonly scorers: Readonly<Record<string, ScorerMetrics>>
  readonly benchmarks: Readonly<Record<string, BenchmarkTables>>
}

/** The records that a report is made from. */
export interface ReportRecords {
  readonly manifest: Manifest
  readonly attempts: readonly Attempt[]
  readonly scores: readonly Score[]
}

/** Collects what a report needs besides the records: metrics by scorer, tables by benchmark. */
export async function collectReportData<T extends ReportRecords>(records: T): Promise<ReportData<T>> {
  const names = new Set(records.attempts.map(({ benchmark }) => benchmark))
  const benchmarkTables: Record<string, BenchmarkTables> = {}
  for (const name of names) {
    const tables = benchmarks.has(name) ? ((await benchmarks.get(name).tables?.()) ?? null) : null
    if (tables !== null) benchmarkTables[name] = tables
  }
  return {
    records,
    scorers: collectScorerMetrics(records.manifest, records.scores),
    benchmarks: benchmarkTables,
  }
}
