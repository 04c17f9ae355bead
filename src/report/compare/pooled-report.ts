import { buildReport } from '../model/build-report.ts'
import { defaultFacet } from '../model/facets.ts'
import type { Report } from '../model/report.ts'
import type { DifferenceRow } from '../model/report-rows.ts'
import type { Comparison } from './comparison.ts'
import { groupedRuns } from './comparison.ts'
import type { ComparedRun } from './run-notes.ts'
import { separateByOptions } from './run-options.ts'

/** The records of several runs as those of one. The id of each attempt begins with the name of its run and `/`. */
export type PooledRecords = Required<Pick<ComparedRun, 'attempts' | 'scores' | 'tainted'>>

/** A run with its name. The names of compared runs are distinct. */
export type NamedRun = ComparedRun & { readonly name: string }

/** Pools the records of runs. Options in which runs differ are part of the attempts' options, as in the comparison. */
export function poolRecords(given: readonly NamedRun[], facet: string = defaultFacet): PooledRecords {
  const { runs } = separateByOptions(groupedRuns(given, facet))
  const named = <T extends { readonly attemptId: string }>(at: number, records: readonly T[]): T[] =>
    records.map(record => ({ ...record, attemptId: pooledId(given[at]!.name, record.attemptId) }))
  return {
    attempts: runs.flatMap(({ attempts }, at) => named(at, attempts)),
    scores: runs.flatMap(({ scores }, at) => named(at, scores)),
    tainted: new Set(
      runs.flatMap(({ tainted = [] }, at) => [...tainted].map(id => pooledId(given[at]!.name, id))),
    ),
  }
}

/** Returns the id of an attempt among those of several runs. */
export function pooledId(run: string, attemptId: string): string {
  return `${run}/${attemptId}`
}

/** Makes the report of a page over several runs. The comparison has its differences, notes, curves, correlations and radar tables. */
export function pooledReport(
  comparison: Comparison,
  runs: readonly NamedRun[],
  records: PooledRecords,
): Report {
  const { facet, scorers, differences, notes, searchServices } = comparison
  const { facetCurves, correlations, radarTables } = comparison
  const times = (name: 'startedAt' | 'endedAt'): string[] =>
    runs.flatMap(({ manifest }) => manifest[name] ?? []).sort()
  const report = buildReport({
    manifest: {
      runId: runs.map(({ manifest }) => manifest.runId).join(', '),
      startedAt: times('startedAt')[0] ?? null,
      endedAt: times('endedAt').at(-1) ?? null,
      config: {},
    },
    ...records,
    scorers,
    skippedTasks: [],
  })
  return {
    ...report,
    differences: betweenRunsFirst(comparison, differences),
    ...{ facet, notes, searchServices, facetCurves, correlations, radarTables },
  }
}

/** Puts differences between models and between runs first: they are what one run alone does not show. */
function betweenRunsFirst({ arms }: Comparison, rows: readonly DifferenceRow[]): DifferenceRow[] {
  const sides = new Map(arms.map(({ id, model, options }) => [id, `${options.run ?? ''} ${model}`]))
  const isBetween = ({ arm, fromArm }: DifferenceRow): boolean => sides.get(arm) !== sides.get(fromArm)
  return [...rows.filter(isBetween), ...rows.filter(row => !isBetween(row))]
}
