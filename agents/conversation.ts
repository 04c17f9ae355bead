import {
  AIMessage,
  type BaseMessage,
  HumanMessage,
  SystemMessage,
  ToolMessage,
} from '@langchain/core/messages'
import { storedText } from '../logs/blobs.ts'
import type { EventBody } from '../logs/events.ts'
import { messageText } from './message-text.ts'

/** A tool's result in the conversation. */
export interface ToolResult {
  readonly callId: string
  readonly tool: string
  /** Tool and arguments, so that a repeated call is known. */
  readonly callKey: string
  readonly step: number
  /** As the tool gave it. */
  readonly fullText: string
  /** Puts a text of this result into the form in which the model is shown it. */
  readonly wrap: (text: string) => string
}

/** One text of a message; `text` is what the model sees of it. */
export interface Part {
  text: string
  readonly result: ToolResult | null
}

export interface Entry {
  readonly role: 'system' | 'user' | 'assistant' | 'tool'
  readonly parts: Part[]
  message: BaseMessage
  /** By the model's local count; 0 until it is counted, or counted again. */
  tokens: number
}

type ReportedMessage = Extract<EventBody, { type: 'model-called' }>['messages'][number]

/** What a message costs beyond its text: role and separators. */
const tokensAMessage = 4

/** The messages of one attempt: what the model sees, what the trace has told, how much it is. */
export interface Conversation {
  readonly entries: readonly Entry[]
  messages(): BaseMessage[]
  addSystem(text: string): void
  /** Joins the last message where that is the user's too, so that roles keep taking turns. */
  addUser(...parts: Part[]): void
  addAssistant(message: AIMessage): void
  addToolResult(part: Part & { readonly result: ToolResult }, failed: boolean): void
  /** Shows another text in place of a part's. */
  rewrite(entry: Entry, part: Part, text: string): void
  /** Tokens of the whole by the local count; each message is counted once. */
  tokens(): number
  /** The messages that no call has reported yet, for the trace. */
  takeUnreported(keepText: (text: string) => string): ReportedMessage[]
}

export function createConversation(countTokens: (text: string) => number): Conversation {
  const entries: Entry[] = []
  // What changed since the last look, so that a step costs the same however long the conversation is.
  const uncounted = new Set<Entry>()
  const unreported = new Set<Entry>()
  let total = 0
  const fresh = (entry: Entry): void => {
    uncounted.add(entry)
    unreported.add(entry)
  }
  const add = (role: Entry['role'], parts: Part[], message: BaseMessage): void => {
    const entry = { role, parts, message, tokens: 0 }
    entries.push(entry)
    fresh(entry)
  }
  const changed = (entry: Entry): void => {
    entry.message = rebuilt(entry)
    total -= entry.tokens
    entry.tokens = 0
    fresh(entry)
  }
  return {
    entries,
    messages: () => entries.map(entry => entry.message),
    addSystem: text => add('system', [{ text, result: null }], new SystemMessage(text)),
    addUser(...parts) {
      const last = entries.at(-1)
      if (last?.role === 'user') {
        last.parts.push(...parts)
        changed(last)
      } else add('user', parts, new HumanMessage(joined(parts)))
    },
    addAssistant(message) {
      add('assistant', [{ text: messageText(message), result: null }], message)
    },
    addToolResult(part, failed) {
      const { callId, tool } = part.result
      const status = failed ? 'error' : 'success'
      add('tool', [part], new ToolMessage({ content: part.text, tool_call_id: callId, name: tool, status }))
    },
    rewrite(entry, part, text) {
      part.text = text
      changed(entry)
    },
    tokens() {
      for (const entry of uncounted) {
        entry.tokens = countTokens(countedText(entry)) + tokensAMessage
        total += entry.tokens
      }
      uncounted.clear()
      return total
    },
    takeUnreported(keepText) {
      const messages = [...unreported].map(entry => reported(entry, keepText))
      unreported.clear()
      return messages
    },
  }
}

function reported(entry: Entry, keepText: (text: string) => string): ReportedMessage {
  return {
    role: entry.role,
    content: storedText(joined(entry.parts), { put: keepText }),
    toolCallId: entry.message instanceof ToolMessage ? entry.message.tool_call_id : null,
  }
}

function rebuilt(entry: Entry): BaseMessage {
  const text = joined(entry.parts)
  const { message } = entry
  if (message instanceof ToolMessage) {
    const { tool_call_id, status } = message
    const name = entry.parts[0]?.result?.tool
    return new ToolMessage({
      content: text,
      tool_call_id,
      ...(name === undefined ? {} : { name }),
      ...(status === undefined ? {} : { status }),
    })
  }
  if (entry.role === 'user') return new HumanMessage(text)
  throw new Error(`a message of the ${entry.role} is never rewritten`)
}

function joined(parts: readonly Part[]): string {
  return parts.length === 1 ? parts[0]!.text : parts.map(part => part.text).join('\n\n')
}

function countedText(entry: Entry): string {
  const calls = entry.message instanceof AIMessage ? (entry.message.tool_calls ?? []) : []
  const text = joined(entry.parts)
  return calls.length === 0
    ? text
    : `${text}\n${calls.map(call => `${call.name} ${JSON.stringify(call.args)}`).join('\n')}`
}
