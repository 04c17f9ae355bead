import { loadPluginsOption } from './plugins.ts'
import type { AnswerScore, ScoreOptions } from './score-answer.ts'
import type { TaskToScore } from './task-to-score.ts'

export type { AnswerScore, ScoreOptions } from './score-answer.ts'

/**
 * Scores an answer against the gold of its task, without a run or a folder.
 *
 * @param answer the text of the answer, or null when there is none; for a conversation a list with one for each question
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
  await loadPluginsOption(options.plugins)
  const { scoreAnswer } = await import('./score-answer.ts')
  return await scoreAnswer(answer, task, options)
}
