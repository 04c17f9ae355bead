import { z } from 'zod/v4'
import { ConfigError, DataError, type ProviderReason } from '../core/errors.ts'
import { describeUnknownName } from '../core/nearest-name.ts'
import { zodProblemOf } from '../core/zod-problems.ts'
import { readTextFile } from '../system/files.ts'

const count = z.int().min(0)
const providerReasons = [
  'rate-limited',
  'unavailable',
  'timeout',
  'auth',
  'content-filter',
  'bad-response',
  'context-window',
] as const satisfies readonly ProviderReason[]

const errorSchema = z.union([
  z.string(),
  z.int().min(400).max(599),
  z.strictObject({
    reason: z.enum(providerReasons).optional(),
    status: z.int().min(400).max(599).optional(),
    message: z.string().optional(),
    retryable: z.boolean().optional(),
    retryAfterMs: count.optional(),
  }),
])

/** The schema of one answer of a scripted model. */
export const turnSchema = z.strictObject({
  text: z.string().optional(),
  /** A string in `args` stands for arguments that are not valid JSON. */
  toolCalls: z.array(z.strictObject({ name: z.string(), args: z.unknown().optional() })).optional(),
  usage: z
    .strictObject({
      inputTokens: count,
      cachedInputTokens: count.optional(),
      outputTokens: count,
      reasoningTokens: count.optional(),
    })
    .optional(),
  delayMs: z.number().min(0).optional(),
  error: errorSchema.optional(),
  reasoning: z.string().optional(),
  refusal: z.string().optional(),
  finishReason: z.string().optional(),
})
/** One answer of a scripted model. */
export type ScriptTurn = z.infer<typeof turnSchema>

/** The failure of a scripted turn: a reason, an HTTP status with or without a message, or an object of both. */
export type ScriptError = z.infer<typeof errorSchema>

/** The schema of one line of a script. */
export const patternSchema = z.strictObject({
  taskId: z.string().optional(),
  setting: z.string().optional(),
  turns: z.array(turnSchema).min(1, 'an attempt needs at least one turn'),
})
/** The turns for some attempts. A pattern without a taskId or a setting applies to all of them. */
export type ScriptPattern = z.infer<typeof patternSchema>

/** Whether a text is the name of a ProviderError reason. */
export function isProviderReason(text: string): text is ProviderReason {
  return (providerReasons as readonly string[]).includes(text)
}

/**
 * Reads a script in JSON Lines.
 *
 * @throws ConfigError `script-not-found`
 * @throws DataError `empty-script`, or `invalid-script`, whose message names the line
 */
export async function readScript(file: string): Promise<ScriptPattern[]> {
  let text: string
  try {
    text = await readTextFile(file)
  } catch (cause) {
    throw new ConfigError(`scripted:${file}: the file cannot be read. Write scripted:FILE.`, {
      code: 'script-not-found',
      cause,
    })
  }
  const patterns = text
    .split('\n')
    .flatMap((line, index) => (line.trim() === '' ? [] : [readLine(line, `${file}, line ${index + 1}`)]))
  if (patterns.length === 0)
    throw new DataError(`${file}: the script is empty. Write lines such as { "turns": [{ "text": "…" }] }.`, {
      code: 'empty-script',
    })
  return patterns
}

const fix = 'Correct the line. Its form is { "turns": [{ "text": "…" }] }. See docs/scripted-models.md.'

function readLine(line: string, place: string): ScriptPattern {
  let value: unknown
  try {
    value = JSON.parse(line)
  } catch (cause) {
    throw new DataError(`${place}: not a JSON object (${(cause as Error).message}). ${fix}`, {
      code: 'invalid-script',
      cause,
    })
  }
  const parsed = patternSchema.safeParse(value)
  if (parsed.success) return parsed.data
  throw new DataError(
    `${place}: ${unknownKeyProblem(parsed.error.issues[0]!) ?? zodProblemOf(parsed.error, 'the line')}. ${fix}`,
    { code: 'invalid-script' },
  )
}

/** Names an unknown key and the most similar known one. Returns null for any other problem. */
function unknownKeyProblem(issue: z.core.$ZodIssue): string | null {
  if (issue.code !== 'unrecognized_keys') return null
  const known = issue.path.length === 0 ? patternSchema : issue.path.includes('error') ? null : turnSchema
  const names = known === null ? [] : Object.keys(known.shape)
  const where = issue.path.length === 0 ? '' : `${issue.path.join('.')}: `
  return `${where}unknown key ${names.length === 0 ? `'${issue.keys.join("', '")}'` : describeUnknownName(issue.keys[0]!, names)}`
}
