import { isObject, parseJsonOrNull } from '../src/text/json.ts'
import type { StoredText } from './event-parts.ts'
import type { EventBody, EventOf, TraceEvent } from './events.ts'
import type { ForeignMessage } from './import/foreign-log.ts'
import { unreportedTurn } from './import/foreign-log.ts'

/** Returns a stored text by its hash; null when it is missing. */
export type ReadBlob = (hash: string) => string | null

type RequestMessage = Extract<EventBody, { type: 'model-called' }>['messages'][number]

/**
 * Returns the conversation of a trace in the form in which foreign logs are read: each message once, as it was first said.
 * Side requests are left out. A tool that no answer of the model called, as tools of external agents, gets a step of its own
 * (`isModelTurn: false`).
 */
export function readTraceMessages(events: readonly TraceEvent[], blob: ReadBlob): ForeignMessage[] {
  const reader = new TraceReader(blob)
  let isSide = false
  for (const event of events) {
    if (event.type === 'model-called') isSide = event.side !== undefined
    if (event.type === 'model-called' && !isSide) reader.readRequest(event)
    else if (event.type === 'model-answered' && !isSide) reader.readAnswer(event)
    else if (event.type === 'tool-called') reader.readCall(event)
    else if (event.type === 'tool-answered' || event.type === 'tool-failed') reader.readResult(event)
  }
  return reader.messages
}

class TraceReader {
  readonly messages: ForeignMessage[] = []
  readonly #blob: ReadBlob
  readonly #ids = new Set<number>()
  /** The tools of the calls so far, by the ids of the calls. */
  readonly #tools = new Map<string, string>()
  /** The ids of the calls whose results were read. */
  readonly #results = new Set<string>()
  #hasAnswer = false

  constructor(blob: ReadBlob) {
    this.#blob = blob
  }

  readRequest({ messages, at }: EventOf<'model-called'>): void {
    for (const { id, role, content, toolCallId } of messages) {
      if (id !== undefined && this.#ids.has(id)) continue
      if (id !== undefined) this.#ids.add(id)
      const text = this.#text(content)
      if (role === 'tool') {
        const callId = toolCallId ?? ''
        const tool = this.#tools.get(callId) ?? 'unnamed'
        if (!this.#results.has(callId)) this.messages.push({ role, callId, tool, text, error: null, at })
        this.#results.add(callId)
      } else if (role !== 'assistant') this.messages.push({ role, text })
      else if (!this.#hasAnswer) this.messages.push({ role, text, calls: [], ...unreportedTurn })
    }
  }

  readAnswer(event: EventOf<'model-answered'>): void {
    const { text, reasoning, toolCalls, malformedCalls: malformed, finishReason, usage, at } = event
    this.#hasAnswer = true
    for (const { id, name } of toolCalls) this.#tools.set(id, name)
    this.messages.push({
      role: 'assistant',
      text: this.#text(text),
      calls: toolCalls.map(call => ({ ...call, args: readArguments(call.args, this.#blob) })),
      malformed,
      finishReason,
      usage,
      at,
      reasoning: reasoning === null ? null : this.#text(reasoning),
    })
  }

  readCall({ callId: id, tool: name, args, at }: EventOf<'tool-called'>): void {
    const calls = [{ id, name, args: readArguments(args, this.#blob) }]
    if (!this.#tools.has(id))
      this.messages.push({ role: 'assistant', text: '', calls, ...unreportedTurn, at, isModelTurn: false })
    this.#tools.set(id, name)
  }

  readResult(event: EventOf<'tool-answered' | 'tool-failed'>): void {
    const { callId, tool, at } = event
    this.#results.add(callId)
    const error = event.type === 'tool-failed' ? event.message : null
    const text = event.type === 'tool-failed' ? event.message : this.#text(event.text)
    this.messages.push({ role: 'tool', callId, tool, text, error, at })
  }

  #text(stored: StoredText): string {
    return ('text' in stored ? stored.text : this.#blob(stored.blob)) ?? '[the text is missing]'
  }
}

/** Reads the reasoning fields of a message. Structured reasoning is stored as JSON. */
export function readReasoning(
  stored: NonNullable<RequestMessage['reasoning']>,
  readText: (stored: StoredText) => string,
): Record<string, unknown> {
  const readField = (field: string, text: string): unknown =>
    field === 'reasoning_details' ? parseJsonOrNull(text) : text
  return Object.fromEntries(
    Object.entries(stored).map(([field, text]) => [field, readField(field, readText(text))]),
  )
}

/** Returns the arguments of a call. Long ones are stored as JSON. */
export function readArguments(args: unknown, blob: ReadBlob): unknown {
  if (!isObject(args) || Object.keys(args).length !== 1 || typeof args.blob !== 'string') return args
  return parseJsonOrNull(blob(args.blob) ?? '') ?? args
}
