import type { AIMessage } from '@langchain/core/messages'
import type { StructuredToolInterface } from '@langchain/core/tools'
import { storedText } from '../logs/blobs.ts'
import { ProviderError } from '../src/core/errors.ts'
import type { ModelCallOptions } from '../src/core/model.ts'
import { smallerCap } from '../src/models/call-limits.ts'
import { judgeByNumbers } from '../src/models/context-refusals.ts'
import { type ModelAnswer, readModelAnswer } from '../src/models/model-answer.ts'
import { defaultRetry, untilAborted, withRetry } from '../src/system/retry.ts'
import type { AttemptRun } from './attempt-run.ts'
import type { MeteredKind, Reservation } from './budget.ts'
import type { Conversation } from './conversation.ts'

interface ModelTurnOptions {
  /** The tools bound to the model. Empty when tools are offered through text. */
  readonly tools: readonly StructuredToolInterface[]
  /** Local tokens that the tools' descriptions add to the request. */
  readonly toolTokens: number
  /** Whether the model must answer without calling tools. */
  readonly final: boolean
  /** A cap on the output in addition to the user's cap and the budget; null for none. */
  readonly maxOutputTokens: number | null
  /** The strict JSON Schema that the server makes the answer follow. Absent: any text. */
  readonly responseSchema?: Readonly<Record<string, unknown>>
  /** What a side request is for, such as `state-note`. Absent for a turn of the agent. */
  readonly side?: string
}

/** One turn of the model. */
export interface ModelTurn {
  readonly message: AIMessage
  readonly answer: ModelAnswer
  /** The kind of budget that the provider billed beyond its reservation, which ends the attempt; null for none. */
  readonly overrun: MeteredKind | null
}

/**
 * Runs one turn of the model: reserves the budget, sends the request and settles the bill. Failures that may pass are
 * retried, and each request is charged.
 *
 * @throws BudgetRefusedError, ProviderError, or the reason of the aborted signal
 */
export async function callModel(
  run: AttemptRun,
  conversation: Conversation,
  options: ModelTurnOptions,
): Promise<ModelTurn> {
  const request = {
    localInputTokens: conversation.tokens() + options.toolTokens,
    maxOutputTokens: smallerCap(run.environment.maxOutputTokens, options.maxOutputTokens),
    exclusive: true,
    what: 'model call',
  }
  run.lastInputTokens = request.localInputTokens
  run.failing = null
  return await retryModelCall(
    run,
    async () => {
      run.signal.throwIfAborted()
      const reservation = run.meter.reserve(request)
      const turn = await ask(run, conversation, options, reservation)
      run.failing = null
      return turn
    },
    run.signal,
    () => run.meter.affords(request),
  )
}

/**
 * Makes a model call, and repeats it after temporary failures while that is possible. A provider that keeps failing then
 * ends the attempt with its own error, not with the budget that the retries used up.
 */
export async function retryModelCall<T>(
  run: AttemptRun,
  call: (retry: number) => Promise<T>,
  signal: AbortSignal,
  canRepeat: () => boolean,
): Promise<T> {
  const { clock } = run.environment
  return await withRetry(call, {
    ...defaultRetry,
    clock,
    signal,
    onRetry(error, retry, waitMs) {
      if (!canRepeat()) throw error
      const reason = error instanceof ProviderError ? error.reason : error.message
      run.emit({ type: 'provider-retried', what: 'model call', reason, retry, waitMs })
      run.usage.waits(clock.now(), waitMs)
    },
  })
}

/**
 * Records that a request waits because the provider refused others; null when the wait is over. When the time runs out
 * during the wait, the cause of the attempt's end is the provider.
 */
export function recordWait(run: AttemptRun, by: ProviderError | null, waitedMs: number): void {
  run.failing = by
  if (by === null) run.usage.waits(run.environment.clock.now() - waitedMs, waitedMs)
}

async function ask(
  run: AttemptRun,
  conversation: Conversation,
  options: ModelTurnOptions,
  reservation: Reservation,
): Promise<ModelTurn> {
  const { model, clock, keepText } = run.environment
  const sent = outputCapToSend(run, reservation)
  run.emit({
    type: 'model-called',
    ...(options.side === undefined ? {} : { side: options.side }),
    messages: conversation.takeUnreported(keepText),
    tools: options.final ? [] : options.tools.map(tool => tool.name),
    reservedTokens: reservation.inputTokens + (reservation.maxOutputTokens ?? 0),
    maxOutputTokens: sent,
  })
  run.usage.modelCalled()
  const askedAt = clock.now()
  let isWaiting = false
  const callOptions: ModelCallOptions = {
    tools: options.tools,
    maxOutputTokens: sent,
    signal: run.signal,
    held(by, waitedMs) {
      isWaiting = by !== null
      recordWait(run, by, waitedMs)
    },
    ...(options.final ? { toolChoice: 'none' as const } : {}),
    ...(options.responseSchema === undefined ? {} : { responseSchema: options.responseSchema }),
  }
  let message: AIMessage
  try {
    message = await untilAborted(model.call(conversation.messages(), callOptions), run.signal)
  } catch (cause) {
    const error = judgeByNumbers(cause, run.lastInputTokens)
    const wasSent = !isWaiting && isCutOff(run, error)
    settleFailure(run, error, reservation, { wasSent, wallMs: clock.now() - askedAt })
    throw error
  }
  return settleAnswer(run, message, reservation, clock.now() - askedAt)
}

/** Settles the reservation of a request that failed. */
function settleFailure(
  run: AttemptRun,
  error: unknown,
  reservation: Reservation,
  { wasSent, wallMs }: { readonly wasSent: boolean; readonly wallMs: number },
): void {
  const answered = error instanceof ProviderError ? error.answer : null
  if (answered !== null) settleAnswer(run, answered, reservation, wallMs)
  else settleUnanswered(run, reservation, { wasSent })
  if (error instanceof ProviderError) run.failing = error
}

/**
 * Settles the reservation of a request without an answer. When it was sent, the provider may have worked on it, and the bill
 * is unknown.
 *
 * @param outputTokens of the part of the answer that arrived
 * @returns the budget that the request has exceeded; null for none
 */
export function settleUnanswered(
  run: AttemptRun,
  reservation: Reservation,
  { wasSent, outputTokens = 0 }: { readonly wasSent: boolean; readonly outputTokens?: number },
): ReturnType<Reservation['settle']> {
  if (!wasSent) {
    reservation.release()
    return null
  }
  run.usage.modelCutOff()
  return reservation.settle(null, outputTokens)
}

/** Returns whether a request was given up while the provider may have been working on it. */
export function isCutOff(run: AttemptRun, error: unknown): boolean {
  return run.signal.aborted || (error instanceof ProviderError && error.reason === 'timeout')
}

/**
 * Charges an answer and writes its event. `wallMs` is the time from the request to the answer.
 *
 * @returns the turn of the model
 */
export function settleAnswer(
  run: AttemptRun,
  message: AIMessage,
  reservation: Reservation,
  wallMs: number,
): ModelTurn {
  const { model, keepText } = run.environment
  const answer = readModelAnswer(message)
  const store = { put: keepText }
  run.usage.modelAnswered(answer.usage)
  run.emit({
    type: 'model-answered',
    text: storedText(answer.text, store),
    reasoning: answer.reasoning === null ? null : storedText(answer.reasoning, store),
    toolCalls: answer.calls.map(({ id, name, args }) => ({ id, name, args })),
    malformedCalls: answer.malformed.map(call => ({ ...call, args: call.args.slice(0, 4_000) })),
    finishReason: answer.finishReason,
    usage: answer.usage,
    wallMs: Math.max(0, Math.round(wallMs)),
  })
  const billedOutput = answer.usage?.outputTokens ?? null
  const localOutput = billedOutput === null ? localOutputTokens(answer, text => model.countTokens(text)) : 0
  return { message, answer, overrun: reservation.settle(answer.usage, localOutput) }
}

/**
 * Returns the output cap to send with a request; null to send none. Providers reject a cap beyond the limit
 * of their model. A cap is therefore not sent when the context window or the model's limit is reached first.
 */
export function outputCapToSend(run: AttemptRun, reservation: Reservation): number | null {
  const { maxOutputTokens } = reservation
  const { contextWindow, outputLimit } = run.environment.model
  if (maxOutputTokens === null) return null
  if (outputLimit !== null && outputLimit !== undefined && maxOutputTokens >= outputLimit) return outputLimit
  if (contextWindow !== null && maxOutputTokens >= contextWindow - reservation.inputTokens) return null
  return maxOutputTokens
}

/** Counts the tokens of an answer that the provider did not report. */
export function localOutputTokens(answer: ModelAnswer, countTokens: (text: string) => number): number {
  const calls = answer.calls.map(call => `${call.name} ${JSON.stringify(call.args)}`)
  const malformed = answer.malformed.map(call => `${call.name} ${call.args}`)
  return countTokens([answer.reasoning ?? '', answer.text, ...calls, ...malformed].join('\n'))
}
