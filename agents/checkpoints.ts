import { type AIMessage, type BaseMessage, HumanMessage } from '@langchain/core/messages'
import type { StructuredToolInterface } from '@langchain/core/tools'
import { storedText } from '../logs/blobs.ts'
import type { CallUsage } from '../logs/events.ts'
import { ProviderError } from '../src/core/errors.ts'
import type { TokenPrice } from '../src/core/model.ts'
import { defaultRetry, untilAborted, withRetry } from '../src/system/retry.ts'
import type { AttemptRun } from './attempt-run.ts'
import type { Conversation } from './conversation.ts'
import { messageText } from './message-text.ts'
import { readModelAnswer } from './model-answer.ts'
import { createTurnReader } from './turn-reader.ts'
import { createUsageTally } from './usage.ts'

/** What a shadow answer is asked from; nothing of it is changed. */
export interface ShadowedLoop {
  readonly run: AttemptRun
  readonly conversation: Pick<Conversation, 'messages'>
  readonly tools: readonly StructuredToolInterface[]
  readonly native: boolean
  readonly answerNow: string
  /** A table that the agent has already written. */
  readonly draft: string | null
}

/**
 * The agent's best table so far, each time that it has spent as many tokens as a checkpoint says: asked on a copy of the
 * conversation, of a handle of its own. Neither tokens, calls, money nor time of it are charged to the attempt; the
 * trace's `checkpoint` has what it cost. Several checkpoints passed in one turn are one answer.
 */
export function createCheckpoints(at: readonly number[]): (loop: ShadowedLoop) => Promise<void> {
  let ahead = [...at].sort((a, b) => a - b)
  return async loop => {
    const tokens = loop.run.meter.spent('tokens')
    const passed = ahead.some(checkpoint => checkpoint <= tokens)
    if (!passed) return
    ahead = ahead.filter(checkpoint => checkpoint > tokens)
    await loop.run.aside(() => takeCheckpoint(loop, tokens))
  }
}

async function takeCheckpoint(loop: ShadowedLoop, tokens: number): Promise<void> {
  const { run, draft } = loop
  const { environment } = run
  const askedAt = environment.clock.now()
  const store = { put: environment.keepText }
  const wallMs = (): number => Math.max(0, Math.round(environment.clock.now() - askedAt))
  const bill = openBill(environment.model.price)
  try {
    const message = await shadowAnswer(loop, bill)
    const answer = readModelAnswer(message)
    const read = createTurnReader(loop.native).read({ message, answer, overrun: null })
    const text = read.answer ?? read.text
    const best = environment.hasAnswer(text, 0) || draft === null ? text : draft
    run.emit({
      type: 'checkpoint',
      tokens,
      answer: storedText(best, store),
      ...bill.total(),
      wallMs: wallMs(),
    })
  } catch (error) {
    if (!(error instanceof ProviderError) || run.signal.aborted) throw error
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

/** What a shadow answer cost with those before it that the provider broke off; nothing where none came. */
interface Bill {
  answered(message: AIMessage): void
  total(): { usage?: CallUsage | null; usd?: number | null }
}

function openBill(price: TokenPrice | null): Bill {
  const tally = createUsageTally()
  return {
    answered(message) {
      tally.modelCalled()
      tally.modelAnswered(readModelAnswer(message).usage)
    },
    total() {
      const free = { searchCalls: 0, fetchCalls: 0, wallMs: 0, searchUsd: null, fetchUsd: null }
      const sum = tally.total({ ...free, price })
      if (sum.modelCalls === 0) return {}
      const { inputTokens, cachedInputTokens, outputTokens, reasoningTokens } = sum
      const usage = { inputTokens, cachedInputTokens, outputTokens, reasoningTokens }
      return { usage: inputTokens === null && outputTokens === null ? null : usage, usd: sum.usdModel }
    },
  }
}

async function shadowAnswer(
  { run, conversation, tools, answerNow }: ShadowedLoop,
  bill: Bill,
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

/** Roles take turns: a note after the user's message joins it. */
function withNote(messages: readonly BaseMessage[], note: string): BaseMessage[] {
  const last = messages.at(-1)
  if (!(last instanceof HumanMessage)) return [...messages, new HumanMessage(note)]
  return [...messages.slice(0, -1), new HumanMessage(`${messageText(last)}\n\n${note}`)]
}
