import type { AIMessage } from '@langchain/core/messages'
import { z } from 'zod/v4'
import { ProviderError } from '../core/errors.ts'
import { isObject } from '../text/json.ts'
import { type BilledUsage, readTokens, reconcileUsage } from '../text/reported-usage.ts'
import { failureWordsOf, isErrorValue } from './failure-body.ts'
import { plainFinishReason } from './finish-reason.ts'
import { reasoningFieldsOf } from './message-reasoning.ts'
import { setUsage, usageOf } from './message-usage.ts'
import { providerError } from './provider-errors.ts'
import { type InvalidCall, repairMessage } from './repair-message.ts'

const text = z.string().nullish().catch(null)
const message = z.looseObject({ refusal: text })
const completion = z.looseObject({
  choices: z
    .array(
      z.looseObject({
        // Some versions of SGLang send { "type": "stop" }.
        finish_reason: z
          .union([z.string(), z.looseObject({ type: z.string() })])
          .nullish()
          .catch(null),
        error: z.unknown().optional(),
        message,
      }),
    )
    .min(1),
  usage: z.unknown().optional(),
})

/** The parts of a completion that LangChain's converter drops. */
export interface CompletionFacts {
  refusal: string | null
  /** The reasoning by its field, as the server sent it. */
  reasoning: Record<string, unknown>
  finishReason: string | null
  /** The error inside the choice; null when there is none. */
  error: unknown
  invalidCalls: InvalidCall[]
  /** Null when the server reports no usage. */
  usage: BilledUsage | null
}

/**
 * Reads the first choice of a chat completion, repairs its message in place and returns what LangChain would drop.
 *
 * @param blank creates an empty answer, on which the usage of a failed request is reported
 * @throws ProviderError `bad-response` or another reason when the body has no choice, with the billed usage if it is known
 */
export function readCompletion(name: string, body: unknown, blank: () => AIMessage): CompletionFacts {
  addMissingMessage(body)
  const parsed = completion.safeParse(body)
  if (!parsed.success) {
    const text = JSON.stringify(body) ?? ''
    const answer = usageAnswer(body, blank)
    if (isWithoutChoice(body))
      throw new ProviderError('unavailable', `${name}: the server answered without a choice`, {
        ...{ retryable: true, answer, cause: parsed.error },
      })
    // MiniMax, Zhipu and Qianfan give the cause in members of their own.
    const facts = { status: 200, text, retryAfterMs: null, answer, hint: 'no chat completion' }
    throw providerError(name, facts, parsed.error)
  }
  const choice = (body as { choices: { message: Record<string, unknown>; finish_reason: unknown }[] })
    .choices[0]!
  const checked = parsed.data.choices[0]!
  const reason = checked.finish_reason
  const finishReason = typeof reason === 'object' ? (reason?.type ?? null) : (reason ?? null)
  const invalidCalls = repairMessage(choice.message)
  choice.finish_reason = finishReason
  return {
    refusal: nonEmpty(choice.message.refusal),
    reasoning: reasoningFieldsOf({ additional_kwargs: choice.message }),
    finishReason,
    error: isErrorValue(checked.error) ? checked.error : null,
    invalidCalls,
    usage: reconcileUsage(readTokens(parsed.data.usage)),
  }
}

/** Whether a body has a list of choices that is empty, and no words about a failure. */
function isWithoutChoice(body: unknown): boolean {
  if (!isObject(body) || !('choices' in body)) return false
  const isEmpty = body.choices === null || (Array.isArray(body.choices) && body.choices.length === 0)
  return isEmpty && failureWordsOf(body) === ''
}

/** Adds the message that Gemini leaves out when its model ends without any text. */
function addMissingMessage(body: unknown): void {
  const first: unknown = isObject(body) && Array.isArray(body.choices) ? body.choices[0] : null
  if (!isObject(first) || typeof first.finish_reason !== 'string') return
  first.message ??= {}
}

/** Returns an empty answer with the billed usage; null when the body reports no usage. */
function usageAnswer(body: unknown, blank: () => AIMessage): AIMessage | null {
  const billed = isObject(body) ? reconcileUsage(readTokens(body.usage)) : null
  return billed === null ? null : setUsage(blank(), billed)
}

/** Finish reasons of answers that the server broke off. The last two are those of DeepSeek and Zhipu. */
const brokenOffReasons = new Set(['error', 'abort', 'insufficient_system_resource', 'network_error'])

/**
 * Throws when the server broke the answer off. The error contains the answer and its usage.
 *
 * @throws ProviderError `unavailable`, or the reason of the error inside the answer
 */
export function throwIfBrokenOff(
  name: string,
  { finishReason, error }: CompletionFacts,
  answer: AIMessage,
): void {
  const ended = finishReason === null ? null : plainFinishReason(finishReason)
  if (ended === 'content_filter') return
  // A router that reached no model bills nothing and reports no usage.
  if (error !== null) throw embeddedError(name, error, usageOf(answer) === null ? null : answer)
  if (ended === null || !brokenOffReasons.has(ended)) return
  throw new ProviderError('unavailable', `${name}: the server broke its answer off (${finishReason})`, {
    retryable: true,
    answer,
  })
}

/** Returns the error inside a body with status 200. Its `code` may be another HTTP status. */
export function embeddedError(name: string, error: unknown, answer: AIMessage | null = null): ProviderError {
  const code = isObject(error) ? Number(error.code ?? error.status_code) : Number.NaN
  const status = Number.isInteger(code) && code >= 400 && code < 600 ? code : 200
  const words = typeof error === 'string' ? error : JSON.stringify(error)
  return providerError(name, { status, text: words, retryAfterMs: null, answer })
}

function nonEmpty(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null
}
