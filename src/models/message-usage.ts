import type { AIMessage, BaseMessage, UsageMetadata } from '@langchain/core/messages'
import { countMessageTokens } from './message-tokens.ts'
import { countTokensCheaply } from './token-count.ts'

// LangChain infers the property's type as `undefined` under exactOptionalPropertyTypes, hence the detour.

/** Writes what a call was billed onto its answer; null: the provider did not say. */
export function setUsage(message: AIMessage, usage: UsageMetadata | null): AIMessage {
  if (usage === null) Reflect.deleteProperty(message, 'usage_metadata')
  else Reflect.set(message, 'usage_metadata', usage)
  return message
}

/** What a call was billed; null where the provider did not say. */
export function usageOf(message: AIMessage): UsageMetadata | null {
  const usage: unknown = Reflect.get(message, 'usage_metadata')
  const told = typeof usage === 'object' && usage !== null && 'input_tokens' in usage
  return told && typeof usage.input_tokens === 'number' ? withReasoning(usage as UsageMetadata) : null
}

/** xAI and Gemini count reasoning in the total alone, and bill it as output. */
export function withReasoning(usage: UsageMetadata): UsageMetadata {
  const { input_tokens, output_tokens, total_tokens } = usage
  return input_tokens + output_tokens < total_tokens
    ? { ...usage, output_tokens: total_tokens - input_tokens }
    : usage
}

/** What a model that runs here bills: its conversation, text and tool calls by the cheap local count. */
export function countedUsage(messages: readonly BaseMessage[], text: string, calls: unknown): UsageMetadata {
  const [input_tokens, output_tokens] = [countMessageTokens(messages), countOutputTokens(text, calls)]
  return { input_tokens, output_tokens, total_tokens: input_tokens + output_tokens }
}

/** The cheap local count of an answer's text and tool calls. */
export function countOutputTokens(text: string, calls: unknown): number {
  return countTokensCheaply(text) + countTokensCheaply(calls === undefined ? '' : JSON.stringify(calls))
}
