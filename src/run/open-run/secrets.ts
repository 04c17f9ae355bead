import { isAgentCommand, splitCommand } from '../../../agents/external/agent-definition.ts'
import { createRedactor } from '../../../logs/redact.ts'
import { registerCommand } from '../../../logs/redact-command.ts'
import type { RunConfig } from '../../config.ts'
import type { Task } from '../../core/task.ts'
import {
  registerAddress,
  registerEnvironment,
  registerSecret,
  registerVariable,
  secretParameter,
} from '../../system/secret-values.ts'

/** Registers the secrets in the environment and in the options of a run. What a run opens registers the secrets that it reads. */
export function registerRunSecrets(config: RunConfig, env: NodeJS.ProcessEnv): void {
  const { agent, agents, ...openOptions } = config
  registerEnvironment(env)
  registerAddress(config.queue)
  for (const field of config.requestField) {
    const at = field.indexOf('=')
    if (secretParameter.test(field.slice(0, at))) registerSecret(field.slice(at + 1))
  }
  for (const value of agent) if (isAgentCommand(value)) registerCommand(splitCommand(value))
  // Values such as the name of a model are part of records.
  const openText = JSON.stringify([openOptions, Object.keys(agents)])
  for (const { command, env: variables = [] } of Object.values(agents)) {
    registerCommand(command)
    const values = Array.isArray(variables)
      ? variables.map(name => [name, env[name] ?? ''] as const)
      : Object.entries(variables)
    for (const [name, value] of values) registerVariable(name, value, openText)
  }
}

/** Returns the questions that their benchmark encrypts. A run treats them like secrets when it writes its folder. */
export function listEncryptedQuestions(tasks: readonly Task[]): string[] {
  return tasks.flatMap(({ canary, question }) =>
    canary === undefined ? [] : [question.query, ...(question.turns ?? []).map(({ query }) => query)],
  )
}

/** Removes texts from the strings of a record. */
export type CleanRecord = <T>(record: T) => T

/** Returns a function that removes encrypted questions from records. It changes nothing when there is none. */
export function makeQuestionRemover(questions: readonly string[]): CleanRecord {
  return questions.length === 0 ? record => record : createRedactor(questions).value
}
