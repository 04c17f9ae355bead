import type { ArmOptions } from '../../core/arm.ts'
import type { CellClass } from '../../core/cell-classes.ts'
import type { MetricUnit } from '../../core/metric.ts'
import type { ToolKind } from '../../core/usage.ts'
import type { GroupKey, Measure } from './report-group.ts'

/** What a difference shows among the other tests of its table. */
export interface FamilyFigures {
  /** How many p-values its table has. */
  readonly tests: number
  /** The interval to which `pValueHolm` belongs: 95% of campaigns have all differences of the table in such intervals. */
  readonly simultaneousLow: number | null
  readonly simultaneousHigh: number | null
  /** `pValue` corrected by Holm's method for the other p-values of its table. */
  readonly pValueHolm: number | null
  /** The least `pValueHolm` that so many groups and tests allow. */
  readonly leastHolm: number | null
  /** The smallest difference with a `pValueHolm` of at most 0.05 in 80% of campaigns. Null when none has one. */
  readonly detectable: number | null
}

/** How much a difference depends on single groups of tasks and on unscored attempts. */
export interface DifferenceSensitivity {
  /** The smallest and the largest difference when one group of tasks is left out. Null for a single group. */
  readonly withoutOneGroup: DifferenceRange | null
  /** Present when attempts at tasks of both arms are unscored. */
  readonly unscored?: UnscoredSensitivity
}

/** The difference between two arms in one metric, paired over the tasks scored in both. */
export interface DifferenceRow extends FamilyFigures, DifferenceSensitivity {
  /** The setting, with its options in brackets if it has some. */
  readonly from: string
  readonly to: string
  /** The id of the arm `to`. `fromArm` is the id of `from`. */
  readonly arm: string
  readonly fromArm: string
  /**
   * Whether one side is the arm (or model) with which all others are compared: the default, or else the first one.
   * Printed tables contain only such rows.
   */
  readonly againstFirst: boolean
  readonly domain: string
  readonly model: string
  readonly scorer: string
  readonly judge: string
  /** The number of tasks scored in both arms. */
  readonly n: number
  /** The number of groups of tasks that share documents: the independent units of the interval and the test. */
  readonly components: number
  /** Its key. */
  readonly metric: string
  /** `to` minus `from`. */
  readonly mean: number
  /** The 95% interval of this difference alone, to which `pValue` belongs. */
  readonly low: number | null
  readonly high: number | null
  /** Of a sign-flip permutation test. Null for fewer than five components. */
  readonly pValue: number | null
  /** Present when the intervals are too narrow for such scores (see `Measure`). */
  readonly unseenShare?: number
}

/**
 * The difference along one dimension in the primary metric, pooled over all combinations of the others. It is paired over the
 * tasks that all arms of both sides scored.
 */
export interface PooledDifference extends FamilyFigures {
  /** `model`, `setting`, or the name of an option. */
  readonly dimension: string
  /** The values of the dimension. */
  readonly from: string
  readonly to: string
  /** Over how many combinations of the other dimensions it is pooled, and which of them differ: `['setting']`. */
  readonly combinations: number
  readonly over: readonly string[]
  readonly scorer: string
  readonly judge: string
  /** As in `DifferenceRow`. */
  readonly metric: string
  readonly n: number
  readonly components: number
  readonly mean: number
  readonly low: number | null
  readonly high: number | null
  readonly pValue: number | null
  readonly unseenShare?: number
}

/** The ends between which a difference lies. */
export interface DifferenceRange {
  readonly least: number
  readonly most: number
}

/** The unscored attempts behind a difference, and what they could change. */
export interface UnscoredSensitivity {
  readonly from: number
  readonly to: number
  /** Those of both arms that the content filter of a provider stopped. */
  readonly filteredFrom: number
  readonly filteredTo: number
  /** The difference with the unscored attempts of one arm as the worst and of the other as the best value. Null: no such values. */
  readonly extremes: DifferenceRange | null
}

/** Avg@N, Max@N, Min@N and Pass@N of a metric, over the tasks with at least N scored trials. */
export interface TrialRow extends GroupKey {
  readonly domain: string
  readonly metric: string
  /** N. */
  readonly trials: number
  readonly tasks: number
  readonly average: number
  /** The expected best value of N trials: the lowest when lower is better. */
  readonly maximum: number
  /** The expected worst value of N trials: the highest when lower is better. */
  readonly minimum: number
  /** The probability that at least one of N trials has an answer that can be read. */
  readonly answeredRate: number | null
  /** Pass@N: the probability that at least one of N trials is a success. Null when no task has N trials with a known success. */
  readonly successRate: number | null
}

/** An axis of a radar chart, which is a column of its table. */
interface RadarAxis {
  /** The key of its metric. */
  readonly metric: string
  readonly label: string
}

/** The mean of an arm in one metric. */
export interface RadarCell extends Pick<Measure, 'mean' | 'low' | 'high' | 'unseenShare'> {
  /** The number of scored attempts with a value. */
  readonly n: number
  /** The number of groups of tasks that share documents: the units of the interval. */
  readonly components: number
}

/** An arm with a cell for each axis. */
export interface RadarRow extends Pick<GroupKey, 'setting' | 'model' | 'options'> {
  /** The id of the arm. */
  readonly arm: string
  readonly unscored: number
  readonly cells: readonly RadarCell[]
}

/** A table whose columns are the axes of a radar chart, for one scorer and judge. */
export interface RadarTable {
  /** The id of its layout, with a number for further scorings. */
  readonly id: string
  readonly title: string
  readonly source: string
  readonly scorer: string
  readonly judge: string
  readonly axes: readonly RadarAxis[]
  readonly unit: MetricUnit
  /** The bounds that all axes share. Null when they differ or are unknown, so that no chart can be drawn. */
  readonly range: readonly [least: number, most: number] | null
  readonly rows: readonly RadarRow[]
  readonly remark: string
}

/** The difference between two arms over the same tasks, with its 95% interval and p-value over components. */
export interface ArmDifference {
  readonly mean: number
  readonly low: number | null
  readonly high: number | null
  readonly components: number
  readonly pValue: number | null
  readonly unseenShare?: number
}

/** What RAG loses against whole documents on a domain, split by cause. Shares are 0..1. Null when an arm was not run. */
export interface DegradationRow extends Pick<GroupKey, 'model' | 'scorer' | 'judge'> {
  readonly domain: string
  /** The options of the rag arm, without its control. */
  readonly options: ArmOptions
  /** Its key. */
  readonly metric: string
  /** The number of tasks scored in every arm that was run. */
  readonly n: number
  readonly offline: number
  readonly rag: number
  readonly oracle: number | null
  readonly random: number | null
  /** offline - rag: the whole loss. When lower is better, these four differences are reversed. */
  readonly total: ArmDifference
  /** offline - oracle: the loss from the smaller context. */
  readonly lessContext: ArmDifference | null
  /** oracle - rag: the loss from imperfect retrieval. */
  readonly retrieval: ArmDifference | null
  /** rag - random: the gain of retrieval over random chunks. */
  readonly earned: ArmDifference | null
}

/** The classes of lost items. `unknown`: the loss cannot be classified without the evidence or the documents. */
export type LossClass = Exclude<CellClass, 'correct'> | 'unknown'

/** Where one arm lost gold items: recall and the share of each loss class. */
export interface WaterfallRow {
  readonly setting: string
  readonly domain: string
  readonly model: string
  readonly options: ArmOptions
  readonly scorer: string
  readonly judge: string
  /** Scored attempts. */
  readonly n: number
  /** The recall of gold items, such as cells. Recall and the shares of the classes add up to 1. */
  readonly recall: number
  readonly classes: Readonly<Partial<Record<LossClass, number>>>
  /** Online only: the recall of its found-only control, over the scored attempts of the control. Absent if it was not run. */
  readonly foundOnly?: number
}

/** The items that one arm answered correctly without having been shown them. */
export interface UnseenRow extends GroupKey {
  readonly domain: string
  /** Scored attempts whose records say what the model was shown. */
  readonly n: number
  /** Correct items that were never in view, as a share of the gold items. Averaged within a task first. */
  readonly share: number
  /** The same as a share of the correct items, over all attempts. Null when no item is correct. */
  readonly shareOfCorrect: number | null
  /** The share of these items that the same model answers correctly closed-book. Null without such items or attempts. */
  readonly alsoClosedBook: number | null
}

/** How far the search for evidence can be trusted, by scoring. Items are distinct items of the gold. */
export interface FindabilityRow extends Pick<GroupKey, 'scorer' | 'judge'> {
  /** Items of the scored tasks. */
  readonly items: number
  /** Items of the class `no-evidence` in at least one attempt. */
  readonly unfindable: number
  /** Of these, items that another attempt with documents answers correctly: the search missed their evidence. */
  readonly correctElsewhere: number
  /** `correctElsewhere` divided by `unfindable`. Null when every item was found. */
  readonly errorRate: number | null
  /** Items of the class `unread` in at least one attempt. */
  readonly unread: number
}

/** How many searches or fetches of one arm failed, over all of its attempts with such counts. */
export interface ToolFailureRow {
  readonly setting: string
  readonly model: string
  readonly options: ArmOptions
  readonly tool: ToolKind
  readonly calls: number
  readonly failed: number
  /** `failed` divided by `calls`. */
  readonly share: number
  /** Failed calls by error class, the most frequent first. */
  readonly classes: Readonly<Record<string, number>>
}

/** A line of a figure: `y` against `x`, for one arm and domain. */
export interface Curve {
  readonly figure: 'evidence-recall' | 'context' | 'budget'
  readonly setting: string
  readonly domain: string
  readonly model: string
  readonly options: ArmOptions
  /** The scorer of `y`. Null when `y` is not a score. */
  readonly scorer: string | null
  readonly judge: string | null
  /** What the axes measure, such as `k` and `evidenceRecall`. */
  readonly x: string
  readonly y: string
  readonly points: readonly { readonly x: number; readonly y: number }[]
}

/** How well repeated scorings of the same attempts agree in a metric (AOE paper, Figure 7). */
export interface StabilityRow {
  readonly scorer: string
  readonly judge: string
  readonly repeats: number
  readonly metric: string
  /** Attempts scored in every repeat. */
  readonly n: number
  readonly pearson: number | null
  readonly spearman: number | null
  /** Items that a judge scored, and how many of them got different scores in the repeats. The same for all metrics. */
  readonly judgedCells: number
  readonly flippedCells: number
}

/** An attempt that a reader should look at first, with the sentences that explain its score. */
export interface ExplainedAttempt extends GroupKey {
  readonly attemptId: string
  readonly taskId: string
  readonly trial: number
  /** The key of the primary metric, and its value. */
  readonly metric: string
  readonly value: number | null
  readonly sentences: readonly string[]
}

/** How many attempts ended for one reason, with the mean of the primary metric over them. */
export interface EndCounts {
  readonly cause: string
  readonly reason: string
  readonly n: number
  /** As a share of the setting's attempts. */
  readonly share: number
  /** Attempts that did not fail (see `hasFailed`). Reports print them as completed. */
  readonly passed: number
  /** The key of the primary metric, and its mean; null without scores. */
  readonly metric: string | null
  readonly mean: number | null
  /** The bounds of the mean where a judge left items without a rating. Absent when there are none. */
  readonly bounds?: { readonly low: number; readonly high: number }
}

/** Why the attempts of a setting ended, with all its models and options together. */
export interface TerminationRow extends EndCounts {
  readonly setting: string
  /** The id of the setting's arm. Null when the setting has several arms. */
  readonly arm: string | null
}

/** Why the attempts of one arm ended. */
export interface EndRow extends TerminationRow {
  readonly model: string
  readonly options: ArmOptions
  readonly arm: string
  readonly scorer: string
  readonly judge: string
  /** Attempts that failed: n - passed. */
  readonly failed: number
  /** As a share of the arm's failures. Null without failures. */
  readonly shareOfFailures: number | null
}
