import type { BlobStore } from '../../../logs/blobs.ts'
import type { Observation } from '../../../logs/event-parts.ts'
import type { EventBody, TraceEvent } from '../../../logs/events.ts'
import type {
  ForeignAssistantMessage,
  ForeignAttempt,
  ForeignCall,
  ForeignMessage,
  ForeignToolMessage,
  SeenPage,
} from '../../../logs/import/foreign-log.ts'
import { findSearchQuery, findUrls, seenPages } from '../../../logs/import/seen-pages.ts'
import { guessToolKind } from '../../../logs/import/tool-kinds.ts'
import type { Trace } from '../../../logs/writer.ts'
import { textBody } from '../../../tools/page/body-observation.ts'
import type { Attempt } from '../../core/attempt.ts'
import type { Usage } from '../../core/usage.ts'
import type { FailedFetch } from '../../evidence/tried-addresses.ts'
import type { ObservedResult } from '../attempt/watch.ts'

/** Counts the model turns of an imported conversation. */
export function countTurns(messages: readonly ForeignMessage[]): number {
  return messages.filter(message => message.role === 'assistant' && message.isModelTurn !== false).length
}

/** Counts the calls of a conversation; the names of its tools decide which are searches and fetches. */
export function countCalls(messages: readonly ForeignMessage[]): Partial<Usage> {
  const calls = messages.flatMap(message => (message.role === 'assistant' ? message.calls : []))
  const ofKind = (kind: 'search' | 'fetch'): number =>
    calls.filter(call => guessToolKind(call.name) === kind).length
  return {
    modelCalls: countTurns(messages),
    searchCalls: ofKind('search'),
    fetchCalls: ofKind('fetch'),
    toolErrors: messages.filter(message => message.role === 'tool' && message.error !== null).length,
  }
}

/** What the tools of an imported conversation showed. */
export interface ForeignSight {
  /** The results of tools that succeeded, in order. */
  readonly toolResults: readonly ObservedResult[]
  readonly failedFetches: readonly FailedFetch[]
  /** The search results and pages of each message of a tool. */
  readonly observations: ReadonlyMap<ForeignToolMessage, readonly Observation[]>
}

/** Reads what the tools of an imported conversation showed. Stores the texts of pages among the run's blobs. */
export function readLogSight({ messages, original }: ForeignAttempt, blobs: BlobStore): ForeignSight {
  if (original !== undefined) return readTraceSight(original.events)
  const calls = new Map<string, ForeignCall>()
  const toolResults: ObservedResult[] = []
  const failedFetches: FailedFetch[] = []
  const observations = new Map<ForeignToolMessage, readonly Observation[]>()
  let step = 0
  for (const message of messages) {
    if (message.role === 'assistant') {
      if (message.isModelTurn !== false) step++
      for (const call of message.calls) calls.set(call.id, call)
    }
    if (message.role !== 'tool') continue
    const call = calls.get(message.callId) ?? { id: message.callId, name: message.tool, args: {} }
    if (message.error !== null) {
      if (guessToolKind(call.name) === 'fetch')
        failedFetches.push(...findUrls(call.args).map(url => ({ step, url })))
      continue
    }
    const pages = message.seen ?? seenPages(call, message.text)
    const messageObservations = listObservations(pages, findSearchQuery(call.args), blobs)
    observations.set(message, messageObservations)
    toolResults.push({ step, text: { text: message.text }, observations: messageObservations })
  }
  return { toolResults, failedFetches, observations }
}

/** Returns what the tools of a recorded trace showed. */
function readTraceSight(events: readonly TraceEvent[]): ForeignSight {
  const args = new Map(
    events.flatMap(event => (event.type === 'tool-called' ? [[event.callId, event.args]] : [])),
  )
  return {
    toolResults: events.flatMap(event => {
      if (event.type !== 'tool-answered') return []
      const { step, text, observations } = event
      return [{ step, text, observations }]
    }),
    failedFetches: events.flatMap(event =>
      event.type === 'tool-failed' && guessToolKind(event.tool) === 'fetch'
        ? findUrls(args.get(event.callId)).map(url => ({ step: event.step, url }))
        : [],
    ),
    observations: new Map(),
  }
}

function listObservations(pages: readonly SeenPage[], query: string, blobs: BlobStore): Observation[] {
  const hits = pages.flatMap(page => (page.kind === 'hit' ? [page] : []))
  const results = hits.map(({ url, title, snippet }, at) => ({
    url: url ?? '',
    title,
    snippet,
    position: at + 1,
  }))
  const bodies = pages.flatMap(page =>
    page.kind === 'page' ? [textBody(page.url, page.text, text => blobs.put(text))] : [],
  )
  return results.length === 0 ? bodies : [{ kind: 'hits', query, hits: results }, ...bodies]
}

function makeToolEvent(message: ForeignToolMessage, observations: readonly Observation[]): EventBody {
  const { callId, tool, text, error } = message
  return error === null
    ? {
        type: 'tool-answered',
        callId,
        tool,
        text: { text },
        truncated: false,
        observations: [...observations],
        wallMs: 0,
      }
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

/** What a trace of an imported conversation contains besides the conversation. */
export interface TraceFacts {
  readonly attempt: Attempt
  readonly sight: ForeignSight
  /** The hash of the documents that the attempt saw (`storeSeenDocuments`); null when unknown. */
  readonly seenHash: string | null
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
  { attempt, sight, seenHash }: TraceFacts,
  timeIs: (time: string) => void,
): void {
  const { taskId, setting, model, trial, answer, termination } = attempt
  trace.emit(0, { type: 'attempt-started', taskId, setting, model, trial, caps: {} })
  let step = 0
  let input: Extract<EventBody, { type: 'model-called' }>['messages'] = []
  const hasQuestion = foreign.messages.some(message => message.role === 'user')
  if (!hasQuestion && foreign.question !== null)
    input.push({ role: 'user', content: { text: foreign.question }, toolCallId: null })
  for (const message of foreign.messages) {
    if ('at' in message && message.at !== null) timeIs(message.at)
    if (message.role === 'tool') {
      trace.emit(step, makeToolEvent(message, sight.observations.get(message) ?? []))
      input.push({ role: 'tool', content: { text: message.text }, toolCallId: message.callId })
    } else if (message.role === 'assistant' && message.isModelTurn === false) emitCalls(trace, step, message)
    else if (message.role === 'assistant') {
      step++
      trace.emit(step, {
        type: 'model-called',
        messages: input,
        tools: [],
        reservedTokens: 0,
        maxOutputTokens: null,
      })
      input = []
      emitTurn(trace, step, message)
    } else input.push({ role: message.role, content: { text: message.text }, toolCallId: null })
  }
  timeIs(attempt.endedAt)
  const { parseStatus, rows, columns } = answer
  const sightField = seenHash === null ? {} : { sight: seenHash }
  trace.emit(step, { type: 'answer-parsed', parseStatus, rows, columns, ...sightField })
  trace.emit(step, { type: 'terminated', termination })
}

function emitTurn(trace: Trace, step: number, turn: ForeignAssistantMessage): void {
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
  emitCalls(trace, step, turn)
}

/**
 * Writes a recorded trace again. The trace of a fork contains its recorded part, so that the reference to it is left out.
 *
 * @param seenHash replaces the documents that the attempt saw, unless it is null
 */
export function emitOriginalTrace(
  trace: Trace,
  events: readonly TraceEvent[],
  seenHash: string | null,
): void {
  for (const { seq: _, at, attemptId: _id, step, ...body } of events) {
    if (body.type === 'forked') continue
    const isSeen = body.type === 'answer-parsed' && seenHash !== null
    trace.emit(step, isSeen ? { ...body, sight: seenHash } : body, Date.parse(at))
  }
}

function emitCalls(trace: Trace, step: number, turn: ForeignAssistantMessage): void {
  for (const { id, name, args } of turn.calls)
    trace.emit(step, { type: 'tool-called', callId: id, tool: name, args })
}
