import type { EventBody, StoredText } from '../../../logs/events.ts'
import type { RunAmounts } from '../../core/budget.ts'

/** A shadow answer: what the model answers on a copy of the conversation when the attempt has spent so many tokens. */
export interface Checkpoint {
  /** Tokens that the attempt had spent when the question was asked. */
  readonly tokens: number
  /** Null when the model gave no answer. */
  readonly answer: StoredText | null
}

/** Reads the checkpoint of a trace event. */
export function checkpointOf(event: Extract<EventBody, { type: 'checkpoint' }>): Checkpoint {
  return { tokens: event.tokens, answer: event.problem === undefined ? event.answer : null }
}

/** Returns what a shadow answer took from the run's budget. */
export function checkpointSpending({ usage, usd }: Extract<EventBody, { type: 'checkpoint' }>): RunAmounts {
  return {
    tokens: (usage?.inputTokens ?? 0) + (usage?.outputTokens ?? 0),
    usd: usd ?? 0,
    searchCalls: 0,
  }
}
