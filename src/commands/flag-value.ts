import type { z } from 'zod/v4'
import { withoutRefused } from '../../logs/redact-command.ts'
import { ConfigError } from '../core/errors.ts'
import { describeExpectation } from '../core/option-values.ts'

/**
 * Checks the value of a flag.
 *
 * @throws ConfigError [invalid-option], whose message begins with the flag
 */
export function readFlagValue<T>(flag: string, schema: z.ZodType<T>, input: unknown): T {
  try {
    const parsed = schema.safeParse(input)
    if (parsed.success) return parsed.data
    throw new ConfigError(`'${String(input)}' is not valid: ${describeExpectation(parsed.error)}`, {
      code: 'invalid-option',
    })
  } catch (error) {
    if (error instanceof ConfigError)
      throw new ConfigError(`${flag}: ${withoutRefused(error.message, input)}`, {
        code: error.code ?? 'invalid-option',
      })
    throw error
  }
}
