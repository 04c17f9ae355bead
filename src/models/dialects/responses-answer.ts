import type { AIMessage } from '@langchain/core/messages'
import { isObject } from '../../text/json.ts'
import { readTokens, reconcileUsage } from '../../text/reported-usage.ts'
import {
  type AnswerParts,
  type CollectedAnswer,
  createEmptyAnswer,
  createMessage,
  newId,
  splitAnswer,
} from './answer-parts.ts'
import type { AgentRequest, AnswerReader, AnswerRecipient, JsonObject } from './dialect.ts'
import { contentText, eventText, readArguments, readObject, readObjects, readText } from './fields.ts'

/** Writes an answer as the body of OpenAI's Responses API. */
export function writeResponse(answer: AIMessage, request: AgentRequest): JsonObject {
  const parts = splitAnswer(answer, request)
  return finished(writeHead(request), parts, writeItems(parts))
}

/** Writes an answer as the events of a streamed response. */
export function* responseEvents(answer: AIMessage, request: AgentRequest): Iterable<string> {
  const parts = splitAnswer(answer, request)
  const items = writeItems(parts)
  const head = writeHead(request)
  let sequence = 0
  const event = (type: string, fields: JsonObject): string =>
    eventText({ type, sequence_number: sequence++, ...fields }, type)
  yield event('response.created', { response: head })
  yield event('response.in_progress', { response: head })
  for (const [index, item] of items.entries()) {
    const place = { item_id: item.id, output_index: index }
    yield event('response.output_item.added', { output_index: index, item: begun(item) })
    for (const [type, fields] of writeItemEvents(item)) yield event(type, { ...place, ...fields })
    yield event('response.output_item.done', { output_index: index, item })
  }
  const response = finished(head, parts, items)
  yield event(`response.${readText(response.status)}`, { response })
}

function writeHead(request: AgentRequest): JsonObject {
  return {
    id: newId('resp_'),
    object: 'response',
    created_at: Math.floor(Date.now() / 1_000),
    status: 'in_progress',
    background: false,
    error: null,
    incomplete_details: null,
    instructions: null,
    metadata: {},
    max_output_tokens: request.maxOutputTokens,
    model: request.model,
    output: [],
    parallel_tool_calls: true,
    previous_response_id: null,
    reasoning: { effort: null, summary: null },
    store: false,
    temperature: 1,
    text: { format: { type: 'text' } },
    tool_choice: 'auto',
    tools: [],
    top_p: 1,
    truncation: 'disabled',
    usage: null,
    user: null,
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

function writeItems({ text, reasoning, refusal, calls }: AnswerParts): JsonObject[] {
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
  const plainName = namespace === undefined ? name : name.slice(`${namespace}__`.length)
  const common = {
    call_id: id,
    name: plainName,
    ...(namespace === undefined ? {} : { namespace }),
    status: 'completed',
  }
  if (tool?.isFreeform === true) {
    const { input } = readArguments(json)
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

function writeItemEvents(item: JsonObject): Events {
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

/** Events whose `response` is the whole answer. */
const endings = new Set(['response.completed', 'response.incomplete', 'response.failed'])

/** Reads OpenAI's responses: one body, or the events of a stream. */
export function openResponsesReader({ model }: AnswerRecipient, isStreamed: boolean): AnswerReader {
  let whole: CollectedAnswer | null = null
  let partial: CollectedAnswer | null = null
  return {
    take(part) {
      if (!isStreamed) {
        if (Array.isArray(part.output)) whole = collect(part)
        return { ...part, model }
      }
      const type = readText(part.type)
      if (endings.has(type)) whole = collect(readObject(part.response), partial)
      else if (type.startsWith('response.')) partial = addDelta(partial ?? createEmptyAnswer(), type, part)
      return isObject(part.response) ? { ...part, response: { ...part.response, model } } : part
    },
    isComplete: () => whole !== null,
    answer() {
      const response = whole ?? partial
      return response === null ? null : createMessage(response)
    },
  }
}

/** Adds an event to an answer. The stream may break off before its end. */
function addDelta(answer: CollectedAnswer, type: string, part: JsonObject): CollectedAnswer {
  if (type === 'response.output_text.delta') answer.text += readText(part.delta)
  else if (/^response\.reasoning\w*\.delta$/.test(type)) answer.reasoning += readText(part.delta)
  else if (type === 'response.refusal.delta') answer.refusal += readText(part.delta)
  else if (type === 'response.output_item.done') addCall(answer, readObject(part.item))
  return answer
}

/** Reads a whole response. Some servers omit the output from the last event. Then the events before it count. */
function collect(response: JsonObject, before: CollectedAnswer | null = null): CollectedAnswer {
  const items = readObjects(response.output)
  const answer = items.length === 0 && before !== null ? before : createEmptyAnswer()
  for (const item of items) {
    if (item.type === 'message') addMessage(answer, item)
    else if (item.type === 'reasoning')
      answer.reasoning += contentText(item.summary) || contentText(item.content)
    else addCall(answer, item)
  }
  answer.usage = reconcileUsage(readTokens(response.usage))
  answer.finishReason = chooseFinishReason(response, answer)
  return answer
}

function addMessage(answer: CollectedAnswer, item: JsonObject): void {
  for (const part of readObjects(item.content)) {
    if (part.type === 'refusal') answer.refusal += readText(part.refusal)
    else answer.text += readText(part.text)
  }
}

function addCall(answer: CollectedAnswer, item: JsonObject): void {
  if (item.type !== 'function_call' && item.type !== 'custom_tool_call') return
  const namespace = readText(item.namespace)
  answer.calls.push({
    id: readText(item.call_id),
    name: namespace === '' ? readText(item.name) : `${namespace}__${readText(item.name)}`,
    json: item.type === 'function_call' ? readText(item.arguments) : JSON.stringify({ input: item.input }),
  })
}

function chooseFinishReason(response: JsonObject, { calls }: CollectedAnswer): string {
  if (response.status !== 'incomplete') return calls.length > 0 ? 'tool_calls' : 'stop'
  return readObject(response.incomplete_details).reason === 'content_filter' ? 'content_filter' : 'length'
}
