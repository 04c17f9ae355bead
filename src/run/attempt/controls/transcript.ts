import type { TranscriptMessage } from '../../../../agents/setting.ts'
import { textOf } from '../../../../logs/blobs.ts'
import type { TraceEvent } from '../../../../logs/events.ts'

type Assistant = Extract<TranscriptMessage, { role: 'assistant' }>
type Asked = Extract<TraceEvent, { type: 'model-called' }>

/**
 * The conversation that a trace tells of, the last answer included. A turn's calls are those that were carried out and
 * answered by messages of their own; a tool's text that was shortened later stands as shortened.
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

/** What a trace contains before a request. */
interface ToldBefore {
  /** Calls of the last turn. */
  readonly calls: Assistant['calls']
  /** Names of tools by call. */
  readonly tools: ReadonlyMap<string, string>
  blob(hash: string): string
}

function addAsked(messages: TranscriptMessage[], asked: Asked, { calls, tools, blob }: ToldBefore): void {
  const answered = new Set(asked.messages.map(message => message.toolCallId))
  for (const { role, content, toolCallId } of asked.messages) {
    const text = textOf(content, { get: blob })
    if (role === 'tool') showTool(messages, toolCallId ?? '', tools, text)
    else if (role === 'assistant')
      messages.push({ role, text, calls: calls.filter(call => answered.has(call.id)) })
    else messages.push({ role, text })
  }
}

function showTool(
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
