import type { FirstMeans, FirstMeasures } from './first-report.ts'

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
