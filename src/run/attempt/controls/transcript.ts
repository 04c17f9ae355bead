import type { TranscriptMessage } from '../../../../agents/setting.ts'
import { textOf } from '../../../../logs/blobs.ts'
import type { TraceEvent } from '../../../../logs/events.ts'
import { jsonOrNull } from '../../../text/json.ts'

type Assistant = Extract<TranscriptMessage, { role: 'assistant' }>
type Asked = Extract<TraceEvent, { type: 'model-called' }>

/**
 * Rebuilds the conversation of a trace, with its last answer. A turn contains the calls that were made and answered by
 * messages of their own. A tool result that was shortened later appears in its short form.
 */
export function transcriptOf(
  events: readonly TraceEvent[],
  blob: (hash: string) => string,
): TranscriptMessage[] {
  const messages: TranscriptMessage[] = []
  const tools = new Map<string, string>()
  let calls: Assistant['calls'] = []
  let last: Assistant | null = null
  for (const event of events) {
    if (event.type === 'model-answered') {
      calls = []
      last = { role: 'assistant', text: textOf(event.text, { get: blob }), calls: [] }
    } else if (event.type === 'tool-called') {
      tools.set(event.callId, event.tool)
      calls = [...calls, { id: event.callId, name: event.tool, args: event.args }]
    } else if (event.type === 'model-called') {
      addAsked(messages, event, { calls, tools, blob })
      last = null
    }
  }
  return last === null || last.text === '' ? messages : [...messages, last]
}

/** The part of a trace before a request. */
interface EarlierTrace {
  /** The calls of the last turn. */
  readonly calls: Assistant['calls']
  /** Names of tools, by the id of the call. */
  readonly tools: ReadonlyMap<string, string>
  blob(hash: string): string
}

function addAsked(messages: TranscriptMessage[], asked: Asked, { calls, tools, blob }: EarlierTrace): void {
  const answered = new Set(asked.messages.map(message => message.toolCallId))
  for (const { role, content, toolCallId, reasoning } of asked.messages) {
    const text = textOf(content, { get: blob })
    if (role === 'tool') putToolResult(messages, toolCallId ?? '', tools, text)
    else if (role === 'assistant')
      messages.push({
        role,
        text,
        calls: calls.filter(call => answered.has(call.id)),
        ...(reasoning === undefined ? {} : { reasoning: readReasoning(reasoning, blob) }),
      })
    else messages.push({ role, text })
  }
}

/** Reads the reasoning fields of a message. Structured reasoning is stored as JSON. */
function readReasoning(
  stored: NonNullable<Asked['messages'][number]['reasoning']>,
  get: (hash: string) => string,
): Record<string, unknown> {
  const read = (field: string, text: string): unknown =>
    field === 'reasoning_details' ? jsonOrNull(text) : text
  return Object.fromEntries(
    Object.entries(stored).map(([field, text]) => [field, read(field, textOf(text, { get }))]),
  )
}

function putToolResult(
  messages: TranscriptMessage[],
  callId: string,
  tools: ReadonlyMap<string, string>,
  text: string,
): void {
  const shown = { role: 'tool' as const, text, callId, tool: tools.get(callId) ?? 'unnamed' }
  const at = messages.findIndex(message => message.role === 'tool' && message.callId === callId)
  if (at >= 0) messages[at] = shown
  else messages.push(shown)
}
