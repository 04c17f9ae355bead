import {
  AIMessage,
  type BaseMessage,
  HumanMessage,
  SystemMessage,
  ToolMessage,
} from '@langchain/core/messages'
import { storedText } from '../logs/blobs.ts'
import type { EventBody } from '../logs/events.ts'
import { messageText, readReasoningFields, reasoningText } from '../src/models/model-answer.ts'
import { withoutReasoning } from './kept-reasoning.ts'

/** A tool's result in the conversation. */
export interface ShownResult {
  readonly callId: string
  readonly tool: string
  /** Identifies tool and arguments, so that repeated calls are recognised. */
  readonly callKey: string
  /** The address of the page or document that the result shows; null when it shows none. */
  readonly url: string | null
  readonly step: number
  /** The whole text that the tool returned. */
  readonly fullText: string
  /** Puts a text of this result into the form that the model sees. */
  readonly wrap: (text: string) => string
}

/** A PDF file in a message. */
export interface AttachedFile {
  readonly name: string
  readonly base64: string
  /** An estimate of the tokens that a provider bills for the file. */
  readonly tokens: number
}

/** One text of a message. `text` is the part that the model sees. */
export interface MessagePart {
  text: string
  readonly result: ShownResult | null
  /** Files that follow the text. Absent: none. */
  readonly files?: readonly AttachedFile[]
  /** Whether the text is a question, or the answer to an earlier one. No context policy removes these. */
  readonly isQuestion?: boolean
}

/** A message with its parts. */
export interface ConversationEntry {
  /** The number of the message, from 0. */
  readonly id: number
  readonly role: 'system' | 'user' | 'assistant' | 'tool'
  readonly parts: MessagePart[]
  message: BaseMessage
  /** The reasoning that is sent with a message of the model, in addition to its text; empty when there is none. */
  reasoning: string
  /** By the model's local count; 0 until the message is counted. */
  tokens: number
}

/** A message as the trace records it. */
export type ReportedMessage = Extract<EventBody, { type: 'model-called' }>['messages'][number]

/** The tokens of a message beyond its text: role and separators. */
export const tokensPerMessage = 4

/** The messages of one attempt: what the model sees, what the trace has recorded, and how many tokens they have. */
export interface Conversation {
  readonly entries: readonly ConversationEntry[]
  /** Returns the messages in order, as the model receives them. */
  messages(): BaseMessage[]
  addSystem(text: string): void
  /** Adds a user message. It is joined to a preceding user message, because roles must alternate. */
  addUser(...parts: MessagePart[]): void
  addAssistant(message: AIMessage): void
  addToolResult(part: MessagePart & { readonly result: ShownResult }, failed: boolean): void
  /** Adds the answer to an earlier question, which no context policy removes. */
  addEarlierAnswer(message: AIMessage): void
  /** Replaces the text of a part. */
  rewrite(entry: ConversationEntry, part: MessagePart, text: string): void
  /** Removes the reasoning from the model's messages. */
  dropReasoning(): void
  /**
   * Replaces all turns before an entry by a note. Questions and their answers stay, and the note follows the last question
   * before the entry.
   *
   * @returns the results that are no longer part of the conversation, and the ids of the messages
   */
  replaceTurnsBefore(entry: ConversationEntry, note: string): ReplacedTurns
  /** Returns a copy of the messages before an entry, for a side request. */
  copyBefore(entry: ConversationEntry): Conversation
  /** Returns the tokens of all messages by the local count. Each message is counted once. */
  tokens(): number
  /** Returns the messages that the trace does not contain yet, and marks them as reported. */
  takeUnreported(keepText: (text: string) => string): ReportedMessage[]
}

/** What a note replaced. */
interface ReplacedTurns {
  readonly results: readonly ShownResult[]
  readonly messages: readonly number[]
}

/** Creates an empty conversation. */
export function createConversation(countTokens: (text: string) => number): Conversation {
  return buildConversation(countTokens, [], true)
}

/** @param isNumbered - whether reported messages have ids; false for the copy that a side request uses */
function buildConversation(
  countTokens: (text: string) => number,
  first: readonly ConversationEntry[],
  isNumbered: boolean,
): Conversation {
  const entries: ConversationEntry[] = first.map(entry => ({
    ...entry,
    parts: entry.parts.map(part => ({ ...part })),
    tokens: 0,
  }))
  // Only changed messages are counted, so that a step costs the same in a long conversation.
  const uncounted = new Set<ConversationEntry>()
  const unreported = new Set<ConversationEntry>()
  let total = 0
  let nextId = entries.length
  for (const entry of entries) uncounted.add(entry)
  const markFresh = (entry: ConversationEntry): void => {
    uncounted.add(entry)
    unreported.add(entry)
  }
  const add = (role: ConversationEntry['role'], parts: MessagePart[], message: BaseMessage): void => {
    const entry = { id: nextId++, role, parts, message, reasoning: readReasoning(message), tokens: 0 }
    entries.push(entry)
    markFresh(entry)
  }
  const remove = (entry: ConversationEntry): void => {
    entries.splice(entries.indexOf(entry), 1)
    total -= entry.tokens
    uncounted.delete(entry)
    unreported.delete(entry)
  }
  const rebuildMessage = (entry: ConversationEntry): void => {
    entry.message = writeMessage(entry)
    total -= entry.tokens
    entry.tokens = 0
    markFresh(entry)
  }
  return {
    entries,
    messages: () => entries.map(entry => entry.message),
    addSystem: text => add('system', [{ text, result: null }], new SystemMessage(text)),
    addUser(...parts) {
      const last = entries.at(-1)
      if (last?.role === 'user') {
        last.parts.push(...parts)
        rebuildMessage(last)
      } else add('user', parts, userMessage(parts))
    },
    addAssistant(message) {
      add('assistant', [{ text: messageText(message), result: null }], message)
    },
    addToolResult(part, failed) {
      const { callId, tool } = part.result
      const status = failed ? 'error' : 'success'
      add('tool', [part], new ToolMessage({ content: part.text, tool_call_id: callId, name: tool, status }))
    },
    addEarlierAnswer(message) {
      add('assistant', [{ text: messageText(message), result: null, isQuestion: true }], message)
    },
    rewrite(entry, part, text) {
      part.text = text
      rebuildMessage(entry)
    },
    dropReasoning() {
      for (const entry of entries) {
        if (!(entry.message instanceof AIMessage)) continue
        const plain = withoutReasoning(entry.message)
        if (plain === entry.message) continue
        total -= entry.tokens
        Object.assign(entry, { message: plain, reasoning: '', tokens: 0 })
        entry.parts[0]!.text = messageText(plain)
        markFresh(entry)
      }
    },
    replaceTurnsBefore(last, note) {
      const old = entries.slice(0, entries.indexOf(last)).filter(({ role }) => role !== 'system')
      const results = old.flatMap(({ parts }) => parts.flatMap(({ result }) => result ?? []))
      const removed = old.filter(({ parts }) => !parts.some(part => part.isQuestion))
      for (const entry of removed) remove(entry)
      const questions = old.filter(entry => entry.role === 'user' && !removed.includes(entry))
      for (const { parts } of questions)
        parts.splice(0, parts.length, ...parts.filter(part => part.isQuestion))
      questions.at(-1)?.parts.push({ text: note, result: null })
      for (const entry of questions) rebuildMessage(entry)
      return { results, messages: removed.map(({ id }) => id) }
    },
    copyBefore: last => buildConversation(countTokens, entries.slice(0, entries.indexOf(last)), false),
    tokens() {
      for (const entry of uncounted) {
        entry.tokens = countTokens(countedText(entry)) + tokensOfFiles(entry) + tokensPerMessage
        total += entry.tokens
      }
      uncounted.clear()
      return total
    },
    takeUnreported(keepText) {
      const messages = [...unreported].map(entry => ({
        ...(isNumbered ? { id: entry.id } : {}),
        ...reportEntry(entry, keepText),
      }))
      unreported.clear()
      return messages
    },
  }
}

function reportEntry(entry: ConversationEntry, keepText: (text: string) => string): ReportedMessage {
  return {
    role: entry.role,
    content: storedText(joinTexts(entry.parts), { put: keepText }),
    toolCallId: entry.message instanceof ToolMessage ? entry.message.tool_call_id : null,
    ...reportedReasoning(entry, keepText),
  }
}

/** Returns the reasoning fields of a message for the trace. Structured reasoning is stored as JSON. */
function reportedReasoning(
  { message }: ConversationEntry,
  keepText: (text: string) => string,
): { readonly reasoning?: ReportedMessage['reasoning'] } {
  const fields = message instanceof AIMessage ? Object.entries(readReasoningFields(message)) : []
  if (fields.length === 0) return {}
  const stored = fields.map(([field, value]) => [
    field,
    storedText(typeof value === 'string' ? value : JSON.stringify(value), { put: keepText }),
  ])
  return { reasoning: Object.fromEntries(stored) }
}

function readReasoning(message: BaseMessage): string {
  return message instanceof AIMessage ? reasoningText(message) : ''
}

function writeMessage(entry: ConversationEntry): BaseMessage {
  const text = joinTexts(entry.parts)
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
  if (entry.role === 'user') return userMessage(entry.parts)
  throw new Error(`a message of the ${entry.role} is never rewritten`)
}

/** Returns a message of the user: a text, or a text with files as LangChain's standard blocks. */
function userMessage(parts: readonly MessagePart[]): HumanMessage {
  const files = parts.flatMap(part => part.files ?? [])
  const text = joinTexts(parts)
  if (files.length === 0) return new HumanMessage(text)
  const blocks = files.map(({ name, base64 }) => ({
    type: 'file' as const,
    source_type: 'base64' as const,
    mime_type: 'application/pdf',
    data: base64,
    metadata: { filename: name },
  }))
  return new HumanMessage({ content: [...blocks, { type: 'text', text }] as never })
}

function tokensOfFiles({ parts }: ConversationEntry): number {
  return parts.reduce(
    (sum, { files = [] }) => sum + files.reduce((fileTokens, file) => fileTokens + file.tokens, 0),
    0,
  )
}

function joinTexts(parts: readonly MessagePart[]): string {
  return parts.length === 1 ? parts[0]!.text : parts.map(part => part.text).join('\n\n')
}

function countedText(entry: ConversationEntry): string {
  const calls = entry.message instanceof AIMessage ? (entry.message.tool_calls ?? []) : []
  const text = [entry.reasoning, joinTexts(entry.parts)].filter(Boolean).join('\n')
  return calls.length === 0
    ? text
    : `${text}\n${calls.map(call => `${call.name} ${JSON.stringify(call.args)}`).join('\n')}`
}
