import type { AIMessage, BaseMessage, UsageMetadata } from '@langchain/core/messages'
import { type BilledUsage, readTokens, reconcileUsage } from '../text/reported-usage.ts'
import { countTokensCheaply } from './token-count.ts'

// `Reflect` is needed because LangChain infers the property's type as `undefined` under exactOptionalPropertyTypes.

/** Sets the billed usage of an answer. Null when the provider did not report it. */
export function setUsage(message: AIMessage, usage: UsageMetadata | null): AIMessage {
  if (usage === null) Reflect.deleteProperty(message, 'usage_metadata')
  else Reflect.set(message, 'usage_metadata', usage)
  return message
}

/** Returns the billed usage of an answer; null when the provider did not report it. */
export function readUsage(message: AIMessage): BilledUsage | null {
  const usage: unknown = Reflect.get(message, 'usage_metadata')
  const isReported = typeof usage === 'object' && usage !== null && 'input_tokens' in usage
  if (!isReported || typeof usage.input_tokens !== 'number') return null
  const reported = usage as BilledUsage
  if (reported.uncertain === true) return reported
  // LangChain adds what Gemini thought to the total alone.
  const isRestReasoning = true
  return reconcileUsage(readTokens(reported), isRestReasoning)
}

/** Returns the usage of a built-in model, counted by `countTokensCheaply`. */
export function countUsage(messages: readonly BaseMessage[], text: string, calls: unknown): UsageMetadata {
  const [input_tokens, output_tokens] = [countMessageTokens(messages), countOutputTokens(text, calls)]
  return { input_tokens, output_tokens, total_tokens: input_tokens + output_tokens }
}

const messageTokens = new WeakMap<BaseMessage, number>()

/** Counts the tokens of a conversation by `countTokensCheaply`. Each message is counted once. */
export function countMessageTokens(messages: readonly BaseMessage[]): number {
  let total = 0
  for (const message of messages) {
    let tokens = messageTokens.get(message)
    if (tokens === undefined) {
      tokens = countTokensCheaply(message.text) + 4
      messageTokens.set(message, tokens)
    }
    total += tokens
  }
  return total
}

/** Counts the tokens of an answer's text and tool calls by `countTokensCheaply`. */
export function countOutputTokens(text: string, calls: unknown): number {
  return countTokensCheaply(text) + countTokensCheaply(calls === undefined ? '' : JSON.stringify(calls))
}
