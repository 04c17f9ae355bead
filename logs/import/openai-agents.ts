import { z } from 'zod/v4'
import { sumOrNull } from './call-usage.ts'
import {
  type ForeignAttempt,
  type ForeignEnd,
  mapped,
  type ReadLog,
  type ReadRecord,
  unmapped,
  unreportedFields,
} from './foreign-log.ts'
import { jsonRecords, toReadRecord } from './json-records.ts'
import { millisecondsBetween, readText, readTime } from './message-parts.ts'
import {
  type AgentSpan,
  isAnswered,
  isModelSpan,
  isToolSpan,
  readMessages,
  readOutput,
  readSpanError,
  spanSchema,
} from './openai-agents-spans.ts'
import { findProviderFailure } from './provider-words.ts'
import { countKinds } from './tool-kinds.ts'

/** The spans of a trace in the order in which they ended, and the line of the first. */
interface AgentsTrace {
  readonly id: string
  readonly line: number
  readonly spans: AgentSpan[]
}

/** Returns the spans above a span, nearest first. */
function listAncestors(span: AgentSpan, byId: ReadonlyMap<string, AgentSpan>): AgentSpan[] {
  const above: AgentSpan[] = []
  for (let id = span.parent_id; ; ) {
    const parent = byId.get(id ?? '')
    if (parent === undefined || above.includes(parent)) return above
    above.push(parent)
    id = parent.parent_id
  }
}

/** Returns the tool calls that start helper agents. */
function findHelperCalls(spans: readonly AgentSpan[]): Set<AgentSpan> {
  const byId = new Map(spans.map(span => [span.id, span]))
  const agents = spans.filter(span => span.span_data.type === 'agent')
  return new Set(agents.flatMap(agent => listAncestors(agent, byId)).filter(isToolSpan))
}

/** Returns the spans of the main agent, without those of its helpers. */
function listMainSpans(spans: readonly AgentSpan[]): AgentSpan[] {
  const byId = new Map(spans.map(span => [span.id, span]))
  return spans.filter(span => !listAncestors(span, byId).some(isToolSpan))
}

interface Ending {
  readonly end: ForeignEnd
  readonly answerText: string | null
}

const unfinished: Ending = { end: unmapped(null), answerText: null }

/** Returns the end of a run without an error. With `tool_use_behavior`, the output of a tool is the answer. */
function endWithoutError(last: AgentSpan): Ending {
  if (isToolSpan(last)) {
    const answerText = readText(last.span_data.output)
    return answerText === null
      ? unfinished
      : { end: mapped({ cause: 'agent', reason: 'answered' }, 'the output of a tool'), answerText }
  }
  const { text, calls } = readOutput(last)
  if (!isAnswered(last) || calls.length > 0) return unfinished
  const answerText = text.trim() === '' ? null : text
  return {
    end: mapped({ cause: 'agent', reason: 'answered' }, 'the agent ended without an error'),
    answerText,
  }
}

/** Returns the end that an error of the agent describes. */
function errorEnd(words: string, detail: string, last: AgentSpan | undefined): ForeignEnd {
  if (/max turns .*exceeded|max turns exceeded/i.test(words))
    return mapped({ cause: 'budget', reason: 'model-calls' }, detail)
  if (/finish_reason='length'/.test(words)) return mapped({ cause: 'budget', reason: 'output-limit' }, detail)
  const isModel = last !== undefined && isModelSpan(last)
  const isRefused = /model.?refus/i.test(words) || (isModel && readOutput(last).refusal !== null)
  if (isRefused && !/content filter/i.test(words))
    return mapped({ cause: 'agent', reason: 'refused' }, detail, { answered: false })
  // An error of a tool may contain words such as 503, but says nothing about the model's provider.
  const failure = isModel ? findProviderFailure(words) : null
  return mapped(failure ?? { cause: 'harness', reason: 'crash' }, detail)
}

function readEnd(spans: readonly AgentSpan[]): Ending {
  const main = listMainSpans(spans)
  const agent = main.findLast(span => span.span_data.type === 'agent')
  const last = main.findLast(span => isModelSpan(span) || isToolSpan(span))
  if (agent === undefined) return unfinished
  const agentError = readSpanError(agent)
  const lastError =
    last === undefined || (isToolSpan(last) && readText(last.span_data.output) !== null)
      ? null
      : readSpanError(last)
  const refusal = last !== undefined && isModelSpan(last) ? readOutput(last).refusal : null
  const detail = agentError ?? lastError ?? refusal
  if (detail === null) return last === undefined ? unfinished : endWithoutError(last)
  const words = [agentError, lastError, refusal].filter(detailText => detailText !== null).join('\n')
  return { end: errorEnd(words, detail, last), answerText: null }
}

function readUsage(spans: readonly AgentSpan[]): ForeignAttempt['usage'] {
  const answered = spans.filter(span => isModelSpan(span) && isAnswered(span))
  const usages = answered.map(({ span_data: { usage } }) => usage)
  const helpers = findHelperCalls(spans)
  const tools = spans.filter(span => isToolSpan(span) && !helpers.has(span))
  return {
    inputTokens: sumOrNull(usages.map(usage => usage?.input_tokens)),
    cachedInputTokens: sumOrNull(usages.map(usage => usage?.input_tokens_details?.cached_tokens)),
    outputTokens: sumOrNull(usages.map(usage => usage?.output_tokens)),
    reasoningTokens: sumOrNull(usages.map(usage => usage?.output_tokens_details?.reasoning_tokens)),
    modelCalls: answered.length,
    ...countKinds(tools.map(span => span.span_data.name ?? '')),
    toolErrors: tools.filter(span => readSpanError(span) !== null).length,
  }
}

/** Compares times as texts. The SDK writes UTC with microseconds, which JavaScript's dates lack. */
function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

function convertTrace({ id, spans: written }: AgentsTrace): ForeignAttempt {
  const spans = written.toSorted((a, b) => compare(a.ended_at ?? '', b.ended_at ?? ''))
  const startedAt = spans.map(span => readTime(span.started_at) ?? '').toSorted(compare)[0] || null
  const endedAt = readTime(spans.at(-1)?.ended_at)
  const messages = readMessages(spans)
  const { end, answerText } = readEnd(spans)
  return {
    ...unreportedFields,
    sourceId: id,
    question: messages.find(({ role }) => role === 'user')?.text ?? null,
    model: spans.find(span => (span.span_data.model ?? null) !== null)?.span_data.model ?? null,
    messages,
    answerText,
    end,
    usage: { ...readUsage(spans), wallMs: millisecondsBetween(startedAt, endedAt) },
    startedAt,
    endedAt,
  }
}

const traceSchema = z.looseObject({ object: z.literal('trace'), id: z.string() })

/**
 * Reads traces of the OpenAI Agents SDK: JSON lines of exported traces and spans. A file may contain several traces, with
 * their spans in any order.
 */
export const readOpenAiAgents: ReadLog = async function* (path) {
  const traces = new Map<string, AgentsTrace>()
  const traceWith = (id: string, line: number): AgentsTrace => {
    const trace = traces.get(id) ?? { id, line, spans: [] }
    traces.set(id, trace)
    return trace
  }
  for await (const record of jsonRecords(path)) {
    if ('problem' in record) {
      yield record satisfies ReadRecord
      continue
    }
    const span = spanSchema.safeParse(record.value)
    const trace = traceSchema.safeParse(record.value)
    if (span.success) traceWith(span.data.trace_id, record.line).spans.push(span.data)
    else if (trace.success) traceWith(trace.data.id, record.line)
    else yield { line: record.line, problem: 'neither a trace nor a span', code: 'unknown-log-record' }
  }
  for (const trace of traces.values()) yield toReadRecord(trace.line, () => convertTrace(trace))
}
