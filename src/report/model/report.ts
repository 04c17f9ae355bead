import type { FirstTables } from './first-report.ts'
import type { RunScorers } from './metrics.ts'
import type { ReportGroup } from './report-group.ts'
import type {
  Curve,
  DegradationRow,
  DifferenceRow,
  EndRow,
  ExplainedAttempt,
  PooledRow,
  PooledTable,
  StabilityRow,
  TerminationRow,
  ToolFailureRow,
  TrialRow,
  UnseenRow,
  WaterfallRow,
} from './report-rows.ts'

/** One combination of setting, agent, model and options: what a report compares. */
export interface ReportArm {
  /** Short and readable, such as `rag-retriever-hybrid-gpt-4o`. Unique in its report. */
  readonly id: string
  /** As tables write it: `rag [retriever=hybrid] · gpt-4o`. */
  readonly name: string
  readonly setting: string
  /** Who ran the attempts; null: imported logs do not say, or it differs. */
  readonly agent: string | null
  readonly model: string
  /** The options that differ from the defaults, by their flags without `--`. */
  readonly options: Readonly<Record<string, string>>
}

/** What judging took, all scorings of the run together. */
export interface JudgingTotals {
  readonly calls: number
  readonly tokens: number
  /** Null: a price is not known. */
  readonly usd: number | null
  /** Of the published procedure, which asks about every cell on its own; tokens by estimate. */
  readonly callsSaved: number
  readonly tokensSaved: number
  /** Cells, fields and overall ratings that have no score since a judge failed. */
  readonly unscoredCells: number
  readonly unscoredOverall: number
}

export interface SkippedTask {
  readonly line: number
  readonly recordId: string | null
  readonly problem: string
  /** The file with the record, where it is not the one that --tasks names. */
  readonly file?: string | undefined
}

/**
 * `report RUN --json`. Shares and F1 are 0..1. The rows of a benchmark's own tables are fields, too, by the table's id.
 *
 * @example
 * import { type Report, report } from 'tablehunt'
 *
 * const reasonsOf = ({ terminations }: Report): string[] => terminations.map(({ cause, reason }) => `${cause} / ${reason}`)
 * console.log(reasonsOf(await report('runs/first')))
 */
export interface Report extends FirstTables<PooledRow> {
  readonly run: {
    readonly runId: string
    readonly startedAt: string | null
    readonly endedAt: string | null
    /** Attempts meant to be made; null where the manifest does not say. */
    readonly planned: number | null
    readonly attempts: number
    readonly web: string | null
    readonly embedder: string | null
    readonly profiles: readonly string[]
    readonly judges: readonly string[]
    readonly judging: JudgingTotals
  }
  readonly skippedTasks: readonly SkippedTask[]
  /** What a reader must know before comparing: mixed webs or judges, unfinished runs. */
  readonly notes: readonly string[]
  /** What the report compares, in the order of its rows. Rows name their arm by its id. */
  readonly arms: readonly ReportArm[]
  readonly groups: readonly ReportGroup[]
  readonly terminations: readonly TerminationRow[]
  /** The same for each model and variant on its own. */
  readonly ends: readonly EndRow[]
  /** Empty where no tool was called. */
  readonly toolFailures: readonly ToolFailureRow[]
  readonly differences: readonly DifferenceRow[]
  /** Empty where each task was tried once. */
  readonly trials: readonly TrialRow[]
  /** What the scorers of the run measure. */
  readonly scorers: RunScorers
  /** What `domain` holds in groups and rows: the facet that the report groups by. */
  readonly facet: string
  /** The tables of the benchmark's paper as they are shown. */
  readonly benchmarkTables: readonly PooledTable[]
  readonly waterfall: readonly WaterfallRow[]
  /** Empty where it is not known what attempts were shown. */
  readonly unseen: readonly UnseenRow[]
  /** Offline against rag, taken apart by the controls that were run. */
  readonly degradation: readonly DegradationRow[]
  readonly curves: readonly Curve[]
  /** The attempts that a reader should look at first, with the sentences that explain their scores. */
  readonly explained: readonly ExplainedAttempt[]
  /** Empty unless the run was scored repeatedly. */
  readonly stability: readonly StabilityRow[]
}
