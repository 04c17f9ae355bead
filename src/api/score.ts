import type { ScoringOptions } from '../config/scoring-config.ts'
import type { Score } from '../core/score.ts'
import type { JudgeFunction } from '../score/judge/function-judge.ts'
import { loadPluginsOf, type PluginsOption } from './plugins.ts'
import type { TaskToScore } from './task-to-score.ts'

/**
 * How an answer is scored.
 *
 * @example
 * import type { ScoreOptions } from 'tablehunt'
 *
 * const options: ScoreOptions = { scorer: 'strict', judge: 'none' }
 */
export interface ScoreOptions extends Omit<ScoringOptions, 'scorer' | 'judge'>, PluginsOption {
  /** The name of a scorer. Absent: the first of the task's benchmark, or of all, that takes its kind of gold. */
  readonly scorer?: string
  /**
   * `rules` (default), `none`, a model as on the command line (`PROVIDER:NAME` or `PROVIDER:NAME@URL`), or a function that
   * receives a prompt and returns the model's reply.
   */
  readonly judge?: string | JudgeFunction
  /** Aborts requests to the judge. */
  readonly signal?: AbortSignal
}

/**
 * What an answer is worth: a line of scores.jsonl without the fields that describe an attempt. The `class` of cells and
 * items is null, because classes depend on what an attempt was shown.
 *
 * @example
 * import type { AnswerScore } from 'tablehunt'
 *
 * const isRight = (score: AnswerScore): boolean => score.success === true
 */
export type AnswerScore = Omit<
  Score,
  | 'attemptId'
  | 'setting'
  | 'model'
  | 'variant'
  | 'trial'
  | 'infrastructureFailures'
  | 'checkpoints'
  | 'unseenItems'
  | 'explanation'
> & {
  /** Why the score is what it is, in plain sentences. */
  readonly explanation: readonly string[]
}

/**
 * Scores an answer by the gold of its task, without a run or a folder.
 *
 * @param answer the answer as the model wrote it, null when there is none; for a task with several turns a list of them,
 * one for each question
 * @param task a task of `loadTasks`, or `{ question, gold }` with a question in words
 * @returns shares of 0 to 1 in `metrics`; `status` is `unscored` only when the judge failed
 * @throws ConfigError [invalid-answer, several-scorers, unknown-option, unknown-scorer, wrong-scorer, needs-judge-model, plugin-not-found]
 * DataError [invalid-record, empty-gold, unknown-column, key-and-target, numeric-not-target, invalid-scoring]
 * RunError [provider-failed, judge-failed]
 *
 * @example
 * import { score } from 'tablehunt'
 *
 * const task = {
 *   question: 'Which hospitals are there, and how many beds has each?',
 *   gold: {
 *     kind: 'table' as const,
 *     keyColumns: ['hospital'],
 *     targetColumns: ['beds'],
 *     numericColumns: ['beds'],
 *     rows: [
 *       { hospital: 'North', beds: 120 },
 *       { hospital: 'South', beds: 80 },
 *     ],
 *   },
 * }
 * const { metrics, cells } = await score('hospital,beds\nNorth,120\nSouth,90', task, { scorer: 'strict' })
 * console.log(metrics.cellF1) // 0.5
 * console.log(cells.filter(cell => cell.score !== 1)) // South: 80 expected, 90 found
 */
export async function score(
  answer: string | null | readonly (string | null)[],
  task: TaskToScore,
  options: ScoreOptions = {},
): Promise<AnswerScore> {
  await loadPluginsOf(options.plugins)
  const { scoreAnswer } = await import('./score-answer.ts')
  return await scoreAnswer(answer, task, options)
}
