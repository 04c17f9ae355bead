import type { ArmOptions } from '../../core/arm.ts'

/** A mean over tasks, with its 95% interval over groups of tasks. The trials of a task are averaged first. */
export interface Measure {
  /** Over scored attempts. Null when none is scored. */
  readonly mean: number | null
  /** The ends of the interval. Null for fewer than five groups of tasks that share documents. */
  readonly low: number | null
  readonly high: number | null
  /**
   * Present when the interval is too narrow for such scores, most of which are near one end of the scale: the share of
   * groups with scores at the other end that could have gone unseen, and would move the mean out of the interval.
   */
  readonly unseenShare?: number
  /**
   * The mean with each unscored attempt counted as the worst value, which is 0 for a share, and each item without a rating
   * as wrong. Null when the metric has no worst value.
   */
  readonly meanUnscoredAsZero: number | null
  /**
   * The mean with each item that a judge did not rate counted as wrong (`low`) and as right (`high`). Null when all items
   * are rated, and when no item without a rating could move the metric.
   */
  readonly bounds: { readonly low: number; readonly high: number } | null
  /** The mean without attempts during which the web or the infrastructure failed. Null when no attempt is left. */
  readonly meanWithoutInfrastructureFailures: number | null
}

/** Means of the discovery records of scored attempts: shares of the task's documents that reached each stage. */
export interface DiscoveryMeans {
  readonly surfaced: number | null
  readonly opened: number | null
  readonly parsed: number | null
  readonly used: number | null
  readonly distractorsOpened: number | null
  /** Of the documents that were judged to be evidence, and of those that contain the answer; null when nobody judged them. */
  readonly judged: { readonly evidence: JudgedMeans; readonly gold: JudgedMeans } | null
}

/** Mean shares of judged documents. */
export interface JudgedMeans {
  readonly surfaced: number | null
  readonly opened: number | null
}

/** An arm under one scorer and judge. Attempts at the same task with the same key are trials. */
export interface GroupKey {
  readonly setting: string
  readonly model: string
  readonly options: ArmOptions
  readonly scorer: string
  readonly judge: string
}

/** A metric over the attempts of a group. Companion metrics have no interval and no bounds (null). */
export interface MetricSummary extends Measure {
  /** The number of scored attempts with a value. */
  readonly n: number
  /** The number of groups of tasks that share documents, among the tasks with a value: the units of the interval. */
  readonly components: number
  /** The mean of what the right keys with empty cells get at the same tasks. Absent when it is unknown for any of them. */
  readonly floor?: number
  /** The mean of what the gold itself gets at the same tasks. Absent like `floor`. */
  readonly ceiling?: number
  /**
   * The share of gold rows whose keys the question or the names of the documents contain. Present for a score that rates the
   * keys alone: the right keys with empty cells get what the gold gets.
   */
  readonly keysGiven?: number
}

/**
 * One arm, over one value of the facet or over all tasks.
 */
export interface ReportGroup extends GroupKey {
  /**
   * A domain, `all` (the mean over tasks) or `allByDomain` (the mean of the domains' means). In `common`, the same over the
   * tasks that all arms scored: `common` and `commonByDomain`.
   */
  readonly domain: string
  /** The id of its arm. */
  readonly arm: string
  readonly tasks: number
  /** Every metric of the scorer by its key, including `answered` and `success`. Empty when nothing was scored. */
  readonly metrics: Readonly<Record<string, MetricSummary>>
  /** Share of scored attempts whose answer could be read. */
  readonly answered: Measure
  /** Share of scored attempts with every item of the gold right, or as --success-at says. */
  readonly success: Measure
  /** The number of attempts: n = scored + unscored. */
  readonly n: number
  readonly scored: number
  readonly unscored: number
  /** The unscored attempts whose scorer failed. Absent when there are none. */
  readonly scorerFailures?: number
  /** The unscored attempts that lacked documents of their tasks. Absent when there are none. */
  readonly lackedDocuments?: number
  /** The unscored attempts that the budget of the whole run ended. Absent when there are none. */
  readonly endedByRunBudget?: number
  /** The items of the scored attempts. */
  readonly items: number
  /** Those of them that a judge did not rate. */
  readonly unratedItems: number
  /** Of the unscored, those without a score record of this scorer and judge. Absent when there are none. */
  readonly missingScores?: number
  /** Scored attempts during which the web or the infrastructure failed. */
  readonly infrastructureFailures: number
  /**
   * Attempts in the leak ledger, which saw gold rows outside the task's documents, or a page that publishes answers. Null
   * when there are none but some attempts could not be checked.
   */
  readonly tainted: number | null
  /** The scores without the tainted attempts. Null when there are none. */
  readonly withoutTainted: { readonly n: number; readonly metrics: Readonly<Record<string, Measure>> } | null
  /** Share of the task's documents that were opened, over scored attempts. `discovery` has the other stages. */
  readonly discoveryRecall: number | null
  readonly discovery: DiscoveryMeans | null
  /** The share of gold items with evidence in the first k chunks, by k. */
  readonly evidenceRecall: Readonly<Record<string, number>> | null
  readonly evidenceInPrompt: number | null
  readonly coverage: number | null
  readonly noise: number | null
  /** Means per attempt, over attempts with a known value. Null when no value is known, or when all known values are 0. */
  readonly tokens: number | null
  readonly modelCalls: number | null
  readonly searchCalls: number | null
  readonly fetchCalls: number | null
  readonly wallMs: number | null
  readonly usd: number | null
  readonly efficiency: Efficiency
}

/** Where tokens, time and money went, as means per attempt. */
export interface Efficiency {
  readonly inputTokens: number | null
  readonly cachedInputTokens: number | null
  readonly outputTokens: number | null
  readonly workingMs: number | null
  readonly usdModel: number | null
  readonly usdSearch: number | null
  readonly usdFetch: number | null
  /** The cost of scoring the attempt with a judge. It is not part of `usd`. */
  readonly usdJudge: number | null
  /** Items with a full score, per scored attempt. */
  readonly correctCells: number | null
  /** What all scored attempts spent, divided by their correct items. Null without correct items or with an unknown cost. */
  readonly tokensPerCorrectCell: number | null
  readonly usdPerCorrectCell: number | null
  readonly wallMsPerCorrectCell: number | null
}
