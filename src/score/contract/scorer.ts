import type { z } from 'zod/v4'
import type { Gold } from '../../core/gold.ts'
import type { AnswerKindName, MetricDefinition, MetricValues } from '../../core/metric.ts'
import type { Clock } from '../../core/runtime.ts'
import type { JudgeUsage, MetricBounds, Score } from '../../core/score.ts'
import type { Question } from '../../core/task.ts'
import type { Termination } from '../../core/termination.ts'
import { clipText } from '../../text/plain-text.ts'
import { type Judge, rulesJudge } from './judge.ts'

/**
 * The input of a scorer for one answer. Each turn of a conversation is scored on its own.
 *
 * @example
 * import type { ScoringInput } from 'tablehunt'
 *
 * const wordsOf = ({ answerText }: ScoringInput): number => answerText?.split(/\s+/).length ?? 0
 */
export interface ScoringInput<G extends Gold = Gold> {
  /** The final text as the model wrote it; null when there is none. */
  readonly answerText: string | null
  readonly question: Question
  readonly gold: G
  /** `gold.scoring` as validated by the scorer's `configuration`; undefined when the scorer has none. */
  readonly configuration: unknown
  readonly judge: Judge
  readonly clock: Clock
  /** How the attempt ended, for explanations. */
  readonly termination: Termination
}

/**
 * The result of a scorer for an answer that it could score.
 *
 * @example
 * import type { Scored } from 'tablehunt'
 *
 * const primaryOf = ({ metrics }: Scored): number | null => metrics.cellF1 ?? null
 */
export interface Scored {
  readonly status: 'scored'
  /** An answer of the asked kind could be read. */
  readonly answered: boolean
  /** A value for each key of the scorer's `metrics`. */
  readonly metrics: MetricValues
  /** Every unit of gold, in the gold's order. Classes are null; they are set later. Scorers of tables return cells. */
  readonly items: Score['items'] | Score['cells']
  /**
   * The least and the greatest value of metrics that items without a rating could move. Absent: they follow from the share of
   * such items.
   */
  readonly bounds?: MetricBounds
  /** Whether every item of the gold is right. By default, an item is right when its score is 1. */
  readonly success?: boolean
  /** Sentences that explain the score. When empty, the record says how the attempt ended. */
  readonly explanation: readonly string[]
  /** Whole numbers behind the metrics, such as `goldRows`. */
  readonly counts: Readonly<Record<string, number>>
  readonly judgeUsage: JudgeUsage
  /** Ratings of the whole answer by a judge model. */
  readonly overall?: Score['overall']
  /** What an extraction by a schema records besides its items. */
  readonly extract?: Score['extract']
}

/**
 * The result when a judge failed on everything, or when the metric is not defined for an answer. The attempt stays unscored.
 *
 * @example
 * import type { NotScored } from 'tablehunt'
 *
 * const notScored: NotScored = {
 *   status: 'unscored',
 *   answered: true,
 *   judgeUsage: { calls: 3, callsSaved: 0, inputTokens: 900, outputTokens: 0, usd: null },
 * }
 */
export interface NotScored {
  readonly status: 'unscored'
  readonly answered: boolean
  /** Why there is no value, when the metric is not defined for the answer. Absent: the judge failed. */
  readonly undefinedBecause?: string | undefined
  readonly judgeUsage: JudgeUsage
  /** Whole numbers that figures over several attempts need. Absent: none. */
  readonly counts?: Readonly<Record<string, number>>
}

/** A scorer, and the name by which records refer to it. */
export interface NamedScorer {
  readonly name: string
  readonly scorer: Scorer
}

/**
 * A way to score an answer by the gold; a new one is one file and one line in the registry, or a plug-in's entry.
 *
 * @example
 * import { definePlugin, type Scorer } from 'tablehunt'
 *
 * const exact: Scorer = {
 *   summary: 'right when the answer is one of the references, letter by letter',
 *   kind: 'text',
 *   metrics: [
 *     {
 *       ...{ key: 'exact', label: 'exact', unit: 'share', better: 'higher', primary: true, role: 'score' },
 *       description: 'The answer equals a reference.',
 *       range: [0, 1],
 *     },
 *   ],
 *   async score({ answerText, gold }) {
 *     const references = gold.kind === 'text' ? gold.references : []
 *     const predicted = answerText?.trim() ?? null
 *     const exact = predicted !== null && references.includes(predicted) ? 1 : 0
 *     const judgeUsage = { calls: 0, callsSaved: 0, inputTokens: 0, outputTokens: 0, usd: 0 }
 *     return {
 *       status: 'scored',
 *       answered: predicted !== null,
 *       metrics: { exact },
 *       items: [{ id: '0', index: 0, gold: references[0]!, predicted, score: exact, rule: 'equal', class: null }],
 *       ...{ explanation: [], counts: {}, judgeUsage },
 *     }
 *   },
 * }
 * export default definePlugin({ scorers: { exact } })
 */
export interface Scorer {
  /** One line for `--help`. */
  readonly summary: string
  /** One line that says which differences it forgives, for `tasks check`, runs and reports. Absent: the summary says so. */
  readonly forgives?: string
  /** The kind of gold that the scorer takes. */
  readonly kind: AnswerKindName
  /** The metrics. Exactly one is primary. */
  readonly metrics: readonly MetricDefinition[]
  /** The scorer needs a judge model; a run without one is refused. */
  readonly needsJudgeModel?: boolean
  /** False when the scorer never asks the judge. It then receives the judge `rules`, and its records name that judge. */
  readonly usesJudge?: false
  /** Validates `gold.scoring`; absent when the scorer takes no configuration. */
  readonly configuration?: z.ZodType
  /**
   * `tasks check` explains why a gold gets less than 100 by the check of its kind, which knows this scorer. Absent: it
   * compares the figures of the gold with 100.
   */
  readonly hasGoldCheck?: true
  /** Writes the gold as an answer. Absent: the scorer reads the form that every answer of its kind may have. */
  writeGold?(gold: Gold): string
  /**
   * Scores one answer. Called for every attempt, even without an answer, unless the provider, the harness or the
   * operator ended it. Must not throw for any answer.
   */
  score(input: ScoringInput): Promise<Scored | NotScored>
  /**
   * Scores a file of reference cases of the published code, for `score FILE`. Yields one JSON line { id, metrics, error }
   * for each case. Absent when the scorer has no such cases.
   */
  referenceCases?(file: string): AsyncGenerator<string>
}

/** Returns the name of the judge in a scorer's records. Without a judge it is `rules`, so that `--judge` adds no scores. */
export function nameRecordedJudge({ usesJudge }: Scorer, judge: string): string {
  return usesJudge === false ? rulesJudge.name : judge
}

/** Records keep at most this many characters of a text. */
const recordedChars = 4000

/** Shortens a long gold or predicted text for a record. */
export function clipRecordedText(text: string): string {
  return clipText(text, recordedChars)
}
