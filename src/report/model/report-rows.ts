import type { ToolKind } from '../../core/attempt.ts'
import type { CellClass } from '../../core/score.ts'
import type { FirstScores, PrimaryMeans } from './first-report.ts'
import type { GroupKey, Measure } from './report-group.ts'

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

/** How many attempts ended for one reason, and the mean of the primary metric over them, in a field by its key. */
export interface EndCounts extends PrimaryMeans {
  readonly cause: string
  readonly reason: string
  readonly n: number
  /** Of the setting's attempts. */
  readonly share: number
  /** Answered, and not killed. */
  readonly passed: number
}

/** Why the attempts of a setting ended, those of all its models and variants together. */
export interface TerminationRow extends EndCounts {
  readonly setting: string
  /** The id of the setting's arm; null: it has several. */
  readonly arm: string | null
}

/** Why the attempts of one setting, model and variant ended. */
export interface EndRow extends TerminationRow {
  readonly model: string
  readonly variant: string
  readonly arm: string
  readonly profile: string
  readonly judge: string
  /** Every attempt that has not passed: killed, or no table could be read; without a score: no answer. */
  readonly failed: number
  /** Of the failures of that setting, model and variant; null without any. */
  readonly shareOfFailures: number | null
}
