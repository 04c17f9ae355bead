import type { MetricDefinition } from '../../core/metric.ts'
import type { MetricBounds } from '../../core/score.ts'
import type { Table } from '../../core/table.ts'
import type { Figure } from '../figures/figure.ts'
import type { ReportArm } from '../model/report.ts'

/** A name and its value, in reading order. */
export type Fact = readonly [name: string, value: string]

/** What was run: everything that a reader needs to judge or to repeat the numbers. */
export interface RunFacts {
  /** The name of the run's folder. */
  readonly name: string
  readonly runId: string
  /** ISO 8601. Null when unknown. */
  readonly startedAt: string | null
  readonly facts: readonly Fact[]
  /** What may differ from another run: every option by its flag, and the versions of inputs and programs. */
  readonly options?: readonly Fact[]
  /** The command line that made the run, ready to be pasted. Null for imported logs. */
  readonly command: string | null
  readonly bibtex: string
}

/** An arm in the page. */
export interface PageArm extends ReportArm {
  /** The index in `PageData.runs` of its run, or of the first one when several runs have attempts of the arm. */
  readonly run: number
  /** Whether it is a control, such as random chunks. */
  readonly isControl: boolean
}

/** A task in the page. */
export interface PageTask {
  readonly id: string
  /** The value of the facet that the report groups by. */
  readonly domain: string
  /** The language of the task, as in `lang="zh"`. */
  readonly language: string
  /** The question, cut at 300 characters. Empty when the tasks are not available. */
  readonly question: string
}

/** What a reader filters attempts by, besides their values. Flags are bits of `AttemptColumns.flags`. */
export const attemptFlags = {
  /** The attempt has no score. */
  unscored: 1,
  /** It is in the leak ledger. */
  tainted: 2,
  /** It ended because a budget was spent. */
  budget: 4,
  /** It has no readable answer. */
  unanswered: 8,
} as const

/** The attempts as columns: the same index in every list is the same attempt. */
export interface AttemptColumns {
  readonly id: readonly string[]
  /** Indexes into `PageData.tasks` and `PageData.arms`. */
  readonly task: readonly number[]
  readonly arm: readonly number[]
  readonly trial: readonly number[]
  /** Indexes into `endings`. */
  readonly ending: readonly number[]
  /** `cause / reason`. */
  readonly endings: readonly string[]
  readonly flags: readonly number[]
  /** The share of the task's documents that were opened. Null when unknown. */
  readonly opened: readonly (number | null)[]
  readonly tokens: readonly (number | null)[]
  readonly usd: readonly (number | null)[]
  readonly wallMs: readonly (number | null)[]
  /** The values of each metric of the page, by its key. Null when unscored or unknown. */
  readonly values: Readonly<Record<string, readonly (number | null)[]>>
  /** The bounds of metrics that items without a rating could move, by attempt id. Absent: none. */
  readonly bounds?: Readonly<Record<string, MetricBounds>>
}

/** Returns the bounds of a metric of an attempt. Null when every item is rated, or none without a rating could move it. */
export function findAttemptBounds(
  { bounds, id }: AttemptColumns,
  at: number,
  { key }: MetricDefinition,
): MetricBounds[string] | null {
  const metricBounds = bounds?.[id[at] ?? '']?.[key] ?? null
  return metricBounds === null || metricBounds.low === metricBounds.high ? null : metricBounds
}

/** The tables and figures that answer one question. */
export interface PageSection {
  readonly id: string
  readonly title: string
  readonly figures: readonly Figure[]
  readonly tables: readonly Table[]
}

/** The difference of an arm to its baseline. */
export interface BaselineDifference {
  /** The baseline: an index into `PageData.arms`. */
  readonly from: number
  readonly mean: number
  readonly low: number | null
  readonly high: number | null
  readonly pValue: number | null
}

/** An arm's mean of the primary metric over the tasks that all arms scored, for the first screen. */
export interface ArmResult {
  /** An index into `PageData.arms`. */
  readonly arm: number
  readonly mean: number | null
  readonly low: number | null
  readonly high: number | null
  /** Present when the interval is too narrow for such scores. */
  readonly isNarrow?: boolean
  /** The mean over all tasks of the arm, and n. Present when the arms scored different tasks. */
  readonly ownTasks?: { readonly mean: number | null; readonly n: number }
  /** What the right keys with empty cells get at the same tasks, and what the gold gets. Absent when unknown. */
  readonly floor?: number
  readonly ceiling?: number
  /** Shares of the scored attempts. */
  readonly answered: number | null
  readonly success: number | null
  readonly n: number
  readonly unscored: number
  readonly tasks: number
  /** Means per attempt. Null when unknown; `usd` also when nothing was paid. */
  readonly usd: number | null
  readonly tokens: number | null
  readonly wallMs: number | null
  /** What all scored attempts spent, divided by their correct items. Null when unknown. */
  readonly usdPerItem: number | null
  readonly wallMsPerItem: number | null
  /**
   * The arm minus its baseline over the tasks that both scored, with the simultaneous interval and the corrected p-value.
   * Null without such tasks, and when nothing is compared.
   */
  readonly difference: BaselineDifference | 'baseline' | null
  /** The items that a judge did not rate, and the mean with these counted as wrong and as right. Bounds are null without any. */
  readonly unratedItems: number
  readonly bounds: { readonly low: number; readonly high: number } | null
  /** The number of groups of tasks that share documents. Null when nothing was scored. */
  readonly components: number | null
  /** The share of correct items; null when unknown. */
  readonly recall: number | null
  /** The share of lost items by class, in the order of the loss ledger. Empty when unknown. */
  readonly losses: readonly (readonly [name: string, share: number])[]
}

/** A comparison of two arms in words. */
export interface ComparisonSentence {
  /** The difference and its interval. */
  readonly claim: string
  /** The test, the tasks and the main loss. */
  readonly detail: string
}

/** All data of the page, except those of single attempts. It is embedded once, as JSON. */
export interface PageData {
  readonly title: string
  readonly runs: readonly RunFacts[]
  /** The facet that the report groups by, in words: `domain`. */
  readonly facet: string
  /** The scorer and judge of all values: `scorer aoe, judge rules`. */
  readonly scoring: string
  /** The metrics of `attempts.values`, the primary metric first. Empty when nothing was scored. */
  readonly metrics: readonly MetricDefinition[]
  readonly arms: readonly PageArm[]
  readonly results: readonly ArmResult[]
  readonly sentences: readonly ComparisonSentence[]
  readonly warnings: readonly string[]
  readonly remarks: readonly string[]
  readonly tasks: readonly PageTask[]
  readonly attempts: AttemptColumns
  readonly sections: readonly PageSection[]
}
