import type { CallUsage, Observation, StoredText } from '../../../logs/event-parts.ts'
import type { TraceEvent } from '../../../logs/events.ts'
import type { ExportedTrace } from './table.ts'

/** A call of the model or of a tool, with its answer. */
export interface TracedCall {
  readonly kind: 'model' | 'tool'
  readonly seq: number
  readonly at: string
  readonly step: number
  readonly name: string | null
  readonly callId: string | null
  /** The input of a tool; null for a model. */
  readonly input: unknown
  readonly output: string | null
  /** The reasoning of a model; null when the provider sends none. */
  readonly reasoning: string | null
  readonly failed: boolean
  readonly error: string | null
  readonly infrastructure: boolean | null
  readonly wallMs: number | null
  readonly toolCalls: number | null
  readonly finishReason: string | null
  readonly usage: CallUsage | null
  /** What the tool returned. */
  readonly observations: readonly Observation[]
}

type Blob = ExportedTrace['blob']
type ToolEnd = Extract<TraceEvent, { type: 'tool-answered' | 'tool-failed' }>

const callsByTrace = new WeakMap<readonly TraceEvent[], readonly TracedCall[]>()

/** Pairs the calls of a trace with their answers, in the order in which the calls began. */
export function listTracedCalls({ events, blob }: ExportedTrace): readonly TracedCall[] {
  if (events === null) return []
  const calls = callsByTrace.get(events) ?? pairCalls(events, blob)
  callsByTrace.set(events, calls)
  return calls
}

function pairCalls(events: readonly TraceEvent[], blob: Blob): TracedCall[] {
  return events.flatMap((event, at) => {
    if (event.type === 'model-called') return [makeModelCall(event, events.slice(at + 1), blob)]
    return event.type === 'tool-called' ? [makeToolCall(event, events.slice(at + 1), blob)] : []
  })
}

const nothing = {
  output: null,
  reasoning: null,
  failed: true,
  error: 'no-answer',
  infrastructure: null,
  wallMs: null,
  toolCalls: null,
  finishReason: null,
  usage: null,
  observations: [],
} as const

function makeModelCall(
  called: Extract<TraceEvent, { type: 'model-called' }>,
  later: readonly TraceEvent[],
  blob: Blob,
): TracedCall {
  const { seq, at, step, side = null } = called
  const start = { kind: 'model', seq, at, step, name: side, callId: null, input: null } as const
  const answer = later.find(({ type }) => type === 'model-answered' || type === 'model-called')
  if (answer?.type !== 'model-answered') return { ...start, ...nothing }
  const { text, reasoning, wallMs, toolCalls, finishReason, usage } = answer
  return {
    ...start,
    ...nothing,
    output: readText(text, blob),
    reasoning: reasoning === null ? null : readText(reasoning, blob),
    failed: false,
    error: null,
    wallMs,
    toolCalls: toolCalls.length,
    finishReason,
    usage,
  }
}

function makeToolCall(
  { seq, at, step, tool, callId, args }: Extract<TraceEvent, { type: 'tool-called' }>,
  later: readonly TraceEvent[],
  blob: Blob,
): TracedCall {
  const start = { kind: 'tool', seq, at, step, name: tool, callId, input: args } as const
  const end = later.find(
    (event): event is ToolEnd =>
      (event.type === 'tool-answered' || event.type === 'tool-failed') && event.callId === callId,
  )
  if (end === undefined) return { ...start, ...nothing }
  const { wallMs, observations = [] } = end
  if (end.type === 'tool-answered')
    return {
      ...start,
      ...nothing,
      output: readText(end.text, blob),
      failed: false,
      error: null,
      wallMs,
      observations,
    }
  const { errorClass, infrastructure } = end
  return { ...start, ...nothing, error: errorClass, infrastructure, wallMs, observations }
}

function readText(stored: StoredText, blob: Blob): string | null {
  return 'text' in stored ? stored.text : blob(stored.blob)
}
