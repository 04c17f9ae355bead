import type { Question } from '../src/core/task.ts'
import { agents } from './agent-registry.ts'
import type { SettingEnvironment, SettingOutcome } from './setting.ts'

/** Gives the task to the attempt's agent, or to our own. */
export async function runOnline(
  question: Question,
  environment: SettingEnvironment,
): Promise<SettingOutcome> {
  const agent = environment.agent ?? agents.get('tablehunt')
  return await agent.run(question, environment)
}
