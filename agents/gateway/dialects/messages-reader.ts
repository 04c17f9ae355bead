import { isObject } from '../../../src/text/json.ts'
import { type BilledUsage, readTokens, reconcileUsage } from '../../../src/text/reported-usage.ts'
import { emptyAnswer, messageOf } from './answer-parts.ts'
import type { AgentRequest, AnswerReader, JsonObject } from './dialect.ts'
import { objectOf, objectsOf, textOf } from './fields.ts'

/** Reads Anthropic's messages: one body, or the events of a stream. */
export function openMessagesReader(asked: AgentRequest, isStreamed: boolean): AnswerReader {
  const collected = emptyAnswer()
  const calls = new Map<unknown, { id: string; name: string; json: string }>()
  let usage: JsonObject = {}
  let [isRead, isComplete] = [false, false]

  const addBlock = (index: unknown, block: JsonObject): void => {
    if (block.type === 'text') collected.text += textOf(block.text)
    else if (block.type === 'thinking') collected.reasoning += textOf(block.thinking)
    else if (block.type === 'tool_use') {
      const input = objectOf(block.input)
      // A streamed block begins without its input.
      const json = Object.keys(input).length === 0 ? '' : JSON.stringify(input)
      calls.set(index, { id: textOf(block.id), name: textOf(block.name), json })
    }
  }
  const addDelta = (index: unknown, delta: JsonObject): void => {
    collected.text += textOf(delta.text)
    collected.reasoning += textOf(delta.thinking)
    const call = calls.get(index)
    if (call !== undefined) call.json += textOf(delta.partial_json)
  }
  const addMessage = (message: JsonObject): void => {
    isRead = true
    usage = { ...usage, ...objectOf(message.usage) }
    for (const [index, block] of objectsOf(message.content).entries()) addBlock(index, block)
    if (typeof message.stop_reason === 'string') collected.finishReason = message.stop_reason
  }
  const takeEvent = (part: JsonObject): void => {
    switch (part.type) {
      case 'message_start':
        addMessage(objectOf(part.message))
        break
      case 'content_block_start':
        addBlock(part.index, objectOf(part.content_block))
        break
      case 'content_block_delta':
        addDelta(part.index, objectOf(part.delta))
        break
      case 'message_delta':
        usage = { ...usage, ...objectOf(part.usage) }
        collected.finishReason = textOf(objectOf(part.delta).stop_reason) || collected.finishReason
        break
      case 'message_stop':
        isComplete = true
    }
  }
  return {
    take(part) {
      if (isStreamed) takeEvent(part)
      else if (Array.isArray(part.content)) {
        addMessage(part)
        isComplete = true
      }
      if (isObject(part.message)) return { ...part, message: { ...part.message, model: asked.model } }
      return 'model' in part ? { ...part, model: asked.model } : part
    },
    isComplete: () => isComplete,
    answer() {
      if (!isRead) return null
      // The first event reports the input tokens only.
      return messageOf({
        ...collected,
        calls: [...calls.values()],
        usage: isComplete ? usageIn(usage) : null,
      })
    },
  }
}

/** Anthropic counts cached input separately, and reports no total. */
function usageIn(usage: JsonObject): BilledUsage | null {
  const tokens = readTokens(usage)
  const { prompt, cached, written } = tokens
  const input = prompt === null ? null : prompt + (cached ?? 0) + (written ?? 0)
  return reconcileUsage({ ...tokens, prompt: input })
}
