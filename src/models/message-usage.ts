import type { AIMessage, UsageMetadata } from '@langchain/core/messages'

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
  return told && typeof usage.input_tokens === 'number' ? (usage as UsageMetadata) : null
}
