import type { z } from 'zod/v4'
import { withoutRefused } from '../../logs/redact-command.ts'
import { ConfigError } from '../core/errors.ts'
import { describeExpectation } from '../core/option-values.ts'

/**
 * Checks the value of a flag.
 *
 * @throws ConfigError [invalid-option], whose message begins with the flag
 */
export function flagValue<T>(flag: string, schema: z.ZodType<T>, given: unknown): T {
  try {
    const parsed = schema.safeParse(given)
    if (parsed.success) return parsed.data
    throw new ConfigError(`'${String(given)}' is not valid: ${describeExpectation(parsed.error)}`, {
      code: 'invalid-option',
    })
  } catch (error) {
    if (error instanceof ConfigError)
      throw new ConfigError(`${flag}: ${withoutRefused(error.message, given)}`, {
        code: error.code ?? 'invalid-option',
      })
    throw error
  }
}
