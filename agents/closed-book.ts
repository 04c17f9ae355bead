import type { Question } from '../src/core/task.ts'
import { openAttemptRun } from './attempt-run.ts'
import { conclude } from './conclude.ts'
import type { SettingEnvironment, SettingOutcome } from './setting.ts'
import { askAll, canThinkAloud, promptSize } from './single-request.ts'

/** Asks the question without documents and tools, to measure what a model already knows. */
export async function runClosedBook(
  question: Question,
  environment: SettingEnvironment,
): Promise<SettingOutcome> {
  const run = openAttemptRun(environment)
  const prompt = environment.prompts.closedBook(question, canThinkAloud(environment))
  const tokens = (): number => promptSize(environment.model, prompt)
  const concluded = await conclude(run, question, () =>
    askAll(run, question, 'memory', () => ({ prompt, tokens })),
  )
  return { ...concluded, context: null, retrieval: null, chunks: null }
}
