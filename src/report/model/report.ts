import type { ToolKind } from '../../core/attempt.ts'
import type { CellClass } from '../../core/score.ts'
import type { EndRow, TerminationRow } from './ends.ts'
import type { FirstMeans, FirstMeasures, FirstScores, FirstTables } from './first-report.ts'
import type { RunScorers } from './metrics.ts'

/** A mean over tasks (trials averaged within each first), with its bootstrap 95% interval over tasks. */
export interface Measure {
  /** Over scored attempts; null where none is scored. */
  readonly mean: number | null
  /** Null where fewer than two tasks give no spread. */
  readonly low: number | null
  readonly high: number | null
  /** The bound that unscored attempts leave open: each counted as the worst value, 0 of a share. Null where a metric has no worst value. */
  readonly meanUnscoredAsZero: number | null
  /** The mean without attempts during which the web or our infrastructure failed; null where none is left. */
  readonly meanWithoutInfrastructureFailures: number | null
}

/** Means over scored attempts of what stands in their discovery records. */
export interface DiscoveryMeans {
  readonly surfaced: number | null
  readonly opened: number | null
  readonly parsed: number | null
  readonly used: number | null
  readonly distractorsOpened: number | null
}

/** What a number hangs on besides domain: the same task under the same key is a trial of the same thing. */
export interface GroupKey {
  readonly setting: string
  readonly model: string
  readonly variant: string
  readonly profile: string
  readonly judge: string
}

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

/** A metric over the attempts of a group. The interval and the bounds of a metric that only qualifies others are null. */
export interface MetricSummary extends Measure {
  /** Scored attempts with a value. */
  readonly n: number
  /** Tasks with a value: the independent clusters behind the interval. */
  readonly components: number
}

/**
 * One arm, over one value of the facet or over all. Each metric of the scorer is also a field under its key: with an
 * interval where the metric says how good an answer is, else as the mean.
 */
export interface ReportGroup extends GroupKey, FirstMeasures<Measure>, FirstMeans {
  /** A domain, `all` (the mean over tasks) or `allByDomain` (the mean of the domains' means). */
  readonly domain: string
  /** The id of its arm. */
  readonly arm: string
  readonly tasks: number
  /** Every metric of the scorer by its key, with `answered` and `success`; empty where nothing was scored. */
  readonly metrics: Readonly<Record<string, MetricSummary>>
  /** Share of attempts with an answer of the asked kind; `passRate` is the same. */
  readonly answered: Measure
  /** Share of attempts with every item of the gold right. */
  readonly success: Measure
  /** Attempts: n = scored + unscored. */
  readonly n: number
  readonly scored: number
  readonly unscored: number
  /** Of `unscored`: those whose scorer failed. Absent: none. */
  readonly scorerFailures?: number
  /** Scored attempts during which the web or our infrastructure failed. */
  readonly infrastructureFailures: number
  /**
   * Attempts in the leak ledger: they met rows of gold outside their documents, or a page that publishes answers. Null
   * where there is none and some attempts could not be searched for any.
   */
  readonly tainted: number | null
  /** The scores without those; null where there are none. */
  readonly withoutTainted:
    | ({ readonly n: number; readonly metrics: Readonly<Record<string, Measure>> } & FirstMeasures<Measure>)
    | null
  /** Share of hints whose document was opened, over scored attempts; the other stages in `discovery`. */
  readonly discoveryRecall: number | null
  readonly discovery: DiscoveryMeans | null
  /** By k. */
  readonly evidenceRecall: Readonly<Record<string, number>> | null
  readonly evidenceInPrompt: number | null
  readonly coverage: number | null
  readonly noise: number | null
  /** Means for an attempt, over those that know it; null where none does, or only such as spent nothing. */
  readonly tokens: number | null
  readonly modelCalls: number | null
  readonly searchCalls: number | null
  readonly fetchCalls: number | null
  readonly wallMs: number | null
  readonly usd: number | null
  readonly efficiency: Efficiency
}

/** Where tokens, time and money went. Means as in a group. */
export interface Efficiency {
  readonly inputTokens: number | null
  readonly cachedInputTokens: number | null
  readonly outputTokens: number | null
  readonly workingMs: number | null
  readonly usdModel: number | null
  readonly usdSearch: number | null
  readonly usdFetch: number | null
  /** Of the scoring, whoever paid for it. */
  readonly usdJudge: number | null
  /** Gold cells with a full score, for a scored attempt. */
  readonly correctCells: number | null
  /** What all scored attempts spent over all their correct items; null without any, and where what one spent is unknown. */
  readonly tokensPerCorrectCell: number | null
  readonly usdPerCorrectCell: number | null
  readonly wallMsPerCorrectCell: number | null
}

export interface DifferenceRow {
  /** A setting's name; with its variant in brackets where it has one. */
  readonly from: string
  readonly to: string
  /** The ids of the arms: of `to`, and of `from`. */
  readonly arm: string
  readonly fromArm: string
  readonly domain: string
  readonly model: string
  readonly profile: string
  readonly judge: string
  /** Tasks scored on both sides. */
  readonly n: number
  /** Its key. Rows of `answered` are there a second time as `passRate`. */
  readonly metric: string
  /** `to` - `from`. */
  readonly mean: number
  readonly low: number | null
  readonly high: number | null
  readonly pValue: number
}

/** Avg@N, Max@N and Pass@N of a metric, over the tasks with N scored trials or more. */
export interface TrialRow extends GroupKey {
  readonly domain: string
  readonly metric: string
  /** N. */
  readonly trials: number
  readonly tasks: number
  readonly average: number
  /** Expected best of N trials: the least where less is better. */
  readonly maximum: number
  /** Chance that at least one of N trials gave a readable answer. */
  readonly passRate: number
}

/** One row of a pooled layout: the values by their keys, beside what the row is over. */
export interface PooledRow extends GroupKey {
  readonly n: number
  readonly scored: number
  readonly unscored: number
  readonly [key: string]: unknown
}

/** A share or a mean with its interval, or a whole number. */
export type PooledCell =
  | { readonly kind: 'count'; readonly value: number }
  | { readonly kind: 'share'; readonly value: Pick<Measure, 'mean' | 'low' | 'high'> }

/** A table of a benchmark's paper, ready to be shown. */
export interface PooledTable {
  /** The id of its layout. */
  readonly id: string
  readonly title: string
  readonly source: string
  readonly profile: string
  readonly judge: string
  /** The facet that the names of its rows are values of. */
  readonly by: string
  readonly columns: readonly string[]
  readonly rows: readonly (Pick<GroupKey, 'setting' | 'model' | 'variant'> & {
    readonly name: string
    readonly cells: readonly PooledCell[]
  })[]
  readonly remarks: readonly string[]
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

/** A difference of two arms over the same tasks, with its bootstrap 95% interval clustered by task. */
export interface ArmDifference {
  readonly mean: number
  readonly low: number | null
  readonly high: number | null
  readonly pValue: number
}

/** What RAG loses against whole documents on a domain, taken apart. Shares and F1 are 0..1; null where an arm was not run. */
export interface DegradationRow extends Pick<GroupKey, 'model' | 'profile' | 'judge'> {
  readonly domain: string
  /** The rag variant, without its control. */
  readonly variant: string
  /** Its key. Rows of `answered` are there a second time as `passRate`. */
  readonly metric: string
  /** Tasks scored in every arm that was run. */
  readonly n: number
  readonly offline: number
  readonly rag: number
  readonly oracle: number | null
  readonly random: number | null
  /** offline - rag: all that is lost. Of a metric of which less is better, these four are the other way round. */
  readonly total: ArmDifference
  /** offline - oracle: what less context alone costs. */
  readonly lessContext: ArmDifference | null
  /** oracle - rag: what retrieval costs. */
  readonly retrieval: ArmDifference | null
  /** rag - random: what retrieval earns. */
  readonly earned: ArmDifference | null
}

/** The classes of lost items; `unknown`: it takes evidence or documents to tell that are not known. */
export type LossClass = Exclude<CellClass, 'correct'> | 'unknown'

export interface WaterfallRow {
  readonly setting: string
  readonly domain: string
  readonly model: string
  readonly variant: string
  readonly profile: string
  readonly judge: string
  /** Scored attempts. */
  readonly n: number
  /** Of gold items, such as cells; it and the classes' shares add up to 1. */
  readonly recall: number
  readonly classes: Readonly<Partial<Record<LossClass, number>>>
  /** online: the recall of its found-only control, over that one's scored attempts; absent where it was not run. */
  readonly foundOnly?: number
}

/** What one arm has right without having been shown it. */
export interface UnseenRow extends GroupKey {
  readonly domain: string
  /** Scored attempts of which it is known what they were shown. */
  readonly n: number
  /** Items that are right and were never in view, as a share of the gold's items; averaged within a task first. */
  readonly share: number
  /** The share of these items that the same model has right closed-book; null without such items or attempts. */
  readonly alsoClosedBook: number | null
}

/** How the searches or fetches of one arm went, over all of its attempts that say so. */
export interface ToolFailureRow {
  readonly setting: string
  readonly model: string
  readonly variant: string
  readonly tool: ToolKind
  readonly calls: number
  readonly failed: number
  /** `failed` over `calls`. */
  readonly share: number
  /** Failed calls by error class, the most frequent first. */
  readonly classes: Readonly<Record<string, number>>
}

export interface SkippedTask {
  readonly line: number
  readonly recordId: string | null
  readonly problem: string
  /** The file with the record, where it is not the one that --tasks names. */
  readonly file?: string | undefined
}

/** A figure's line: `y` against `x`, for one setting, model, variant and domain. */
export interface Curve {
  readonly figure: 'evidence-recall' | 'context' | 'budget'
  readonly setting: string
  readonly domain: string
  readonly model: string
  readonly variant: string
  /** Whose scores `y` is made of; null where it is made of none. */
  readonly profile: string | null
  readonly judge: string | null
  /** What the axes measure, such as `k` and `evidenceRecall`. */
  readonly x: string
  readonly y: string
  readonly points: readonly { readonly x: number; readonly y: number }[]
}

/** How a metric agrees between repeated scorings of the same attempts (the paper's Figure 7). */
export interface StabilityRow {
  readonly profile: string
  readonly judge: string
  readonly repeats: number
  readonly metric: string
  /** Attempts scored in every repeat. */
  readonly n: number
  readonly pearson: number | null
  readonly spearman: number | null
  /** Cells that a judge settled, and how many of them got another score in some repeat: of the scoring, whatever the metric. */
  readonly judgedCells: number
  readonly flippedCells: number
}

/** An attempt that a reader should look at first, with the sentences that explain its score. */
export interface ExplainedAttempt extends GroupKey, FirstScores {
  readonly attemptId: string
  readonly taskId: string
  readonly trial: number
  /** The key of the primary metric, and its value. */
  readonly metric: string
  readonly value: number | null
  readonly sentences: readonly string[]
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
