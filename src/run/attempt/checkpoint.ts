import type { EventBody, StoredText } from '../../../logs/events.ts'

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
