import type { AIMessage } from '@langchain/core/messages'
import { isObject } from '../text/json.ts'

/**
 * The members of a chat completion's message that contain reasoning. DeepSeek, vLLM, SGLang and llama.cpp use the first,
 * newer vLLM versions and gpt-oss servers the second, and routers the third, which may be signed or encrypted.
 */
export const reasoningFields = ['reasoning_content', 'reasoning', 'reasoning_details'] as const

/** The types of content blocks that contain reasoning. Anthropic's are signed. */
const reasoningBlocks: ReadonlySet<unknown> = new Set([
  'thinking',
  'redacted_thinking',
  'reasoning',
  'reasoning_content',
])

/** Returns the reasoning that a message carries beside its content, by field, as the server sent it. */
export function reasoningFieldsOf(message: { readonly additional_kwargs: object }): Record<string, unknown> {
  const extra = message.additional_kwargs as Record<string, unknown>
  const present = reasoningFields.filter(field => extra[field] !== undefined && extra[field] !== null)
  return Object.fromEntries(present.map(field => [field, extra[field]]))
}

/** Returns the text of the reasoning that a message carries outside of its text; an empty string when there is none. */
export function reasoningText(message: AIMessage): string {
  const fields = reasoningFieldsOf(message)
  // Routers send the same reasoning in two fields.
  const [first] = reasoningFields.map(field => textIn(fields[field])).filter(text => text.trim() !== '')
  return [first ?? '', ...blocksOf(message).filter(isReasoning).map(textIn)].filter(Boolean).join('\n')
}

/** Returns the text of reasoning, which is a string, an object with a text, or a list of these. */
export function textIn(value: unknown): string {
  if (typeof value === 'string') return value
  if (Array.isArray(value)) return value.map(textIn).filter(Boolean).join('\n')
  if (!isObject(value)) return ''
  return textIn(value.thinking ?? value.reasoning ?? value.text ?? value.summary)
}

/** Returns whether a content block contains reasoning. */
export function isReasoning(block: Readonly<Record<string, unknown>>): boolean {
  return reasoningBlocks.has(block.type)
}

/** Returns the blocks of a message's content; an empty list when the content is a text. */
export function blocksOf({ content }: AIMessage): readonly Record<string, unknown>[] {
  return typeof content === 'string' ? [] : (content as readonly Record<string, unknown>[])
}
