import { readFile } from 'node:fs/promises'
import { z } from 'zod/v4'
import { ConfigError, DataError, type ProviderReason } from '../core/errors.ts'
import { notAmong } from '../core/nearest.ts'
import { zodProblemOf } from '../core/zod-problems.ts'

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

export const turnSchema = z.strictObject({
  text: z.string().optional(),
  /** `args` as a string stands for arguments that are no JSON. */
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
export type ScriptTurn = z.infer<typeof turnSchema>
export type ScriptError = z.infer<typeof errorSchema>

export const patternSchema = z.strictObject({
  taskId: z.string().optional(),
  setting: z.string().optional(),
  turns: z.array(turnSchema).min(1, 'an attempt needs at least one turn'),
})
/** The turns of the attempts that it fits; an absent taskId or setting fits all. */
export type ScriptPattern = z.infer<typeof patternSchema>

/** True where an error names one of the provider's reasons. */
export function isProviderReason(text: string): text is ProviderReason {
  return (providerReasons as readonly string[]).includes(text)
}

/** Reads a script, JSON Lines. ConfigError where there is no such file; DataError with the line for what does not fit. */
export async function readScript(file: string): Promise<ScriptPattern[]> {
  let text: string
  try {
    text = await readFile(file, 'utf8')
  } catch (cause) {
    throw new ConfigError(`scripted:${file}: no such file can be read; write scripted:FILE`, { cause })
  }
  const patterns = text
    .replace(/^\uFEFF/, '')
    .split('\n')
    .flatMap((line, index) => (line.trim() === '' ? [] : [readLine(line, `${file}, line ${index + 1}`)]))
  if (patterns.length === 0)
    throw new DataError(`${file}: an empty script; write { "turns": [{ "text": "…" }] }`)
  return patterns
}

function readLine(line: string, place: string): ScriptPattern {
  let value: unknown
  try {
    value = JSON.parse(line)
  } catch (cause) {
    throw new DataError(`${place}: no JSON object (${(cause as Error).message})`, { cause })
  }
  const parsed = patternSchema.safeParse(value)
  if (parsed.success) return parsed.data
  throw new DataError(
    `${place}: ${unknownKey(parsed.error.issues[0]!) ?? zodProblemOf(parsed.error, 'the line')}`,
  )
}

/** Which key is unknown, with the nearest; null where something else is wrong. */
function unknownKey(issue: z.core.$ZodIssue): string | null {
  if (issue.code !== 'unrecognized_keys') return null
  const known = issue.path.length === 0 ? patternSchema : issue.path.includes('error') ? null : turnSchema
  const names = known === null ? [] : Object.keys(known.shape)
  const where = issue.path.length === 0 ? '' : `${issue.path.join('.')}: `
  return `${where}unknown key ${names.length === 0 ? `'${issue.keys.join("', '")}'` : notAmong(issue.keys[0]!, names)}`
}
