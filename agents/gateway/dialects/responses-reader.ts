import { isObject } from '../../../src/text/json.ts'
import { readTokens, reconcileUsage } from '../../../src/text/reported-usage.ts'
import { type CollectedAnswer, emptyAnswer, messageOf } from './answer-parts.ts'
import type { AgentRequest, AnswerReader, JsonObject } from './dialect.ts'
import { contentText, objectOf, objectsOf, textOf } from './fields.ts'

/** Events whose `response` is the whole answer. */
const endings = new Set(['response.completed', 'response.incomplete', 'response.failed'])

/** Reads OpenAI's responses: one body, or the events of a stream. */
export function openResponsesReader(asked: AgentRequest, isStreamed: boolean): AnswerReader {
  let whole: CollectedAnswer | null = null
  let partial: CollectedAnswer | null = null
  return {
    take(part) {
      if (!isStreamed) {
        if (Array.isArray(part.output)) whole = collect(part)
        return { ...part, model: asked.model }
      }
      const type = textOf(part.type)
      if (endings.has(type)) whole = collect(objectOf(part.response), partial)
      else if (type.startsWith('response.')) partial = addDelta(partial ?? emptyAnswer(), type, part)
      return isObject(part.response) ? { ...part, response: { ...part.response, model: asked.model } } : part
    },
    isComplete: () => whole !== null,
    answer() {
      const read = whole ?? partial
      return read === null ? null : messageOf(read)
    },
  }
}

/** Adds an event to an answer. The stream may break off before its end. */
function addDelta(answer: CollectedAnswer, type: string, part: JsonObject): CollectedAnswer {
  if (type === 'response.output_text.delta') answer.text += textOf(part.delta)
  else if (/^response\.reasoning\w*\.delta$/.test(type)) answer.reasoning += textOf(part.delta)
  else if (type === 'response.refusal.delta') answer.refusal += textOf(part.delta)
  else if (type === 'response.output_item.done') addCall(answer, objectOf(part.item))
  return answer
}

/** Reads a whole response. Some servers omit the output from the last event. Then the events before it count. */
function collect(response: JsonObject, before: CollectedAnswer | null = null): CollectedAnswer {
  const items = objectsOf(response.output)
  const answer = items.length === 0 && before !== null ? before : emptyAnswer()
  for (const item of items) {
    if (item.type === 'message') addMessage(answer, item)
    else if (item.type === 'reasoning')
      answer.reasoning += contentText(item.summary) || contentText(item.content)
    else addCall(answer, item)
  }
  answer.usage = reconcileUsage(readTokens(response.usage))
  answer.finishReason = finishOf(response, answer)
  return answer
}

function addMessage(answer: CollectedAnswer, item: JsonObject): void {
  for (const part of objectsOf(item.content)) {
    if (part.type === 'refusal') answer.refusal += textOf(part.refusal)
    else answer.text += textOf(part.text)
  }
}

function addCall(answer: CollectedAnswer, item: JsonObject): void {
  if (item.type !== 'function_call' && item.type !== 'custom_tool_call') return
  const namespace = textOf(item.namespace)
  answer.calls.push({
    id: textOf(item.call_id),
    name: namespace === '' ? textOf(item.name) : `${namespace}__${textOf(item.name)}`,
    json: item.type === 'function_call' ? textOf(item.arguments) : JSON.stringify({ input: item.input }),
  })
}

function finishOf(response: JsonObject, { calls }: CollectedAnswer): string {
  if (response.status !== 'incomplete') return calls.length > 0 ? 'tool_calls' : 'stop'
  return objectOf(response.incomplete_details).reason === 'content_filter' ? 'content_filter' : 'length'
}
