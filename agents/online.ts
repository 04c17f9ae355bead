import type { Question } from '../src/core/task.ts'
import { runAgent } from './loop.ts'
import type { SettingEnvironment, SettingOutcome } from './setting.ts'

/** Gives the agent the query and the file names. It must find the documents with its tools. */
export async function runOnline(
  question: Question,
  environment: SettingEnvironment,
): Promise<SettingOutcome> {
  const prompt = environment.prompts.online(question, environment.chainOfThought)
  const concluded = await runAgent(question, environment, prompt)
  return { ...concluded, context: null, retrieval: null, chunks: null }
}
