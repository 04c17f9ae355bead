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

/** What a note replaced. */
interface ReplacedTurns {
  readonly results: readonly ShownResult[]
  readonly messages: readonly number[]
}

/** The messages of one attempt: what the model sees, what the trace has recorded, and how many tokens they have. */
export class Conversation {
  readonly #countTokens: (text: string) => number
  readonly #entries: ConversationEntry[]
  /** False for the copy that a side request uses: its messages are reported without ids. */
  readonly #isNumbered: boolean
  /** Only changed messages are counted, so that a step costs the same in a long conversation. */
  readonly #uncounted: Set<ConversationEntry>
  readonly #unreported = new Set<ConversationEntry>()
  #tokens = 0
  #nextId: number

  /** @param copied - the entries of another conversation of which this one is a copy */
  constructor(countTokens: (text: string) => number, copied: readonly ConversationEntry[] | null = null) {
    this.#countTokens = countTokens
    this.#isNumbered = copied === null
    this.#entries = (copied ?? []).map(entry => ({
      ...entry,
      parts: entry.parts.map(part => ({ ...part })),
      tokens: 0,
    }))
    this.#uncounted = new Set(this.#entries)
    this.#nextId = this.#entries.length
  }

  get entries(): readonly ConversationEntry[] {
    return this.#entries
  }

  /** Returns the messages in order, as the model receives them. */
  messages(): BaseMessage[] {
    return this.#entries.map(entry => entry.message)
  }

  addSystem(text: string): void {
    this.#add('system', [{ text, result: null }], new SystemMessage(text))
  }

  /** Adds a user message. It is joined to a preceding user message, because roles must alternate. */
  addUser(...parts: MessagePart[]): void {
    const last = this.#entries.at(-1)
    if (last?.role === 'user') {
      last.parts.push(...parts)
      this.#rebuildMessage(last)
    } else this.#add('user', parts, userMessage(parts))
  }

  addAssistant(message: AIMessage): void {
    this.#add('assistant', [{ text: messageText(message), result: null }], message)
  }

  addToolResult(part: MessagePart & { readonly result: ShownResult }, failed: boolean): void {
    const { callId, tool } = part.result
    const status = failed ? 'error' : 'success'
    this.#add(
      'tool',
      [part],
      new ToolMessage({ content: part.text, tool_call_id: callId, name: tool, status }),
    )
  }

  /** Adds the answer to an earlier question, which no context policy removes. */
  addEarlierAnswer(message: AIMessage): void {
    this.#add('assistant', [{ text: messageText(message), result: null, isQuestion: true }], message)
  }

  /** Replaces the text of a part. */
  rewrite(entry: ConversationEntry, part: MessagePart, text: string): void {
    part.text = text
    this.#rebuildMessage(entry)
  }

  /** Removes the reasoning from the model's messages. */
  dropReasoning(): void {
    for (const entry of this.#entries) {
      if (!(entry.message instanceof AIMessage)) continue
      const plain = withoutReasoning(entry.message)
      if (plain === entry.message) continue
      entry.reasoning = ''
      entry.parts[0]!.text = messageText(plain)
      this.#replaceMessage(entry, plain)
    }
  }

  /**
   * Replaces all turns before an entry by a note. Questions and their answers stay, and the note follows the last question
   * before the entry.
   *
   * @returns the results that are no longer part of the conversation, and the ids of the messages
   */
  replaceTurnsBefore(last: ConversationEntry, note: string): ReplacedTurns {
    const old = this.#entriesBefore(last).filter(({ role }) => role !== 'system')
    const results = old.flatMap(({ parts }) => parts.flatMap(({ result }) => result ?? []))
    const removed = old.filter(({ parts }) => !parts.some(part => part.isQuestion))
    for (const entry of removed) this.#remove(entry)
    const questions = old.filter(entry => entry.role === 'user' && !removed.includes(entry))
    for (const { parts } of questions) parts.splice(0, parts.length, ...parts.filter(part => part.isQuestion))
    questions.at(-1)?.parts.push({ text: note, result: null })
    for (const entry of questions) this.#rebuildMessage(entry)
    return { results, messages: removed.map(({ id }) => id) }
  }

  /** Returns a copy of the messages before an entry, for a side request. */
  copyBefore(entry: ConversationEntry): Conversation {
    return new Conversation(this.#countTokens, this.#entriesBefore(entry))
  }

  /** Returns the tokens of all messages by the local count. Each message is counted once. */
  tokens(): number {
    for (const entry of this.#uncounted) {
      entry.tokens = this.#countTokens(countedText(entry)) + tokensOfFiles(entry) + tokensPerMessage
      this.#tokens += entry.tokens
    }
    this.#uncounted.clear()
    return this.#tokens
  }

  /** Returns the messages that the trace does not contain yet, and marks them as reported. */
  takeUnreported(keepText: (text: string) => string): ReportedMessage[] {
    const messages = [...this.#unreported].map(entry => ({
      ...(this.#isNumbered ? { id: entry.id } : {}),
      ...reportEntry(entry, keepText),
    }))
    this.#unreported.clear()
    return messages
  }

  #entriesBefore(entry: ConversationEntry): ConversationEntry[] {
    return this.#entries.slice(0, this.#entries.indexOf(entry))
  }

  #add(role: ConversationEntry['role'], parts: MessagePart[], message: BaseMessage): void {
    const reasoning = message instanceof AIMessage ? reasoningText(message) : ''
    const entry = { id: this.#nextId++, role, parts, message, reasoning, tokens: 0 }
    this.#entries.push(entry)
    this.#uncounted.add(entry)
    this.#unreported.add(entry)
  }

  #remove(entry: ConversationEntry): void {
    this.#entries.splice(this.#entries.indexOf(entry), 1)
    this.#tokens -= entry.tokens
    this.#uncounted.delete(entry)
    this.#unreported.delete(entry)
  }

  #rebuildMessage(entry: ConversationEntry): void {
    this.#replaceMessage(entry, writeMessage(entry))
  }

  #replaceMessage(entry: ConversationEntry, message: BaseMessage): void {
    this.#tokens -= entry.tokens
    Object.assign(entry, { message, tokens: 0 })
    this.#uncounted.add(entry)
    this.#unreported.add(entry)
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
