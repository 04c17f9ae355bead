import type { EventBody } from '../../../logs/events.ts'
import type { ForeignAttempt, ForeignMessage } from '../../../logs/import/foreign-log.ts'
import { kindOfTool } from '../../../logs/import/tool-kinds.ts'
import type { Trace } from '../../../logs/writer.ts'
import type { Attempt, Usage } from '../../core/attempt.ts'

/** Counts the model turns of an imported conversation. */
export function turnsOf({ messages }: Pick<ForeignAttempt, 'messages'>): number {
  return messages.filter(message => message.role === 'assistant').length
}

/** Counts the calls of a conversation; the names of its tools decide which are searches and fetches. */
export function countCalls(messages: readonly ForeignMessage[]): Partial<Usage> {
  const calls = messages.flatMap(message => (message.role === 'assistant' ? message.calls : []))
  const ofKind = (kind: 'search' | 'fetch'): number =>
    calls.filter(call => kindOfTool(call.name) === kind).length
  return {
    modelCalls: turnsOf({ messages }),
    searchCalls: ofKind('search'),
    fetchCalls: ofKind('fetch'),
    toolErrors: messages.filter(message => message.role === 'tool' && message.error !== null).length,
  }
}

function toolEvent(message: Extract<ForeignMessage, { role: 'tool' }>): EventBody {
  const { callId, tool, text, error } = message
  return error === null
    ? { type: 'tool-answered', callId, tool, text: { text }, truncated: false, observations: [], wallMs: 0 }
    : {
        type: 'tool-failed',
        callId,
        tool,
        errorClass: 'foreign',
        message: error,
        infrastructure: false,
        wallMs: 0,
      }
}

/**
 * Writes an imported conversation as a trace. Each message of the assistant becomes a model turn; the messages before it
 * become its input. A question that no message contains comes first.
 *
 * @param timeIs called with each time that the log contains, before the events of that time
 */
export function emitTrace(
  trace: Trace,
  foreign: ForeignAttempt,
  attempt: Attempt,
  timeIs: (time: string) => void,
): void {
  const { taskId, setting, model, trial, answer, termination } = attempt
  trace.emit(0, { type: 'attempt-started', taskId, setting, model, trial, caps: {} })
  let step = 0
  let given: Extract<EventBody, { type: 'model-called' }>['messages'] = []
  const asked = foreign.messages.some(message => message.role === 'user')
  if (!asked && foreign.question !== null)
    given.push({ role: 'user', content: { text: foreign.question }, toolCallId: null })
  for (const message of foreign.messages) {
    if ('at' in message && message.at !== null) timeIs(message.at)
    if (message.role === 'tool') {
      trace.emit(step, toolEvent(message))
      given.push({ role: 'tool', content: { text: message.text }, toolCallId: message.callId })
    } else if (message.role === 'assistant') {
      step++
      trace.emit(step, {
        type: 'model-called',
        messages: given,
        tools: [],
        reservedTokens: 0,
        maxOutputTokens: null,
      })
      given = []
      emitTurn(trace, step, message)
    } else given.push({ role: message.role, content: { text: message.text }, toolCallId: null })
  }
  timeIs(attempt.endedAt)
  const { parseStatus, rows, columns } = answer
  trace.emit(step, { type: 'answer-parsed', parseStatus, rows, columns })
  trace.emit(step, { type: 'terminated', termination })
}

function emitTurn(trace: Trace, step: number, turn: Extract<ForeignMessage, { role: 'assistant' }>): void {
  trace.emit(step, {
    type: 'model-answered',
    text: { text: turn.text },
    reasoning: turn.reasoning === null ? null : { text: turn.reasoning },
    toolCalls: turn.calls.map(({ id, name, args }) => ({ id, name, args })),
    malformedCalls: turn.malformed.map(call => ({ ...call })),
    finishReason: turn.finishReason ?? (turn.calls.length > 0 ? 'tool_calls' : 'stop'),
    usage: turn.usage,
    wallMs: 0,
  })
  for (const { id, name, args } of turn.calls)
    trace.emit(step, { type: 'tool-called', callId: id, tool: name, args })
}
