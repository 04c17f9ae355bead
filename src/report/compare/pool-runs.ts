import { defaultFacet, groupByFacet } from '../model/facets.ts'
import type { ReportManifest } from '../model/report-input.ts'
import type { ComparedRun } from './run-notes.ts'
import { type SeparatingOptions, separateByOptions } from './run-options.ts'

/** How the records of runs are pooled. */
export interface PoolingOptions {
  /** The options of runs. Absent: every option separates attempts. */
  readonly options?: SeparatingOptions
  /** The facet by which attempts are grouped; the default is the domain. */
  readonly facet?: string
}

/** The records of a run, with the options in which it differs from others in those of its attempts. */
type PooledRun = Omit<ComparedRun, 'limits' | 'marks' | 'tainted'> &
  Required<Pick<ComparedRun, 'limits' | 'marks' | 'tainted'>>

/** The records of several runs as those of one. */
interface PooledRuns {
  /** The runs with ids that are unique among all: the id of each attempt begins with the name of its run and `/`. */
  readonly runs: readonly PooledRun[]
  /** The same with the ids of each run. */
  readonly separated: readonly ComparedRun[]
  readonly notes: readonly string[]
}

/** Pools the records of runs by a facet, with the options in which they differ. Runs without a name have a number. */
export function poolRuns(
  runs: readonly ComparedRun[],
  { facet = defaultFacet, options = {} }: PoolingOptions,
): PooledRuns {
  const attempts = groupByFacet(
    runs.flatMap(run => run.attempts),
    facet,
  )
  let next = 0
  const grouped = runs.map(run => {
    const from = next
    next += run.attempts.length
    return { ...run, attempts: attempts.slice(from, next) }
  })
  const { runs: separated, notes } = separateByOptions(grouped, options)
  return { runs: separated.map(makeIdsUnique), separated, notes }
}

function makeIdsUnique(run: ComparedRun, at: number): PooledRun {
  const { name = String(at + 1), limits = [], marks = [], tainted = [], searchTimes = [] } = run
  const pool = <T extends { readonly attemptId: string }>(record: T): T => ({
    ...record,
    attemptId: namePooledAttempt(name, record.attemptId),
  })
  return {
    ...run,
    attempts: run.attempts.map(pool),
    scores: run.scores.map(pool),
    limits,
    marks: marks.map(pool),
    tainted: new Set([...tainted].map(id => namePooledAttempt(name, id))),
    searchTimes: new Map([...searchTimes].map(([id, time]) => [namePooledAttempt(name, id), time])),
  }
}

/** Returns the records of all runs as those of one. */
export function poolRecords(
  runs: readonly ComparedRun[],
  options: PoolingOptions = {},
): { readonly manifest: ReportManifest } & Pick<PooledRun, 'attempts' | 'scores' | 'tainted'> {
  const pooled = poolRuns(runs, options).runs
  return {
    manifest: poolManifests(runs),
    attempts: pooled.flatMap(run => run.attempts),
    scores: pooled.flatMap(run => run.scores),
    tainted: new Set(pooled.flatMap(run => [...run.tainted])),
  }
}

/** Returns the id of an attempt among those of several runs. */
export function namePooledAttempt(run: string, attemptId: string): string {
  return `${run}/${attemptId}`
}

/** Describes the runs as one. */
export function poolManifests(runs: readonly ComparedRun[]): ReportManifest {
  const times = (name: 'startedAt' | 'endedAt'): string[] =>
    runs.flatMap(({ manifest }) => manifest[name] ?? []).sort()
  return {
    runId: runs.map(({ manifest }) => manifest.runId).join(', '),
    startedAt: times('startedAt')[0] ?? null,
    endedAt: times('endedAt').at(-1) ?? null,
    config: {},
  }
}
