import type { AssistantTurn, TranscriptMessage } from '../../../../agents/setting.ts'
import { readStoredText } from '../../../../logs/blobs.ts'
import type { TraceEvent } from '../../../../logs/events.ts'
import { readReasoning } from '../../../../logs/trace-messages.ts'

type RequestEvent = Extract<TraceEvent, { type: 'model-called' }>

/**
 * Rebuilds the conversation of a trace as it was in the last request, with the last answer. A turn contains only the
 * calls that were made and whose results are messages. Messages that a context policy changed have their last text.
 * Removed messages are left out.
 */
export function rebuildTranscript(
  events: readonly TraceEvent[],
  blob: (hash: string) => string,
): TranscriptMessage[] {
  const messages = new Map<number, TranscriptMessage>()
  const tools = new Map<string, string>()
  let calls: AssistantTurn['calls'] = []
  let last: AssistantTurn | null = null
  let isSide = false
  for (const event of events) {
    if (event.type === 'context-cut') for (const id of event.removedMessages ?? []) messages.delete(id)
    if (event.type === 'model-called') isSide = event.side !== undefined
    // A side request and its answer are not part of the conversation.
    if (isSide && (event.type === 'model-called' || event.type === 'model-answered')) continue
    if (event.type === 'model-answered') {
      calls = []
      last = { role: 'assistant', text: readStoredText(event.text, { get: blob }), calls: [] }
    } else if (event.type === 'tool-called') {
      tools.set(event.callId, event.tool)
      calls = [...calls, { id: event.callId, name: event.tool, args: event.args }]
    } else if (event.type === 'model-called') {
      addAsked(messages, event, { calls, tools, blob })
      last = null
    }
  }
  const inOrder = [...messages].sort(([a], [b]) => a - b).map(([, message]) => message)
  return last === null || last.text === '' ? inOrder : [...inOrder, last]
}

/** The part of a trace before a request. */
interface EarlierTrace {
  /** The calls of the last turn. */
  readonly calls: AssistantTurn['calls']
  /** Names of tools, by the id of the call. */
  readonly tools: ReadonlyMap<string, string>
  blob(hash: string): string
}

function addAsked(
  messages: Map<number, TranscriptMessage>,
  request: RequestEvent,
  { calls, tools, blob }: EarlierTrace,
): void {
  const answered = new Set(request.messages.map(message => message.toolCallId))
  for (const message of request.messages) {
    const { id, role, content, toolCallId, reasoning } = message
    // Every message of a run's own trace has a number.
    if (id === undefined) continue
    const text = readStoredText(content, { get: blob })
    const callId = toolCallId ?? ''
    if (role === 'tool') messages.set(id, { role, text, callId, tool: tools.get(callId) ?? 'unnamed' })
    else if (role === 'assistant')
      messages.set(id, {
        role,
        text,
        calls: calls.filter(call => answered.has(call.id)),
        ...(reasoning === undefined
          ? {}
          : { reasoning: readReasoning(reasoning, stored => readStoredText(stored, { get: blob })) }),
      })
    else messages.set(id, { role, text })
  }
}
