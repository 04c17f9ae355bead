import { basename } from 'node:path'
import { AIMessage, type BaseMessage, type UsageMetadata } from '@langchain/core/messages'
import { z } from 'zod/v4'
import { ConfigError, DataError, ProviderError, type ProviderReason } from '../core/errors.ts'
import type { ModelHandle } from '../core/model.ts'
import { describeUnknownName } from '../core/nearest-name.ts'
import { systemClock } from '../core/runtime.ts'
import { describeZodProblem } from '../core/zod-problems.ts'
import { readTextFile } from '../system/files.ts'
import { canonicalJson, sha256 } from '../system/hash.ts'
import { defaultRequestTimeoutMs, smallerCap, timeoutError } from './call-limits.ts'
import { countMessageTokens, countOutputTokens, setUsage } from './message-usage.ts'
import type { AttemptIdentity, ModelOptions, ModelSource, ModelSpec } from './model-source.ts'
import { judgeFailure, needsOperator } from './provider-errors.ts'
import { countTokensCheaply, cutToTokens } from './token-count.ts'

/**
 * Creates a model that plays the turns of a JSON Lines file. Each attempt uses the most specific line for its task and
 * setting. The last turn repeats, and a failed turn counts as played.
 *
 * @throws ConfigError `missing-script` or `script-not-found`
 * @throws DataError `empty-script` or `invalid-script`
 */
export async function createScripted(spec: ModelSpec, options: ModelOptions): Promise<ModelSource> {
  if (spec.name === '')
    throw new ConfigError("'scripted' needs a file. Write scripted:FILE.", { code: 'missing-script' })
  const patterns = await readScript(spec.name)
  // Records contain no paths.
  const name = `scripted:${basename(spec.name)}`
  const price = options.prices?.[name] ?? options.prices?.scripted ?? null
  return {
    name,
    answersSha256: sha256(canonicalJson(patterns)),
    describe: () => ({
      name,
      contextWindow: options.contextWindow ?? null,
      price,
      patterns: patterns.length,
    }),
    forAttempt: attempt => {
      const player = newPlayer(name, () => findPattern(name, patterns, attempt), options)
      return {
        name,
        contextWindow: options.contextWindow ?? null,
        nativeTools: options.toolProtocol !== 'text',
        price,
        countTokens: countTokensCheaply,
        call: player,
      }
    },
  }
}

/** The setting, and also the task, of lines that a judge plays. */
const judgeSetting = 'judge'

/** The setting of lines that answer at checkpoints. */
const checkpointSetting = 'checkpoint'

function findPattern(
  name: string,
  patterns: readonly ScriptPattern[],
  attempt: AttemptIdentity,
): ScriptPattern {
  let best: ScriptPattern | null = null
  let bestRank = -1
  for (const pattern of patterns) {
    if (pattern.taskId !== undefined && pattern.taskId !== attempt.taskId) continue
    if (pattern.setting !== undefined && pattern.setting !== attempt.setting) continue
    const rank = (pattern.taskId === undefined ? 0 : 2) + (pattern.setting === undefined ? 0 : 1)
    if (rank > bestRank) {
      best = pattern
      bestRank = rank
    }
  }
  if (best !== null) return best
  const problem =
    attempt.setting === judgeSetting
      ? 'no line for a judge. Add a line with "setting": "judge" and without taskId: it rates the answers of all tasks (docs/scripted-models.md).'
      : attempt.setting === checkpointSetting
        ? `no line for checkpoints of task ${attempt.taskId}. Add a line with "setting": "checkpoint" (docs/scripted-models.md).`
        : `no line for task ${attempt.taskId}, setting ${attempt.setting}. Add one, or remove taskId and setting from a line.`
  throw new DataError(`${name} has ${problem}`, { code: 'no-script-for-attempt' })
}

function newPlayer(name: string, findTurns: () => ScriptPattern, options: ModelOptions): ModelHandle['call'] {
  let played = 0
  return async (messages, call) => {
    const { turns } = findTurns()
    const turn = turns[Math.min(played, turns.length - 1)]!
    const timeoutMs = options.requestTimeoutMs ?? defaultRequestTimeoutMs
    const number = ++played
    const { delayMs = 0 } = turn
    call.signal.throwIfAborted()
    if (delayMs > 0) await systemClock.sleep(Math.min(delayMs, timeoutMs), call.signal)
    if (delayMs > timeoutMs) throw timeoutError(name, timeoutMs)
    if (turn.error !== undefined) throw scriptedFailure(name, turn.error)
    const cap = smallerCap(call.maxOutputTokens, options.maxOutputTokens)
    return answer(turn, number, messages, cap)
  }
}

function answer(
  turn: ScriptTurn,
  number: number,
  messages: readonly BaseMessage[],
  cap: number | null,
): AIMessage {
  const full = turn.text ?? ''
  const text = turn.usage === undefined && cap !== null ? cutToTokens(full, cap) : full
  const calls = (turn.toolCalls ?? []).map((call, index) => ({ ...call, id: `call_${number}_${index}` }))
  const ended = text.length < full.length ? 'length' : calls.length > 0 ? 'tool_calls' : 'stop'
  const message = new AIMessage({
    content: text,
    tool_calls: calls.flatMap(({ id, name, args }) =>
      typeof args === 'string'
        ? []
        : [{ id, name, args: (args ?? {}) as Record<string, unknown>, type: 'tool_call' }],
    ),
    invalid_tool_calls: calls.flatMap(({ id, name, args }) =>
      typeof args === 'string'
        ? [{ id, name, args, error: 'not valid JSON', type: 'invalid_tool_call' }]
        : [],
    ),
    response_metadata: { finish_reason: turn.finishReason ?? ended },
    additional_kwargs: {
      ...(turn.refusal !== undefined && { refusal: turn.refusal }),
      ...(turn.reasoning !== undefined && { reasoning_content: turn.reasoning }),
    },
  })
  return setUsage(message, usage(turn, text, messages))
}

function usage(turn: ScriptTurn, text: string, messages: readonly BaseMessage[]): UsageMetadata {
  const scripted = turn.usage
  const input = scripted?.inputTokens ?? countMessageTokens(messages)
  const output = scripted?.outputTokens ?? countOutputTokens(text, turn.toolCalls)
  return {
    input_tokens: input,
    output_tokens: output,
    total_tokens: input + output,
    input_token_details: { cache_read: scripted?.cachedInputTokens ?? 0 },
    output_token_details: { reasoning: scripted?.reasoningTokens ?? 0 },
  }
}

const retryableReasons: ReadonlySet<ProviderReason> = new Set(['rate-limited', 'unavailable', 'timeout'])

/** Creates the error of a turn from the name of a reason, an HTTP status with or without words, or an object of both. */
function scriptedFailure(name: string, error: ScriptError): ProviderError {
  const fields = typeof error === 'object' ? error : {}
  const words = typeof error === 'object' ? (error.message ?? '') : String(error)
  const status = fields.status ?? (/^[45]\d\d\b/.test(words) ? Number(words.slice(0, 3)) : null)
  const named = fields.reason ?? (isProviderReason(words) ? words : null)
  const judged =
    named !== null
      ? ([named, retryableReasons.has(named)] as const)
      : status !== null
        ? judgeFailure({ status, text: words, retryAfterMs: null })
        : (['unavailable', true] as const)
  return new ProviderError(judged[0], `${name}: ${words === '' ? judged[0] : words}`, {
    retryable: fields.retryable ?? judged[1],
    retryAfterMs: fields.retryAfterMs ?? null,
    status,
    fatalService: needsOperator(judged[0], { status, text: words, retryAfterMs: null }) ? name : null,
  })
}

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
type ScriptTurn = z.infer<typeof turnSchema>

/** The failure of a scripted turn: a reason, an HTTP status with or without a message, or an object of both. */
type ScriptError = z.infer<typeof errorSchema>

/** The schema of one line of a script. */
export const patternSchema = z.strictObject({
  taskId: z.string().optional(),
  setting: z.string().optional(),
  turns: z.array(turnSchema).min(1, 'an attempt needs at least one turn'),
})
/** The turns for some attempts. A pattern without a taskId or a setting applies to all of them. */
type ScriptPattern = z.infer<typeof patternSchema>

/** Whether a text is the name of a ProviderError reason. */
function isProviderReason(text: string): text is ProviderReason {
  return (providerReasons as readonly string[]).includes(text)
}

/**
 * Reads a script in JSON Lines.
 *
 * @throws ConfigError `script-not-found`
 * @throws DataError `empty-script`, or `invalid-script`, whose message names the line
 */
async function readScript(file: string): Promise<ScriptPattern[]> {
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
    `${place}: ${unknownKeyProblem(parsed.error.issues[0]!) ?? describeZodProblem(parsed.error, 'the line')}. ${fix}`,
    { code: 'invalid-script' },
  )
}

/** Names an unknown key and the most similar known one. Returns null for any other problem. */
function unknownKeyProblem(issue: z.core.$ZodIssue): string | null {
  if (issue.code !== 'unrecognized_keys') return null
  const schema = issue.path.length === 0 ? patternSchema : issue.path.includes('error') ? null : turnSchema
  const names = schema === null ? [] : Object.keys(schema.shape)
  const where = issue.path.length === 0 ? '' : `${issue.path.join('.')}: `
  return `${where}unknown key ${names.length === 0 ? `'${issue.keys.join("', '")}'` : describeUnknownName(issue.keys[0]!, names)}`
}
