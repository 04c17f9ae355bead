import { basename } from 'node:path'
import { AIMessage, type BaseMessage, type UsageMetadata } from '@langchain/core/messages'
import { ConfigError, DataError, ProviderError, type ProviderReason } from '../core/errors.ts'
import type { ModelCallOptions, ModelHandle } from '../core/model.ts'
import { systemClock } from '../core/runtime.ts'
import { defaultRequestTimeoutMs, smallerCap, tooLate } from './call-limits.ts'
import { countMessageTokens } from './message-tokens.ts'
import { countOutputTokens, setUsage } from './message-usage.ts'
import type { AttemptIdentity, ModelOptions, ModelSource, ModelSpec } from './model-source.ts'
import { judgeFailure, needsOperator } from './provider-errors.ts'
import {
  isProviderReason,
  readScript,
  type ScriptError,
  type ScriptPattern,
  type ScriptTurn,
} from './script-file.ts'
import { countTokensCheaply, cutToTokens } from './token-count.ts'

/**
 * A model that plays the turns of a JSON Lines file; an attempt takes the line that fits it most closely and its last
 * turn repeats. A failed turn counts as played. Rejects with ConfigError or DataError for a file that does not fit.
 */
export async function createScripted(spec: ModelSpec, options: ModelOptions): Promise<ModelSource> {
  if (spec.name === '') throw new ConfigError("'scripted' needs a file: scripted:FILE")
  const patterns = await readScript(spec.name)
  // Records hold no paths.
  const name = `scripted:${basename(spec.name)}`
  const price = options.prices?.[name] ?? options.prices?.scripted ?? null
  return {
    name,
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
  throw new DataError(`${name} has no line for task ${attempt.taskId}, setting ${attempt.setting}`)
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
    if (delayMs > timeoutMs) throw tooLate(name, timeoutMs)
    if (turn.error !== undefined) throw scriptedFailure(name, turn.error)
    return answer(turn, number, messages, call, options)
  }
}

function answer(
  turn: ScriptTurn,
  number: number,
  messages: readonly BaseMessage[],
  call: ModelCallOptions,
  options: ModelOptions,
): AIMessage {
  const cap = smallerCap(call.maxOutputTokens, options.maxOutputTokens)
  const full = turn.text ?? ''
  const text = turn.usage === undefined && cap !== null ? cutToTokens(full, cap) : full
  const calls = (turn.toolCalls ?? []).map((one, index) => ({ ...one, id: `call_${number}_${index}` }))
  const ended = text.length < full.length ? 'length' : calls.length > 0 ? 'tool_calls' : 'stop'
  const message = new AIMessage({
    content: text,
    tool_calls: calls.flatMap(({ id, name, args }) =>
      typeof args === 'string'
        ? []
        : [{ id, name, args: (args ?? {}) as Record<string, unknown>, type: 'tool_call' }],
    ),
    invalid_tool_calls: calls.flatMap(({ id, name, args }) =>
      typeof args === 'string' ? [{ id, name, args, error: 'no JSON', type: 'invalid_tool_call' }] : [],
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
  const told = turn.usage
  const input = told?.inputTokens ?? countMessageTokens(messages)
  const output = told?.outputTokens ?? countOutputTokens(text, turn.toolCalls)
  return {
    input_tokens: input,
    output_tokens: output,
    total_tokens: input + output,
    input_token_details: { cache_read: told?.cachedInputTokens ?? 0 },
    output_token_details: { reasoning: told?.reasoningTokens ?? 0 },
  }
}

const mends: ReadonlySet<ProviderReason> = new Set(['rate-limited', 'unavailable', 'timeout'])

/** A reason's name, an HTTP status (alone or before its words), or an object of both. */
function scriptedFailure(name: string, error: ScriptError): ProviderError {
  const given = typeof error === 'object' ? error : {}
  const words = typeof error === 'object' ? (error.message ?? '') : String(error)
  const status = given.status ?? (/^[45]\d\d\b/.test(words) ? Number(words.slice(0, 3)) : null)
  const named = given.reason ?? (isProviderReason(words) ? words : null)
  const judged =
    named !== null
      ? ([named, mends.has(named)] as const)
      : status !== null
        ? judgeFailure({ status, text: words, retryAfterMs: null })
        : (['unavailable', true] as const)
  return new ProviderError(judged[0], `${name}: ${words === '' ? judged[0] : words}`, {
    retryable: given.retryable ?? judged[1],
    retryAfterMs: given.retryAfterMs ?? null,
    fatalService: needsOperator(judged[0], { status, text: words }) ? name : null,
  })
}
