import { type AIMessage, type BaseMessage, HumanMessage } from '@langchain/core/messages'
import type { StructuredToolInterface } from '@langchain/core/tools'
import { storedText } from '../logs/blobs.ts'
import type { CallUsage } from '../logs/event-parts.ts'
import { DataError, ProviderError } from '../src/core/errors.ts'
import type { TokenPrice } from '../src/core/model.ts'
import { messageText, readModelAnswer } from '../src/models/model-answer.ts'
import { defaultRetry, untilAborted, withRetry } from '../src/system/retry.ts'
import type { AttemptRun } from './attempt-run.ts'
import type { Conversation } from './conversation.ts'
import type { TurnReader } from './turn-reader.ts'
import { UsageTally } from './usage.ts'

/** The state of the loop that a shadow answer is requested from. It is not modified. */
interface CheckpointState {
  readonly run: AttemptRun
  readonly conversation: Conversation
  readonly tools: readonly StructuredToolInterface[]
  readonly reader: TurnReader
  readonly answerNow: string
  /** A table that the agent has already written; null when there is none. */
  readonly draft: string | null
}

/**
 * Creates a function that requests the agent's best table so far whenever a checkpoint has been passed. The request uses a
 * copy of the conversation and a separate model handle. Its tokens, calls, costs and time are not charged to the attempt;
 * the trace event `checkpoint` records them. Several checkpoints that are passed in one turn produce one answer.
 *
 * @param at - spent tokens at which an answer is requested
 */
export function createCheckpoints(at: readonly number[]): (loop: CheckpointState) => Promise<void> {
  let ahead = [...at].sort((a, b) => a - b)
  return async loop => {
    const tokens = loop.run.meter.spent('tokens')
    const passed = ahead.some(checkpoint => checkpoint <= tokens)
    if (!passed) return
    ahead = ahead.filter(checkpoint => checkpoint > tokens)
    await loop.run.outsideAttemptTime(() => takeCheckpoint(loop, tokens))
  }
}

async function takeCheckpoint(loop: CheckpointState, tokens: number): Promise<void> {
  const { run, draft } = loop
  const { environment } = run
  const askedAt = environment.clock.now()
  const store = { put: environment.keepText }
  const wallMs = (): number => Math.max(0, Math.round(environment.clock.now() - askedAt))
  const bill = createBill(environment.model.price)
  try {
    const message = await shadowAnswer(loop, bill)
    const answer = readModelAnswer(message)
    const readTurn = loop.reader.read({ message, answer, overrun: null })
    const text = readTurn.answer ?? readTurn.text
    const best = environment.hasAnswer(text, 0) || draft === null ? text : draft
    run.emit({
      type: 'checkpoint',
      tokens,
      answer: storedText(best, store),
      ...bill.total(),
      wallMs: wallMs(),
    })
  } catch (error) {
    if (run.signal.aborted || !(error instanceof ProviderError || isScriptMissing(error))) throw error
    run.emit({
      type: 'checkpoint',
      tokens,
      answer: { text: '' },
      ...bill.total(),
      problem: error.message,
      wallMs: wallMs(),
    })
  }
}

/** Whether a scripted model has no answer for the checkpoint. The attempt itself may have one. */
const isScriptMissing = (error: unknown): error is DataError =>
  error instanceof DataError && error.code === 'no-script-for-attempt'

/** The cost of a shadow answer, with earlier answers that the provider interrupted. Empty when there was no answer. */
interface ShadowBill {
  answered(message: AIMessage): void
  total(): { usage?: CallUsage | null; usd?: number | null }
}

function createBill(price: TokenPrice | null): ShadowBill {
  const tally = new UsageTally()
  return {
    answered(message) {
      tally.modelCalled()
      tally.modelAnswered(readModelAnswer(message).usage)
    },
    total() {
      const free = { searchCalls: 0, fetchCalls: 0, wallMs: 0, searchUsd: null, fetchUsd: null }
      const sum = tally.total({ ...free, price })
      if (sum.modelCalls === 0) return {}
      const { inputTokens, cachedInputTokens, outputTokens, reasoningTokens, uncertain } = sum
      const usage = {
        inputTokens,
        cachedInputTokens,
        outputTokens,
        reasoningTokens,
        ...(uncertain && { uncertain }),
      }
      return { usage: inputTokens === null && outputTokens === null ? null : usage, usd: sum.usdModel }
    },
  }
}

async function shadowAnswer(
  { run, conversation, tools, answerNow }: CheckpointState,
  bill: ShadowBill,
): Promise<AIMessage> {
  const { environment } = run
  const model = environment.shadowModel?.() ?? environment.model
  const ask = async (): Promise<AIMessage> => {
    const call = model.call(withNote(conversation.messages(), answerNow), {
      tools,
      toolChoice: 'none',
      maxOutputTokens: environment.maxOutputTokens,
      signal: run.signal,
    })
    const message = await untilAborted(call, run.signal).catch((error: unknown) => {
      if (error instanceof ProviderError && error.answer !== null) bill.answered(error.answer)
      throw error
    })
    bill.answered(message)
    return message
  }
  return await withRetry(ask, {
    ...defaultRetry,
    clock: environment.clock,
    signal: run.signal,
    onRetry: () => undefined,
  })
}

/** Appends a note. It is joined to a preceding user message, because roles must alternate. */
function withNote(messages: readonly BaseMessage[], note: string): BaseMessage[] {
  const last = messages.at(-1)
  if (!(last instanceof HumanMessage)) return [...messages, new HumanMessage(note)]
  return [...messages.slice(0, -1), new HumanMessage(`${messageText(last)}\n\n${note}`)]
}
