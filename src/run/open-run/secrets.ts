import { createRedactor } from '../../../logs/redact.ts'
import type { Task } from '../../core/task.ts'

/** Returns the values of environment variables whose names look like keys, such as OPENAI_API_KEY. */
export function listSecrets(env: NodeJS.ProcessEnv): string[] {
  return Object.entries(env).flatMap(([name, value]) =>
    /(_API_KEY|_TOKEN|_SECRET)$/.test(name) && value !== undefined && value.length >= 8 ? [value] : [],
  )
}

/** Returns the questions that their benchmark encrypts. A run treats them like secrets when it writes its folder. */
export function encryptedQuestions(tasks: readonly Task[]): string[] {
  return tasks.flatMap(({ canary, question }) =>
    canary === undefined ? [] : [question.query, ...(question.turns ?? []).map(({ query }) => query)],
  )
}

/** Removes texts from the strings of a record. */
export type CleanRecord = <T>(record: T) => T

/** Returns a function that removes encrypted questions from records. It changes nothing when there is none. */
export function questionRemover(questions: readonly string[]): CleanRecord {
  return questions.length === 0 ? record => record : createRedactor(questions).value
}
