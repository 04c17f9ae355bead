import { isObject, parseJsonOrNull } from '../../text/json.ts'
import { joinTokens, readTokens, reconcileUsage } from '../../text/reported-usage.ts'
import { argumentMembers } from '../../text/tool-calls/grammars.ts'
import { reasoningFields } from '../model-answer.ts'
import { createEmptyAnswer, createMessage, type WrittenCall } from './answer-parts.ts'
import type { AnswerReader, AnswerRecipient, JsonObject } from './dialect.ts'
import { readObject, readObjects, readText, without } from './fields.ts'

/**
 * Reads chat completions: one body, or the chunks of a stream. Only the first choice counts. It accepts these mistakes of
 * servers:
 * - content in parts or as an object, a refusal or calls among the parts; text in the member `text` of older interfaces;
 * - calls without the member `function`, in the old member `function_call`, as one object, as text, beside the message, or in
 *   a second choice;
 * - a number of the first choice that is a text, or not 0;
 * - calls without an id or with the id of another call;
 * - arguments that are an object, empty, `null` or encoded twice, or in a member with another name;
 * - usage that is spread over the chunks of a stream.
 */
export function openChatReader({ model, isStreamed, wantsUsage }: AnswerRecipient): AnswerReader {
  const collected = createEmptyAnswer()
  const reasoning: Record<string, unknown> = {}
  const calls: { id: string; name: string; json: string }[] = []
  let isRead = false
  let tokens: ReturnType<typeof readTokens> | null = null
  const readCall = (delta: JsonObject, place: number): void => {
    const call = (calls[place] ??= { id: '', name: '', json: '' })
    const called = isObject(delta.function) ? delta.function : delta
    const id = typeof delta.id === 'number' ? String(delta.id) : readText(delta.id)
    if (id !== '') call.id = id
    // Some servers repeat the name in every chunk.
    if (readText(called.name) !== '') call.name = readText(called.name)
    const args = argumentMembers.map(member => called[member]).find(value => (value ?? null) !== null) ?? ''
    call.json += typeof args === 'string' ? args : JSON.stringify(args)
  }
  const readMessage = (message: JsonObject, isDelta: boolean): void => {
    collected.text += answerText(message.content)
    collected.refusal += readText(message.refusal) || readRefusal(message.content)
    addReasoning(reasoning, message)
    for (const call of listCalls(message)) {
      const { index } = call
      if (isDelta && typeof index === 'number' && index < 1_000) readCall(call, index)
      else readCall(call, isDelta && isContinuation(call) ? Math.max(0, calls.length - 1) : calls.length)
    }
  }
  return {
    take(part) {
      if (isObject(part.usage)) {
        tokens = joinTokens(tokens, readTokens(part.usage))
        collected.usage = reconcileUsage(tokens)
      }
      const choices = isObject(part.choices) ? [part.choices] : readObjects(part.choices)
      const firstChoice = choices.find(({ index }) => Number(index ?? 0) === 0)
      const choice = firstChoice ?? choices.find(({ message }) => isObject(message))
      if (choice !== undefined) {
        // Gemini leaves the message out when its model ends without any text.
        const message = choice.delta ?? choice.message
        isRead ||=
          isObject(message) ||
          typeof choice.text === 'string' ||
          (typeof choice.finish_reason === 'string' && !hasUnknownMember(choice))
        const { text, tool_calls } = choice
        readMessage({ content: text, tool_calls, ...readObject(message) }, isObject(choice.delta))
        // Some versions of SGLang send { "type": "stop" }.
        const finish = isObject(choice.finish_reason) ? choice.finish_reason.type : choice.finish_reason
        if (typeof finish === 'string' && finish !== '') collected.finishReason = finish
        // Copilot sends the text of Claude and its calls as two choices.
        const other = calls.length === 0 && finish === 'tool_calls' ? choices.find(hasCalls) : undefined
        if (other !== undefined) readMessage(withoutText(readObject(other.message)), false)
      }
      const shown = 'model' in part ? { ...part, model } : part
      if (!isStreamed || wantsUsage || !('usage' in part)) return shown
      // The client did not ask for the usage, and may not expect a chunk without a choice.
      return choices.length === 0 ? null : without(shown, ['usage'])
    },
    isComplete: () => collected.finishReason !== null,
    answer: () => (isRead ? createMessage({ ...collected, calls: repairCalls(calls) }, reasoning) : null),
  }
}

/** The calls of a message or a delta, in any member. */
function listCalls({ tool_calls, tool_call, function_call, content }: JsonObject): readonly JsonObject[] {
  const parsed = typeof tool_calls === 'string' ? parseJsonOrNull(tool_calls) : tool_calls
  const list = readObjects([parsed].flat()).filter(call => Object.keys(call).length > 0)
  if (list.length > 0) return list
  if (isObject(tool_call)) return [tool_call]
  if (isObject(function_call)) return [{ function: function_call }]
  return readObjects(content).filter(({ type }) => callParts.has(type))
}

/** The types of parts of a message's content that are calls. */
const callParts: ReadonlySet<unknown> = new Set([
  'tool_use',
  'tool_call',
  'tool-call',
  'function_call',
  'function',
])

/** Whether a delta without the number of its call continues the call before it. */
function isContinuation(delta: JsonObject): boolean {
  const called = isObject(delta.function) ? delta.function : delta
  return readText(called.name) === '' && readText(delta.id) === ''
}

function hasCalls({ message }: JsonObject): boolean {
  return listCalls(readObject(message)).length > 0
}

function withoutText(message: JsonObject): JsonObject {
  return without(message, ['content'])
}

/** Members of a choice that contain nothing of the answer. */
const choiceMembers: ReadonlySet<string> = new Set([
  ...[
    'index',
    'finish_reason',
    'native_finish_reason',
    'stop_reason',
    'logprobs',
    'delta',
    'message',
    'error',
  ],
  ...['content_filter_results', 'content_filter_result', 'safety_ratings', 'matched_stop', 'usage', 'seed'],
  ...['token_ids', 'prompt_token_ids', 'routed_experts', 'hidden_states', 'finish_details', 'extra_content'],
])

/** Whether a choice contains something under a name that is not known, which may be the answer. */
function hasUnknownMember(choice: JsonObject): boolean {
  return Object.entries(choice).some(
    ([name, value]) => !choiceMembers.has(name) && typeof value === 'object' && value !== null,
  )
}

/** Gives each call an id of its own, and arguments in a form that servers take back. */
function repairCalls(calls: readonly WrittenCall[]): WrittenCall[] {
  const seenIds = new Set<string>()
  return calls
    .filter(call => call !== undefined)
    .map(({ id, name, json }, index) => {
      const uniqueId = id !== '' && !seenIds.has(id) ? id : `call_${index}_${seenIds.size}`
      seenIds.add(uniqueId)
      return { id: uniqueId, name, json: simplifyArguments(json) }
    })
}

function simplifyArguments(json: string): string {
  const text = json.trim()
  // Servers refuse `null` when they get it back.
  if (text === '' || text === 'null') return '{}'
  const inner = text.startsWith('"') ? parseJsonOrNull(text) : null
  // Invalid JSON is reported to the agent unchanged.
  return typeof inner === 'string' ? simplifyArguments(inner) : json
}

function answerText(content: unknown): string {
  if (typeof content === 'string') return content
  if (isObject(content)) return typeof content.text === 'string' ? content.text : JSON.stringify(content)
  if (!Array.isArray(content)) return ''
  return content.map(part => (typeof part === 'string' ? part : readText(readObject(part).text))).join('')
}

function readRefusal(content: unknown): string {
  return readText(readObjects(content).find(part => part.type === 'refusal')?.refusal)
}

/** Adds the reasoning of a message or a chunk. Structured reasoning comes in pieces with one index. */
function addReasoning(reasoning: Record<string, unknown>, message: JsonObject): void {
  for (const field of reasoningFields) {
    const value = message[field] ?? null
    if (value === null) continue
    const before = reasoning[field]
    if (typeof value === 'string' && typeof before === 'string') reasoning[field] = before + value
    else if (Array.isArray(value) && Array.isArray(before))
      for (const detail of value) addDetail(before, detail)
    else reasoning[field] = structuredClone(value)
  }
}

function addDetail(details: Record<string, unknown>[], detail: unknown): void {
  if (!isObject(detail)) return
  const earlierDetail = details.find(({ index, type }) => index === detail.index && type === detail.type)
  if (earlierDetail === undefined || detail.index === undefined) return void details.push({ ...detail })
  for (const [name, value] of Object.entries(detail))
    if (['text', 'summary', 'data'].includes(name) && typeof value === 'string')
      earlierDetail[name] = readText(earlierDetail[name]) + value
    else if (value !== null) earlierDetail[name] = value
}
