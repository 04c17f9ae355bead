import type { AIMessage, UsageMetadata } from '@langchain/core/messages'
import { z } from 'zod/v4'
import { ProviderError } from '../core/errors.ts'
import { isObject } from '../core/is-object.ts'
import { isFailure } from './failure-body.ts'
import { plainFinishReason } from './finish-reason.ts'
import { type BrokenCall, mendMessage } from './mend-message.ts'
import { setUsage, usageOf, withReasoning } from './message-usage.ts'
import { providerError } from './provider-errors.ts'

const text = z.string().nullish().catch(null)
const count = z
  .union([z.number().min(0), z.string().regex(/^\d+$/).transform(Number)])
  .nullish()
  .catch(null)
const usage = z.looseObject({
  prompt_tokens: count,
  completion_tokens: count,
  total_tokens: count,
  // DeepSeek's name for the cached ones.
  prompt_cache_hit_tokens: count,
  prompt_tokens_details: z.looseObject({ cached_tokens: count }).nullish().catch(null),
  completion_tokens_details: z.looseObject({ reasoning_tokens: count }).nullish().catch(null),
})
const message = z.looseObject({ refusal: text, reasoning: text, reasoning_content: text })
const completion = z.looseObject({
  choices: z
    .array(
      z.looseObject({
        // SGLang once said { "type": "stop" }.
        finish_reason: z
          .union([z.string(), z.looseObject({ type: z.string() })])
          .nullish()
          .catch(null),
        error: z.unknown().optional(),
        message,
      }),
    )
    .min(1),
  usage: usage.nullish().catch(null),
})

/** What LangChain's converter drops of a completion and we keep. */
export interface CompletionFacts {
  refusal: string | null
  reasoning: string | null
  finishReason: string | null
  /** A failure that stands inside the choice; null: none. */
  error: unknown
  brokenCalls: BrokenCall[]
  usage: z.infer<typeof usage> | null
}

/**
 * Reads the first choice of a chat completion, mends its message in place and gives what the converter would lose.
 * Throws ProviderError (bad-response) where there is none, with what was billed all the same.
 * @param blank makes the answer of nothing that carries such a bill
 */
export function readCompletion(name: string, body: unknown, blank: () => AIMessage): CompletionFacts {
  fillSilence(body)
  const parsed = completion.safeParse(body)
  if (!parsed.success) {
    const text = JSON.stringify(body) ?? ''
    const answer = billedOnly(body, blank)
    // MiniMax, Zhipu and Qianfan say in members of their own why there is none.
    const facts = { status: 200, text, retryAfterMs: null, answer, hint: 'no chat completion' }
    throw providerError(name, facts, parsed.error)
  }
  const choice = (body as { choices: { message: Record<string, unknown>; finish_reason: unknown }[] })
    .choices[0]!
  const told = parsed.data.choices[0]!
  const finishReason =
    typeof told.finish_reason === 'object' ? (told.finish_reason?.type ?? null) : (told.finish_reason ?? null)
  const brokenCalls = mendMessage(choice.message)
  choice.finish_reason = finishReason
  return {
    refusal: nonEmpty(choice.message.refusal),
    reasoning: nonEmpty(told.message.reasoning_content) ?? nonEmpty(told.message.reasoning),
    finishReason,
    error: isFailure(told.error) ? told.error : null,
    brokenCalls,
    usage: parsed.data.usage ?? null,
  }
}

/** Gemini leaves the message out where its model ended without a word. */
function fillSilence(body: unknown): void {
  const first: unknown = isObject(body) && Array.isArray(body.choices) ? body.choices[0] : null
  if (!isObject(first) || typeof first.finish_reason !== 'string') return
  first.message ??= {}
}

/** An answer of nothing but its bill; null where the body names none. */
function billedOnly(body: unknown, blank: () => AIMessage): AIMessage | null {
  const told = z.looseObject({ usage }).safeParse(body)
  const billed = told.success ? usageFrom(told.data.usage) : null
  return billed === null ? null : setUsage(blank(), billed)
}

/** What a body says of usage, in LangChain's terms; null where it counts no input, or none at all. */
export function usageFrom(told: CompletionFacts['usage']): UsageMetadata | null {
  // No request is of no tokens: routers that were told no bill print zeros.
  if (typeof told?.prompt_tokens !== 'number' || told.prompt_tokens === 0) return null
  const cached = told.prompt_tokens_details?.cached_tokens ?? told.prompt_cache_hit_tokens
  const reasoning = told.completion_tokens_details?.reasoning_tokens
  // Read as unknown by whoever counts.
  const output = told.completion_tokens ?? Number.NaN
  return withReasoning({
    input_tokens: told.prompt_tokens,
    output_tokens: output,
    total_tokens: told.total_tokens ?? told.prompt_tokens + output,
    ...(typeof cached === 'number' && { input_token_details: { cache_read: cached } }),
    ...(typeof reasoning === 'number' && { output_token_details: { reasoning } }),
  })
}

/** How servers say that they broke an answer off; the last two are DeepSeek's and Zhipu's. */
const brokenOff = new Set(['error', 'abort', 'insufficient_system_resource', 'network_error'])

/** Refuses an answer that the provider itself gave up on; what it was billed goes with the refusal. */
export function requireWhole(
  name: string,
  { finishReason, error }: CompletionFacts,
  answer: AIMessage,
): void {
  const ended = finishReason === null ? null : plainFinishReason(finishReason)
  if (ended === 'content_filter') return
  // A router that reached no model bills nothing and says nothing of usage.
  if (error !== null) throw errorInside(name, error, usageOf(answer) === null ? null : answer)
  if (ended === null || !brokenOff.has(ended)) return
  throw new ProviderError('unavailable', `${name}: the server broke its answer off (${finishReason})`, {
    retryable: true,
    answer,
  })
}

/** The failure that a router, or a server of its own, put into a body with status 200, its own status as `code`. */
export function errorInside(name: string, error: unknown, answer: AIMessage | null = null): ProviderError {
  const code = isObject(error) ? Number(error.code ?? error.status_code) : Number.NaN
  const status = Number.isInteger(code) && code >= 400 && code < 600 ? code : 200
  const words = typeof error === 'string' ? error : JSON.stringify(error)
  return providerError(name, { status, text: words, retryAfterMs: null, answer })
}

function nonEmpty(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null
}
