import { isObject, jsonOrNull } from '../../text/json.ts'
import { readTokens, reconcileUsage } from '../../text/reported-usage.ts'
import { reasoningFields } from '../model-answer.ts'
import { createEmptyAnswer, createMessage, type WrittenCall } from './answer-parts.ts'
import type { AnswerReader, AnswerRecipient, JsonObject } from './dialect.ts'
import { readObject, readObjects, readText, without } from './fields.ts'

/**
 * Reads chat completions: one body, or the chunks of a stream. Only the first choice counts. It accepts these mistakes of
 * servers:
 * - content in parts or as an object, a refusal among the parts;
 * - calls without the member `function`, or in the old member `function_call`;
 * - calls without an id or with the id of another call;
 * - arguments that are an object, empty, `null` or encoded twice.
 */
export function openChatReader({ model, isStreamed, wantsUsage }: AnswerRecipient): AnswerReader {
  const collected = createEmptyAnswer()
  const reasoning: Record<string, unknown> = {}
  const calls: { id: string; name: string; json: string }[] = []
  let isRead = false
  const readCall = (delta: JsonObject, place: number): void => {
    const call = (calls[place] ??= { id: '', name: '', json: '' })
    const called = isObject(delta.function) ? delta.function : delta
    const id = typeof delta.id === 'number' ? String(delta.id) : readText(delta.id)
    if (id !== '') call.id = id
    // Some servers repeat the name in every chunk.
    if (readText(called.name) !== '') call.name = readText(called.name)
    const args = called.arguments ?? ''
    call.json += typeof args === 'string' ? args : JSON.stringify(args)
  }
  const readMessage = (message: JsonObject, isDelta: boolean): void => {
    collected.text += answerText(message.content)
    collected.refusal += readText(message.refusal) || readRefusal(message.content)
    addReasoning(reasoning, message)
    const list = Array.isArray(message.tool_calls) ? message.tool_calls.map(readObject) : []
    if (list.length === 0 && isObject(message.function_call)) list.push({ function: message.function_call })
    for (const call of list) {
      const { index } = call
      readCall(call, isDelta && typeof index === 'number' && index < 1_000 ? index : calls.length)
    }
  }
  return {
    take(part) {
      if (isObject(part.usage)) collected.usage = reconcileUsage(readTokens(part.usage)) ?? collected.usage
      const choices = readObjects(part.choices)
      const choice = choices.find(({ index = 0 }) => (index ?? 0) === 0)
      if (choice !== undefined) {
        // Gemini leaves the message out when its model ends without any text.
        const message = choice.delta ?? choice.message
        isRead ||= isObject(message) || typeof choice.finish_reason === 'string'
        readMessage(readObject(message), isObject(choice.delta))
        // Some versions of SGLang send { "type": "stop" }.
        const finish = isObject(choice.finish_reason) ? choice.finish_reason.type : choice.finish_reason
        if (typeof finish === 'string' && finish !== '') collected.finishReason = finish
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
  const inner = text.startsWith('"') ? jsonOrNull(text) : null
  // Invalid JSON is reported to the agent unchanged.
  return typeof inner === 'string' ? simplifyArguments(inner) : json
}

function answerText(content: unknown): string {
  if (typeof content === 'string') return content
  if (isObject(content)) return JSON.stringify(content)
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
