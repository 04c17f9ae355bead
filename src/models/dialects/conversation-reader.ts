import {
  AIMessage,
  type BaseMessage,
  HumanMessage,
  SystemMessage,
  ToolMessage,
} from '@langchain/core/messages'

/** A tool call of an earlier answer. */
export interface EarlierCall {
  /** Empty when the request does not name it. */
  readonly id: string
  readonly name: string
  readonly args: Record<string, unknown>
}

/**
 * Collects the messages of a request. It joins the parts of one answer, and finds the call of a tool result without a
 * call id.
 */
export class ConversationReader {
  readonly messages: BaseMessage[] = []
  readonly #open: { id: string; name: string }[] = []
  #answer: { text: string; reasoning: string; calls: (EarlierCall & { type: 'tool_call' })[] } | null = null
  #calls = 0

  system(text: string): void {
    this.endAnswer()
    if (text !== '') this.messages.push(new SystemMessage(text))
  }

  user(text: string): void {
    this.endAnswer()
    this.messages.push(new HumanMessage(text))
  }

  /** Adds a part of an answer of the model. Parts that follow each other become one message. */
  assistant(part: { text?: string; reasoning?: string; calls?: readonly EarlierCall[] }): void {
    const answer = (this.#answer ??= { text: '', reasoning: '', calls: [] })
    answer.text += part.text ?? ''
    answer.reasoning += part.reasoning ?? ''
    for (const { id, name, args } of part.calls ?? []) {
      const callId = id === '' ? `call_${this.#calls}` : id
      this.#calls += 1
      this.#open.push({ id: callId, name })
      answer.calls.push({ type: 'tool_call', id: callId, name, args })
    }
  }

  /**
   * Adds the result of a tool call.
   *
   * @param id the id of the call; empty when the request does not name it. The result then belongs to the first open
   *   call, if possible one of the same name
   */
  toolResult(id: string, name: string, text: string): void {
    this.endAnswer()
    const byId = id === '' ? -1 : this.#open.findIndex(call => call.id === id)
    const byName = byId >= 0 || id !== '' ? -1 : this.#open.findIndex(call => call.name === name)
    const place = byId >= 0 ? byId : byName >= 0 ? byName : id === '' ? 0 : -1
    const call = place < 0 ? undefined : this.#open.splice(place, 1)[0]
    this.messages.push(
      new ToolMessage({
        content: text,
        tool_call_id: id === '' ? (call?.id ?? '') : id,
        name: call?.name ?? name,
      }),
    )
  }

  done(): BaseMessage[] {
    this.endAnswer()
    return this.messages
  }

  /** Ends the current answer, so that the next part begins another. */
  endAnswer(): void {
    if (this.#answer === null) return
    const { text, reasoning, calls } = this.#answer
    this.#answer = null
    this.messages.push(
      new AIMessage({
        content: text,
        tool_calls: calls,
        additional_kwargs: reasoning === '' ? {} : { reasoning_content: reasoning },
      }),
    )
  }
}
