import type { StoredText } from '../../../logs/event-parts.ts'
import type { EventBody } from '../../../logs/events.ts'

/** Follows the conversation of an attempt with its model, to know what the last request contained. */
export class LastRequest {
  readonly #messages = new Map<number, readonly StoredText[]>()
  #isCut = false
  #isNumbered = true

  /** Receives the events of the attempt in order. */
  tell(event: EventBody): void {
    if (event.type === 'model-called' && event.side === undefined) {
      for (const { id, content, reasoning = {} } of event.messages) {
        if (id === undefined) this.#isNumbered = false
        else this.#messages.set(id, [content, ...Object.values(reasoning)])
      }
    }
    if (event.type !== 'context-cut') return
    const { removed = [], removedMessages = [] } = event
    if (removed.length > 0 || removedMessages.length > 0) this.#isCut = true
    for (const id of removedMessages) this.#messages.delete(id)
  }

  /**
   * The texts of the messages in the last request, with the reasoning that was sent back. Null when nothing was removed from
   * the conversation, and for imported logs, which do not number their messages.
   */
  texts(textOf: (stored: StoredText) => string): readonly string[] | null {
    return this.#isCut && this.#isNumbered ? [...this.#messages.values()].flat().map(textOf) : null
  }
}
