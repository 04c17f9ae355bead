import { isObject, jsonOrNull } from '../src/text/json.ts'
import type { StoredText } from './event-parts.ts'
import type { EventBody, TraceEvent } from './events.ts'
import type { ForeignCall, ForeignMessage } from './import/foreign-log.ts'
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
  const messages: ForeignMessage[] = []
  const ids = new Set<number>()
  const names = new Map<string, string>()
  const results = new Set<string>()
  let hasAnswer = false
  let isSide = false
  const readText = (stored: StoredText): string =>
    ('text' in stored ? stored.text : blob(stored.blob)) ?? '[the text is missing]'
  const addRequested = ({ id, role, content, toolCallId }: RequestMessage, at: string): void => {
    if (id !== undefined && ids.has(id)) return
    if (id !== undefined) ids.add(id)
    const text = readText(content)
    if (role === 'tool') {
      const callId = toolCallId ?? ''
      if (results.has(callId)) return
      results.add(callId)
      messages.push({ role, callId, tool: names.get(callId) ?? 'unnamed', text, error: null, at })
    } else if (role !== 'assistant') messages.push({ role, text })
    else if (!hasAnswer) messages.push({ role, text, calls: [], ...unreportedTurn })
  }
  for (const event of events) {
    const { at } = event
    if (event.type === 'model-called') isSide = event.side !== undefined
    if (isSide && (event.type === 'model-called' || event.type === 'model-answered')) continue
    if (event.type === 'model-called') for (const message of event.messages) addRequested(message, at)
    else if (event.type === 'model-answered') {
      hasAnswer = true
      const { text, reasoning, toolCalls, malformedCalls: malformed, finishReason, usage } = event
      const calls = toolCalls.map(call => ({ ...call, args: readArguments(call.args, blob) }))
      for (const { id, name } of calls) names.set(id, name)
      messages.push({
        ...{ role: 'assistant', text: readText(text), calls, malformed, finishReason, usage, at },
        reasoning: reasoning === null ? null : readText(reasoning),
      })
    } else if (event.type === 'tool-called') {
      const call: ForeignCall = { id: event.callId, name: event.tool, args: readArguments(event.args, blob) }
      if (!names.has(call.id))
        messages.push({
          ...{ role: 'assistant', text: '', calls: [call], ...unreportedTurn, at, isModelTurn: false },
        })
      names.set(call.id, call.name)
    } else if (event.type === 'tool-answered' || event.type === 'tool-failed') {
      const { callId, tool } = event
      results.add(callId)
      const isFailed = event.type === 'tool-failed'
      const text = isFailed ? event.message : readText(event.text)
      messages.push({ role: 'tool', callId, tool, text, error: isFailed ? text : null, at })
    }
  }
  return messages
}

/** Reads the reasoning fields of a message. Structured reasoning is stored as JSON. */
export function readReasoning(
  stored: NonNullable<RequestMessage['reasoning']>,
  readText: (stored: StoredText) => string,
): Record<string, unknown> {
  const readField = (field: string, text: string): unknown =>
    field === 'reasoning_details' ? jsonOrNull(text) : text
  return Object.fromEntries(
    Object.entries(stored).map(([field, text]) => [field, readField(field, readText(text))]),
  )
}

/** Returns the arguments of a call. Long ones are stored as JSON. */
export function readArguments(args: unknown, blob: ReadBlob): unknown {
  if (!isObject(args) || Object.keys(args).length !== 1 || typeof args.blob !== 'string') return args
  return jsonOrNull(blob(args.blob) ?? '') ?? args
}
