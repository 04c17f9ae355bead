import type { Table } from '../../core/table.ts'
import type { CausalWaterfall } from './causal-waterfall.ts'
import type { CorrelationRow, FacetCurve } from './facet-curves.ts'
import type { JudgeAgreement } from './judge-agreement.ts'
import type { RunScorers } from './metrics.ts'
import type { ReportGroup } from './report-group.ts'
import type {
  Curve,
  DegradationRow,
  DifferenceRow,
  EndRow,
  ExplainedAttempt,
  FindabilityRow,
  PooledDifference,
  RadarTable,
  StabilityRow,
  TerminationRow,
  ToolFailureRow,
  TrialRow,
  UnseenRow,
  WaterfallRow,
} from './report-rows.ts'
import type { SearchServiceRow } from './search-services.ts'

/** An experimental condition that a report compares: one combination of setting, agent, model and options. */
export interface ReportArm {
  /** Short and readable, such as `rag-hybrid-gpt-4o`. Unique in its report. */
  readonly id: string
  /** The name in figures, made of what differs between the arms of a setting: `rag hybrid 4k · gpt-4o`. */
  readonly name: string
  readonly setting: string
  /** The agent that made the attempts. Null when there are several, or when imported logs do not name it. */
  readonly agent: string | null
  readonly model: string
  /** The options that differ from the defaults, by flag without `--`. */
  readonly options: Readonly<Record<string, string>>
  /** The retriever, also when it is the default. Absent when the arm has none, or when it is unknown. */
  readonly retriever?: string
}

/** What a run has spent besides the usage of its attempts. */
export interface RepeatedSpending {
  /** The number of attempts that were not finished, or that were made again. One that was made three times counts twice. */
  readonly attempts: number
  /** The number of shadow answers at checkpoints of the recorded attempts. */
  readonly shadowAnswers: number
  /** Input and output tokens. */
  readonly tokens: number
  readonly modelCalls: number
  readonly searchCalls: number
  readonly fetchCalls: number
  /** The known cost in US dollars. */
  readonly usd: number
  /** Whether `usd` and `tokens` are complete: all prices are known, and no call was given up. */
  readonly isWhole: boolean
}

/** The cost of judging, over all scorings of the run. */
export interface JudgingTotals {
  readonly calls: number
  readonly tokens: number
  /** Null when a price is unknown. */
  readonly usd: number | null
  /** Calls saved against the published procedure, which asks about every cell. `tokensSaved` is an estimate. */
  readonly callsSaved: number
  readonly tokensSaved: number
  /** Cells and fields without a score because a judge failed. `unscoredOverall` counts overall ratings. */
  readonly unscoredCells: number
  readonly unscoredOverall: number
}

/** A record of the tasks file that could not be read as a task. */
export interface SkippedTask {
  readonly line: number
  readonly recordId: string | null
  readonly problem: string
  /** The file with the record. Absent when it is the file of --tasks. */
  readonly file?: string | undefined
}

/**
 * The report of a run, as `report RUN --json` prints it. Shares and F1 are 0..1.
 *
 * @example
 * import { type Report, report } from 'tablehunt'
 *
 * const reasonsOf = ({ terminations }: Report): string[] => terminations.map(({ cause, reason }) => `${cause} / ${reason}`)
 * console.log(reasonsOf(await report('runs/first')))
 */
export interface Report {
  readonly run: {
    readonly runId: string
    readonly startedAt: string | null
    readonly endedAt: string | null
    /** The number of planned attempts. Null when the manifest does not say. */
    readonly planned: number | null
    readonly attempts: number
    readonly web: string | null
    readonly embedder: string | null
    readonly scorerNames: readonly string[]
    readonly judges: readonly string[]
    readonly judging: JudgingTotals
    /** What attempts have spent that are not among `attempts`. Absent when there are none. */
    readonly repeated?: RepeatedSpending
  }
  readonly skippedTasks: readonly SkippedTask[]
  /** What a reader must know before comparing scores, such as several judges or an unfinished run. */
  readonly notes: readonly string[]
  /** The arms that the report compares, in the order of its rows. Rows name their arm by its id. */
  readonly arms: readonly ReportArm[]
  readonly groups: readonly ReportGroup[]
  /**
   * The arms over the tasks that all arms of their scoring scored: `common` (the mean over tasks) and `commonByDomain`. Empty
   * for a scoring whose arms all scored the same tasks, or none in common.
   */
  readonly common: readonly ReportGroup[]
  readonly terminations: readonly TerminationRow[]
  /** Why attempts ended, for each arm. */
  readonly ends: readonly EndRow[]
  /** Empty when all online attempts searched with the same service. */
  readonly searchServices: readonly SearchServiceRow[]
  /** Empty when no tool was called. */
  readonly toolFailures: readonly ToolFailureRow[]
  readonly differences: readonly DifferenceRow[]
  /**
   * The difference of every arm to the baseline (`fromArm`) in the primary metric over all tasks: the first arm with a score,
   * for forks those of the same cause without a change, or the one of `--baseline`. The tests of a scoring are one family. Empty for a single arm.
   */
  readonly baselineDifferences: readonly DifferenceRow[]
  /** Differences along one dimension, pooled over the others. Empty when no design is complete. */
  readonly pooledDifferences: readonly PooledDifference[]
  /** Empty when each task was tried once. */
  readonly trials: readonly TrialRow[]
  /** The metrics of the run's scorers. */
  readonly scorers: RunScorers
  /** The facet by which the report groups. The field `domain` of groups and rows contains its value. */
  readonly facet: string
  /** Tables in the layouts of the benchmark's paper. */
  readonly benchmarkTables: readonly Table[]
  /** Tables whose columns are the axes of a radar chart. Empty when the benchmark has none. */
  readonly radarTables: readonly RadarTable[]
  /** The primary metric by facets whose values are numbers, such as the depth of a document, as the benchmark declares. */
  readonly facetCurves: readonly FacetCurve[]
  /** Rank correlations of the primary metric with such facets. */
  readonly correlations: readonly CorrelationRow[]
  readonly waterfall: readonly WaterfallRow[]
  /** What forks of the attempts of another run say about its losses (`tablehunt causes`). Null for other runs. */
  readonly causes: CausalWaterfall | null
  /** Empty when the records do not say what the model was shown. */
  readonly unseen: readonly UnseenRow[]
  /** How far the search for evidence can be trusted. One row for each scoring. */
  readonly findability: readonly FindabilityRow[]
  /** Offline against rag, with the loss split by the controls that were run. */
  readonly degradation: readonly DegradationRow[]
  readonly curves: readonly Curve[]
  /** The attempts that a reader should look at first, with the sentences that explain their scores. */
  readonly explained: readonly ExplainedAttempt[]
  /** How far a person agrees with each judge that is a model, from the marks of `audit`. Empty without such a judge. */
  readonly judgeAgreements: readonly JudgeAgreement[]
  /** Empty unless the run was scored repeatedly. */
  readonly stability: readonly StabilityRow[]
}
