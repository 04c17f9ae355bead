import { z } from 'zod/v4'
import { isObject } from '../../src/text/json.ts'
import { type ChatMessage, chatMessageSchema, readConversation } from './chat-messages.ts'
import { type ForeignCall, type ForeignMessage, unreportedTurn } from './foreign-log.ts'
import {
  countOrUnknown,
  optionalText,
  readArguments,
  readContent,
  readText,
  readTime,
} from './message-parts.ts'

const details = z.looseObject({ cached_tokens: countOrUnknown, reasoning_tokens: countOrUnknown })

/** A span as `Span.export()` of the OpenAI Agents SDK returns it. */
export const spanSchema = z.looseObject({
  object: z.literal('trace.span'),
  id: z.string(),
  trace_id: z.string(),
  parent_id: optionalText,
  started_at: optionalText,
  ended_at: optionalText,
  span_data: z.looseObject({
    /** `generation`: a call of Chat Completions; `response`: a call of the Responses API; `function`: a tool call. */
    type: optionalText,
    name: optionalText,
    input: z.unknown().optional(),
    output: z.unknown().optional(),
    model: optionalText,
    response_id: optionalText,
    usage: z
      .looseObject({
        input_tokens: countOrUnknown,
        output_tokens: countOrUnknown,
        input_tokens_details: details.nullish().catch(null),
        output_tokens_details: details.nullish().catch(null),
      })
      .nullish()
      .catch(null),
  }),
  error: z.looseObject({ message: optionalText, data: z.unknown().optional() }).nullish().catch(null),
})
/** A span after validation. */
export type AgentSpan = z.infer<typeof spanSchema>

/** Whether a span is a call of a model. */
export function isModelSpan({ span_data: { type } }: AgentSpan): boolean {
  return type === 'generation' || type === 'response'
}

/** Whether a span is a call of a tool. */
export function isToolSpan({ span_data: { type } }: AgentSpan): boolean {
  return type === 'function'
}

/** Whether the model answered. A failed or cancelled call has neither an output nor usage. */
export function isAnswered({ span_data, error }: AgentSpan): boolean {
  const { output, usage, response_id: id } = span_data
  const isThere = [output, usage, id].some(value => value !== null && value !== undefined)
  return isThere && (error === null || error === undefined)
}

/** The words of a span's error; null when it has none. */
export function readSpanError({ error }: AgentSpan): string | null {
  if (error === null || error === undefined) return null
  const cause = isObject(error.data) ? readText(error.data.error) : null
  return cause ?? error.message ?? 'error'
}

/** What a model wrote: its message, or the items of a streamed response. */
interface ModelOutput {
  readonly text: string
  readonly refusal: string | null
  readonly calls: readonly ForeignCall[]
}

const itemSchema = z.looseObject({
  type: optionalText,
  name: optionalText,
  call_id: optionalText,
  arguments: z.unknown().optional(),
  content: z
    .array(z.looseObject({ type: optionalText, text: optionalText, refusal: optionalText }))
    .nullish()
    .catch(null),
})

/** Reads the output of a streamed call, which the SDK writes as a response with items. */
function readItems(items: readonly unknown[]): ModelOutput {
  const outputItems = items.flatMap<z.infer<typeof itemSchema>>(item => itemSchema.safeParse(item).data ?? [])
  const parts = outputItems.flatMap(item => (item.type === 'message' ? (item.content ?? []) : []))
  return {
    text: parts.flatMap(part => part.text ?? []).join('\n'),
    refusal: parts.flatMap(part => part.refusal ?? []).join('\n') || null,
    calls: outputItems.flatMap((item, at) =>
      item.type === 'function_call'
        ? [
            {
              id: item.call_id ?? `item-${at}`,
              name: item.name ?? 'unnamed',
              args: readArguments(item.arguments),
            },
          ]
        : [],
    ),
  }
}

/** Reads what a model wrote. The texts are empty when the trace was written without data. */
export function readOutput({ span_data: { output } }: AgentSpan): ModelOutput {
  const [first] = Array.isArray(output) ? (output as unknown[]) : []
  if (isObject(first) && Array.isArray(first.output)) return readItems(first.output)
  const message = chatMessageSchema.safeParse(first)
  const [turn] = message.success ? readConversation([{ ...message.data, role: 'assistant' }]) : []
  if (turn?.role !== 'assistant') return { text: '', refusal: null, calls: [] }
  const refusal = isObject(first) && typeof first.refusal === 'string' ? first.refusal : null
  return { text: turn.text, refusal, calls: turn.calls }
}

function readInput({ span_data: { input } }: AgentSpan): ChatMessage[] {
  return (Array.isArray(input) ? (input as unknown[]) : []).flatMap<ChatMessage>(
    message => chatMessageSchema.safeParse(message).data ?? [],
  )
}

/** The results of tools as models read them, by the ids of the calls. */
function readToolResults(spans: readonly AgentSpan[]): Map<string, string> {
  const results = spans
    .filter(isModelSpan)
    .flatMap(readInput)
    .filter(({ role }) => role === 'tool')
  return new Map(results.map(({ tool_call_id: id, content }) => [String(id), readContent(content).text]))
}

type SpanTurn = Extract<ForeignMessage, { role: 'assistant' }> & { readonly calls: ForeignCall[] }

/**
 * Builds the conversation of a trace, including the conversations of helper agents.
 *
 * @param spans - in the order in which they ended
 */
export function readMessages(spans: readonly AgentSpan[]): ForeignMessage[] {
  const messages: ForeignMessage[] = []
  const results = readToolResults(spans)
  const told = new Set<string>()
  const waiting: ForeignCall[] = []
  const turns = new Map<string, SpanTurn>()
  for (const span of spans) {
    const at = readTime(span.ended_at)
    if (isModelSpan(span)) {
      const inputMessages = readInput(span).filter(({ role }) => role !== 'assistant' && role !== 'tool')
      for (const message of readConversation(inputMessages)) {
        const key = `${message.role}:${message.text}`
        if (!told.has(key)) messages.push(message)
        told.add(key)
      }
      if (!isAnswered(span)) continue
      const { text, refusal, calls } = readOutput(span)
      const turn: SpanTurn = {
        role: 'assistant',
        ...unreportedTurn,
        text: text || (refusal ?? ''),
        calls: [...calls],
        at,
      }
      waiting.push(...calls)
      turns.set(span.parent_id ?? '', turn)
      messages.push(turn)
    } else if (isToolSpan(span)) {
      const call = takeCall(waiting, span) ?? addCall(span, turns.get(span.parent_id ?? ''))
      const text = results.get(call.id) ?? readText(span.span_data.output) ?? ''
      messages.push({ role: 'tool', callId: call.id, tool: call.name, text, error: readSpanError(span), at })
    }
  }
  return messages
}

/** Finds the call of a span among the calls without a result, and removes it from them. */
function takeCall(
  waiting: ForeignCall[],
  { span_data: { name, input } }: AgentSpan,
): ForeignCall | undefined {
  const args = JSON.stringify(readArguments(input))
  const same = waiting.findIndex(call => call.name === name && JSON.stringify(call.args) === args)
  const at = same === -1 ? waiting.findIndex(call => call.name === name) : same
  return at === -1 ? undefined : waiting.splice(at, 1)[0]
}

/** Makes a call from a span. Traces do not contain the calls that the Responses API returns. */
function addCall({ id, span_data: { name, input } }: AgentSpan, turn: SpanTurn | undefined): ForeignCall {
  const call = { id, name: name ?? 'unnamed', args: readArguments(input) }
  turn?.calls.push(call)
  return call
}
