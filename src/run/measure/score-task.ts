import type { Attempt } from '../../core/attempt.ts'
import type { Score } from '../../core/score.ts'
import type { Task } from '../../core/task.ts'
import type { Judge } from '../../score/judge/judge.ts'
import { scoreAttempt } from '../../score/score-attempt.ts'
import { scoreExtractionAttempt } from '../../score/score-extraction-attempt.ts'

export interface TaskToScore {
  readonly attempt: Attempt
  /** The final text as the model wrote it; null when there is none. */
  readonly answerText: string | null
  readonly task: Task
  /** How a table is scored; an extraction has a scoring of its own. */
  readonly profile: string
  readonly judge: Judge
  readonly infrastructureFailures: number
}

/** Scores one attempt by what its task asks for: a table, or JSON by a schema. */
export async function scoreTask(input: TaskToScore): Promise<Score> {
  const { task, profile, ...common } = input
  const { gold, question } = task
  if (gold.kind === 'json') return await scoreExtractionAttempt({ ...common, gold })
  if (gold.kind === 'text') throw new Error('no scorer of text answers')
  return await scoreAttempt({ ...common, gold, profile, query: question.query })
}
