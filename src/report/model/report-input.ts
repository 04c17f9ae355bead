import type { Attempt } from '../../core/attempt.ts'
import type { Score } from '../../core/score.ts'
import type { ScoreLimits } from '../../core/score-limits.ts'
import type { RunBenchmarks } from './benchmark-tables.ts'
import type { JudgeMark } from './judge-agreement.ts'
import type { RunScorers } from './metrics.ts'
import type { RepeatedSpending, SkippedTask } from './report.ts'
import type { Curve, StabilityRow } from './report-rows.ts'
import type { SearchTime } from './search-services.ts'

/** The records and settings from which a report is built. */
export interface ReportInput {
  readonly manifest: ReportManifest
  readonly attempts: readonly Attempt[]
  readonly scores: readonly Score[]
  /** The metrics of the run's scorers, by scorer name. Those of a missing scorer are inferred from its records. */
  readonly scorers: RunScorers
  /** Table layouts from the papers of the run's benchmarks, by benchmark name. */
  readonly benchmarks?: RunBenchmarks
  /** The facet by which attempts are grouped. Default: the domain. */
  readonly facet?: string
  /** The arm with which all others are compared, by its id or a printed name. Absent: the first one with a score. */
  readonly baseline?: string | undefined
  readonly skippedTasks: readonly SkippedTask[]
  /** Curves that cannot be computed from records alone, such as budget curves, which need traces. */
  readonly curves?: readonly Curve[]
  /** How well repeated scorings agree. Absent unless the run was scored repeatedly. */
  readonly stability?: readonly StabilityRow[]
  /** The search times of online attempts by their ids. Absent when all searched with the same service. */
  readonly searchTimes?: ReadonlyMap<string, SearchTime>
  /** The marks of `audit`. Absent when there are none. */
  readonly marks?: readonly JudgeMark[]
  /** What answers without any work get at the scored tasks. Absent when the tasks are not available. */
  readonly limits?: readonly ScoreLimits[]
  /** Ids of the attempts in the leak ledger. Absent when the ledger is not available. */
  readonly tainted?: ReadonlySet<string>
  /** What was spent on attempts without a record. Null or absent when there are none. */
  readonly repeated?: RepeatedSpending | null
  /** The share of the gold items that the source run of forks lost to each class. Absent for other runs. */
  readonly lost?: Readonly<Record<string, number>>
  /** What is wrong with each record of a score that could not be read. Absent when all could be. */
  readonly unreadableScores?: readonly string[]
  /** Why the sheet with the marks of `audit` could not be read. Absent when it could be. */
  readonly unreadableMarks?: string
}

interface CommonManifest {
  readonly runId: string
  readonly startedAt: string | null
  readonly endedAt: string | null
  /** The options and hashes that the results depend on, by name. */
  readonly identity?: Readonly<Record<string, unknown>>
  readonly planned?: number
  /** Records of the tasks file that could not be read as tasks. */
  readonly skippedTasks?: readonly unknown[]
  /** The version of Tablehunt that started the run. `laterVersions` are those that resumed it. */
  readonly codeVersion?: string | undefined
  readonly laterVersions?: readonly string[] | undefined
}

/** The part of a manifest that a report reads. A run has its resolved options, imported logs have their format. */
export type ReportManifest = CommonManifest &
  (
    | { readonly source?: 'run'; readonly config: Readonly<Record<string, unknown>> }
    | { readonly source: 'import'; readonly config: { readonly imported: string } }
  )

/** Returns the value of --web, or null for imported logs. */
export function readWebOption(manifest: ReportManifest): string | null {
  if (manifest.source === 'import') return null
  const { web } = manifest.config
  return typeof web === 'string' ? web : null
}
