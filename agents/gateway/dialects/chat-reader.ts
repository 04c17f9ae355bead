import { isObject } from '../../../src/text/json.ts'
import { readTokens, reconcileUsage } from '../../../src/text/reported-usage.ts'
import { emptyAnswer, messageOf } from './answer-parts.ts'
import type { AgentRequest, AnswerReader, JsonObject } from './dialect.ts'
import { contentText, objectOf, objectsOf, textOf, without } from './fields.ts'

/** Reads chat completions: one body, or the chunks of a stream. Only the first choice counts. */
export function openChatReader(asked: AgentRequest): AnswerReader {
  const collected = emptyAnswer()
  const calls: { id: string; name: string; json: string }[] = []
  let isRead = false

  const addCall = (delta: JsonObject): void => {
    const index = typeof delta.index === 'number' && delta.index < 1_000 ? delta.index : calls.length
    const call = (calls[index] ??= { id: '', name: '', json: '' })
    const called = objectOf(delta.function)
    if (textOf(delta.id) !== '') call.id = textOf(delta.id)
    // Some servers repeat the name in every chunk.
    if (textOf(called.name) !== '') call.name = textOf(called.name)
    call.json += isObject(called.arguments) ? JSON.stringify(called.arguments) : textOf(called.arguments)
  }
  return {
    take(part) {
      if (isObject(part.usage)) collected.usage = reconcileUsage(readTokens(part.usage)) ?? collected.usage
      const choices = objectsOf(part.choices)
      const choice = choices.find(one => (one.index ?? 0) === 0)
      if (choice !== undefined) {
        isRead = true
        const delta = objectOf(choice.delta ?? choice.message)
        collected.text += contentText(delta.content)
        collected.refusal += textOf(delta.refusal)
        collected.reasoning += textOf(delta.reasoning_content) || textOf(delta.reasoning)
        for (const call of objectsOf(delta.tool_calls)) addCall(call)
        const finish = isObject(choice.finish_reason) ? choice.finish_reason.type : choice.finish_reason
        if (typeof finish === 'string' && finish !== '') collected.finishReason = finish
      }
      const shown = 'model' in part ? { ...part, model: asked.model } : part
      if (!asked.isStreamed || asked.wantsUsage || !('usage' in part)) return shown
      // The client did not ask for the usage, and may not expect a chunk without a choice.
      return choices.length === 0 ? null : without(shown, ['usage'])
    },
    isComplete: () => collected.finishReason !== null,
    answer: () =>
      isRead ? messageOf({ ...collected, calls: calls.filter(call => call !== undefined) }) : null,
  }
}
