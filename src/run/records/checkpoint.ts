import type { EventBody, StoredText } from '../../../logs/events.ts'
import type { RunAmounts } from '../../core/budget.ts'

/** A shadow answer as it is scored. */
export interface Checkpoint {
  /** Spent by the attempt when it was asked. */
  readonly tokens: number
  /** Null where none came. */
  readonly answer: StoredText | null
}

/** A trace's checkpoint as it is scored. */
export function checkpointOf(event: Extract<EventBody, { type: 'checkpoint' }>): Checkpoint {
  return { tokens: event.tokens, answer: event.problem === undefined ? event.answer : null }
}

/** What a shadow answer took of the run's budget. */
export function spentOn({ usage, usd }: Extract<EventBody, { type: 'checkpoint' }>): RunAmounts {
  return {
    tokens: (usage?.inputTokens ?? 0) + (usage?.outputTokens ?? 0),
    usd: usd ?? 0,
    searchCalls: 0,
  }
}
