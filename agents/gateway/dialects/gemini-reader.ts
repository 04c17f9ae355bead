import type { UsageMetadata } from '@langchain/core/messages'
import { readTokens, reconcileUsage } from '../../../src/text/reported-usage.ts'
import { emptyAnswer, messageOf } from './answer-parts.ts'
import type { AgentRequest, AnswerReader } from './dialect.ts'
import { objectOf, objectsOf, textOf } from './fields.ts'

/** Reads Gemini's answers: one body, or the chunks of a stream, which have the same form. Only the first candidate counts. */
export function openGeminiReader(asked: AgentRequest): AnswerReader {
  const collected = emptyAnswer()
  let usage: UsageMetadata | null = null
  let isRead = false
  return {
    take(part) {
      usage = usageIn(part.usageMetadata) ?? usage
      const candidate = objectsOf(part.candidates)[0]
      const blocked = objectOf(part.promptFeedback).blockReason
      if (candidate !== undefined || blocked !== undefined) isRead = true
      if (blocked !== undefined) collected.finishReason = 'content_filter'
      for (const one of objectsOf(objectOf(candidate?.content).parts)) {
        if (one.thought === true) collected.reasoning += textOf(one.text)
        else collected.text += textOf(one.text)
        const called = objectOf(one.functionCall)
        if (textOf(called.name) === '') continue
        const json = JSON.stringify(called.args ?? {})
        collected.calls.push({ id: textOf(called.id), name: textOf(called.name), json })
      }
      if (typeof candidate?.finishReason === 'string') collected.finishReason = candidate.finishReason
      return 'modelVersion' in part ? { ...part, modelVersion: asked.model } : part
    },
    isComplete: () => collected.finishReason !== null,
    answer() {
      if (!isRead) return null
      // Every chunk reports the tokens so far. Only the last chunk has the billed number.
      return messageOf({ ...collected, usage: collected.finishReason === null ? null : usage })
    },
  }
}

function usageIn(usage: unknown): UsageMetadata | null {
  const { completion, reasoning, ...tokens } = readTokens(usage)
  // Thoughts are counted separately. An answer that consists of thoughts has no other output.
  const output = completion === null && reasoning === null ? null : (completion ?? 0) + (reasoning ?? 0)
  return reconcileUsage({ ...tokens, completion: output, reasoning, total: null })
}
