import type { AIMessage } from '@langchain/core/messages'
import { type AnswerParts, newId, partsOf } from './answer-parts.ts'
import type { AgentRequest, JsonObject } from './dialect.ts'
import { argumentsOf, eventText, textOf } from './fields.ts'

/** Writes an answer as the body of OpenAI's Responses API. */
export function responseOf(answer: AIMessage, asked: AgentRequest): JsonObject {
  const parts = partsOf(answer, asked)
  return finished(headOf(asked), parts, itemsOf(parts))
}

/** Writes an answer as the events of a streamed response. */
export function* responseEvents(answer: AIMessage, asked: AgentRequest): Iterable<string> {
  const parts = partsOf(answer, asked)
  const items = itemsOf(parts)
  const head = headOf(asked)
  let sequence = 0
  const event = (type: string, fields: JsonObject): string =>
    eventText({ type, sequence_number: sequence++, ...fields }, type)
  yield event('response.created', { response: head })
  yield event('response.in_progress', { response: head })
  for (const [index, item] of items.entries()) {
    const place = { item_id: item.id, output_index: index }
    yield event('response.output_item.added', { output_index: index, item: begun(item) })
    for (const [type, fields] of eventsOf(item)) yield event(type, { ...place, ...fields })
    yield event('response.output_item.done', { output_index: index, item })
  }
  const response = finished(head, parts, items)
  yield event(`response.${textOf(response.status)}`, { response })
}

function headOf(asked: AgentRequest): JsonObject {
  return {
    id: newId('resp_'),
    object: 'response',
    created_at: Math.floor(Date.now() / 1_000),
    status: 'in_progress',
    ...{ background: false, error: null, incomplete_details: null, instructions: null, metadata: {} },
    ...{
      max_output_tokens: asked.maxOutputTokens,
      model: asked.model,
      output: [],
      parallel_tool_calls: true,
    },
    ...{ previous_response_id: null, reasoning: { effort: null, summary: null }, store: false },
    ...{ temperature: 1, text: { format: { type: 'text' } }, tool_choice: 'auto', tools: [], top_p: 1 },
    ...{ truncation: 'disabled', usage: null, user: null },
  }
}

function finished(
  head: JsonObject,
  { finish, usage }: AnswerParts,
  output: readonly JsonObject[],
): JsonObject {
  const reason = finish === 'length' ? 'max_output_tokens' : finish === 'content_filter' ? finish : null
  return {
    ...head,
    status: reason === null ? 'completed' : 'incomplete',
    incomplete_details: reason === null ? null : { reason },
    output,
    usage: {
      input_tokens: usage.input,
      input_tokens_details: { cached_tokens: usage.cached },
      output_tokens: usage.output,
      output_tokens_details: { reasoning_tokens: usage.reasoning },
      total_tokens: usage.input + usage.output,
    },
  }
}

function itemsOf({ text, reasoning, refusal, calls }: AnswerParts): JsonObject[] {
  const summary = reasoning === null ? [] : [{ type: 'summary_text', text: reasoning }]
  const content =
    refusal === null
      ? [{ type: 'output_text', text, annotations: [], logprobs: [] }]
      : [{ type: 'refusal', refusal }]
  const message = { type: 'message', id: newId('msg_'), status: 'completed', role: 'assistant', content }
  return [
    ...(reasoning === null ? [] : [{ type: 'reasoning', id: newId('rs_'), summary }]),
    ...(text === '' && refusal === null && calls.length > 0 ? [] : [message]),
    ...calls.map(callItem),
  ]
}

function callItem({ id, name, json, tool }: AnswerParts['calls'][number]): JsonObject {
  const namespace = tool?.namespace
  const own = namespace === undefined ? name : name.slice(`${namespace}__`.length)
  const common = {
    call_id: id,
    name: own,
    ...(namespace === undefined ? {} : { namespace }),
    status: 'completed',
  }
  if (tool?.isFreeform === true) {
    const { input } = argumentsOf(json)
    return {
      type: 'custom_tool_call',
      id: newId('ctc_'),
      ...common,
      input: typeof input === 'string' ? input : json,
    }
  }
  return { type: 'function_call', id: newId('fc_'), ...common, arguments: json }
}

/** An item before its content, as the first event of the item shows it. */
function begun(item: JsonObject): JsonObject {
  switch (item.type) {
    case 'message':
      return { ...item, status: 'in_progress', content: [] }
    case 'reasoning':
      return { ...item, summary: [] }
    case 'custom_tool_call':
      return { ...item, status: 'in_progress', input: '' }
    default:
      return { ...item, status: 'in_progress', arguments: '' }
  }
}

type Events = readonly (readonly [type: string, fields: JsonObject])[]

function eventsOf(item: JsonObject): Events {
  switch (item.type) {
    case 'message':
      return messageEvents((item.content as readonly JsonObject[])[0]!)
    case 'reasoning':
      return reasoningEvents((item.summary as readonly JsonObject[])[0]!)
    case 'custom_tool_call':
      return [
        ['response.custom_tool_call_input.delta', { delta: item.input }],
        ['response.custom_tool_call_input.done', { input: item.input }],
      ]
    default:
      return [
        ['response.function_call_arguments.delta', { delta: item.arguments }],
        ['response.function_call_arguments.done', { name: item.name, arguments: item.arguments }],
      ]
  }
}

function messageEvents(part: JsonObject): Events {
  const place = { content_index: 0 }
  if (part.type === 'refusal')
    return [
      ['response.content_part.added', { ...place, part: { type: 'refusal', refusal: '' } }],
      ['response.refusal.delta', { ...place, delta: part.refusal }],
      ['response.refusal.done', { ...place, refusal: part.refusal }],
      ['response.content_part.done', { ...place, part }],
    ]
  return [
    ['response.content_part.added', { ...place, part: { ...part, text: '' } }],
    ['response.output_text.delta', { ...place, delta: part.text, logprobs: [] }],
    ['response.output_text.done', { ...place, text: part.text, logprobs: [] }],
    ['response.content_part.done', { ...place, part }],
  ]
}

function reasoningEvents(part: JsonObject): Events {
  const place = { summary_index: 0 }
  return [
    ['response.reasoning_summary_part.added', { ...place, part: { ...part, text: '' } }],
    ['response.reasoning_summary_text.delta', { ...place, delta: part.text }],
    ['response.reasoning_summary_text.done', { ...place, text: part.text }],
    ['response.reasoning_summary_part.done', { ...place, part }],
  ]
}
