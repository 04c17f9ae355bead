import type { AIMessage } from '@langchain/core/messages'
import type { StructuredToolInterface } from '@langchain/core/tools'
import { storedText } from '../logs/blobs.ts'
import { ProviderError } from '../src/core/errors.ts'
import { smallerCap } from '../src/models/call-limits.ts'
import { defaultRetry, untilAborted, withRetry } from '../src/system/retry.ts'
import type { AttemptRun } from './attempt-run.ts'
import type { MeteredKind, Reservation } from './budget.ts'
import type { Conversation } from './conversation.ts'
import { type ModelAnswer, readModelAnswer } from './model-answer.ts'

export interface ModelTurnOptions {
  /** Bound to the model; none where tools go through text. */
  readonly tools: readonly StructuredToolInterface[]
  /** Local count of what the tools' descriptions add to the request. */
  readonly toolTokens: number
  /** No tool may be called any more. */
  readonly final: boolean
  /** A cap on the output beside the user's and what the budget leaves; null: none. */
  readonly maxOutputTokens: number | null
}

export interface ModelTurn {
  readonly message: AIMessage
  readonly answer: ModelAnswer
  /** The kind of budget that the provider billed beyond its reservation; the attempt ends. Null: none. */
  readonly overrun: MeteredKind | null
}

/**
 * One turn of the model: reserve, ask, settle; asked again after failures that this can mend, each request charged.
 * Rejects with BudgetRefusedError, ProviderError, the signal's reason, or a bug.
 */
export async function callModel(
  run: AttemptRun,
  conversation: Conversation,
  options: ModelTurnOptions,
): Promise<ModelTurn> {
  const { clock } = run.environment
  const request = {
    localInputTokens: conversation.tokens() + options.toolTokens,
    maxOutputTokens: smallerCap(run.environment.maxOutputTokens, options.maxOutputTokens),
    exclusive: true,
    what: 'model call',
  }
  run.failing = null
  return await withRetry(
    async () => {
      run.signal.throwIfAborted()
      const reservation = run.meter.reserve(request)
      const turn = await ask(run, conversation, options, reservation)
      run.failing = null
      return turn
    },
    {
      ...defaultRetry,
      clock,
      signal: run.signal,
      onRetry(error, retry, waitMs) {
        // A provider that keeps failing ends the attempt as itself, not as the budget its retries used up.
        if (!run.meter.affords(request)) throw error
        const reason = error instanceof ProviderError ? error.reason : error.message
        run.emit({ type: 'provider-retried', what: 'model call', reason, retry, waitMs })
        run.usage.waits(clock.now(), waitMs)
      },
    },
  )
}

async function ask(
  run: AttemptRun,
  conversation: Conversation,
  options: ModelTurnOptions,
  reservation: Reservation,
): Promise<ModelTurn> {
  const { model, clock, keepText } = run.environment
  const sent = capToSend(run, reservation)
  run.emit({
    type: 'model-called',
    messages: conversation.takeUnreported(keepText),
    tools: options.final ? [] : options.tools.map(tool => tool.name),
    reservedTokens: reservation.inputTokens + (reservation.maxOutputTokens ?? 0),
    maxOutputTokens: sent,
  })
  run.usage.modelCalled()
  const askedAt = clock.now()
  let waits = false
  let message: AIMessage
  try {
    message = await untilAborted(
      model.call(conversation.messages(), {
        tools: options.tools,
        maxOutputTokens: sent,
        signal: run.signal,
        // An attempt whose time runs out while it waits for its provider ends by its provider.
        held(by, waitedMs) {
          waits = by !== null
          run.failing = by
          if (by === null) run.usage.waits(clock.now() - waitedMs, waitedMs)
        },
        ...(options.final ? { toolChoice: 'none' as const } : {}),
      }),
      run.signal,
    )
  } catch (error) {
    const answered = error instanceof ProviderError ? error.answer : null
    if (answered !== null) settle(run, answered, reservation, clock.now() - askedAt)
    else if (!waits && isCutOff(run, error)) {
      // Its input was sent, and nobody tells what it was billed.
      run.usage.modelCutOff()
      reservation.settle(null, 0)
    } else reservation.release()
    if (error instanceof ProviderError) run.failing = error
    throw error
  }
  return settle(run, message, reservation, clock.now() - askedAt)
}

/** Whether a request was given up while the provider may have been at work on it. */
export function isCutOff(run: AttemptRun, error: unknown): boolean {
  return run.signal.aborted || (error instanceof ProviderError && error.reason === 'timeout')
}

export function settle(
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
 * The cap that goes out with a request. Providers reject a cap beyond what their model can put out, so one that can't
 * bind (the window or the model's own limit is reached first) is not sent.
 */
export function capToSend(run: AttemptRun, reservation: Reservation): number | null {
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
