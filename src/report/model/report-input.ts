import type { Attempt } from '../../core/attempt.ts'
import type { Score } from '../../core/score.ts'
import type { RunScorers } from './metrics.ts'
import type { RunBenchmarks } from './pooled-layouts.ts'
import type { SkippedTask } from './report.ts'
import type { Curve, StabilityRow } from './report-rows.ts'

export interface ReportInput {
  readonly manifest: ReportManifest
  readonly attempts: readonly Attempt[]
  readonly scores: readonly Score[]
  /** What the scorers of the run measure, by name. A scorer that is missing is read off its records. */
  readonly scorers: RunScorers
  /** The tables of the papers of the run's benchmarks, by the benchmark's name. */
  readonly benchmarks?: RunBenchmarks
  /** The facet by which attempts are grouped; absent: the domain. */
  readonly facet?: string
  readonly skippedTasks: readonly SkippedTask[]
  /** Lines that need more than records, such as budget curves from traces. */
  readonly curves?: readonly Curve[]
  /** How repeated scorings agree, where there were any. */
  readonly stability?: readonly StabilityRow[]
  /** Ids of attempts in the leak ledger; absent: the ledger is not known. */
  readonly tainted?: ReadonlySet<string>
}

interface CommonManifest {
  readonly runId: string
  readonly startedAt: string | null
  readonly endedAt: string | null
  /** What its results hang on, by name. */
  readonly identity?: Readonly<Record<string, unknown>>
  readonly planned?: number
  /** Records that were no tasks. */
  readonly skippedTasks?: readonly unknown[]
  /** The version of the program that began it, and others that went on with it. */
  readonly codeVersion?: string | undefined
  readonly laterVersions?: readonly string[] | undefined
}

/** The part of a manifest that a report reads: of a run, with its resolved options, or of imported logs. */
export type ReportManifest = CommonManifest &
  (
    | { readonly source?: 'run'; readonly config: Readonly<Record<string, unknown>> }
    | { readonly source: 'import'; readonly config: { readonly imported: string } }
  )

/** What --web was; null for imported logs. */
export function webOf(manifest: ReportManifest): string | null {
  if (manifest.source === 'import') return null
  const { web } = manifest.config
  return typeof web === 'string' ? web : null
}
