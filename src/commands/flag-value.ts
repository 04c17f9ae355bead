import type { z } from 'zod/v4'
import { ConfigError } from '../core/errors.ts'

/** The value of a flag by its schema; ConfigError naming the flag for one that does not fit. */
export function flagValue<T>(flag: string, schema: z.ZodType<T>, given: unknown): T {
  try {
    const parsed = schema.safeParse(given)
    if (parsed.success) return parsed.data
    throw new ConfigError(parsed.error.issues[0]?.message ?? 'not valid')
  } catch (error) {
    if (error instanceof ConfigError)
      throw new ConfigError(`${flag}: ${error.message}`, error.code === null ? {} : { code: error.code })
    throw error
  }
}
