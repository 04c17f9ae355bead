import { AIMessage } from '@langchain/core/messages'
import type { KeptReasoning } from '../src/core/model.ts'
import { isReasoning, listContentBlocks, messageText, reasoningFields } from '../src/models/model-answer.ts'
import { splitThinking } from '../src/text/thinking.ts'
import type { SettingEnvironment } from './setting.ts'

/**
 * Returns how long the reasoning of earlier turns is sent back to the model. `auto` follows the maker of the model, and
 * keeps reasoning until the next question when the maker's advice is unknown.
 */
export function chooseKeptReasoning({ options, model }: SettingEnvironment): KeptReasoning {
  if (options.keepReasoning === 'on') return 'always'
  if (options.keepReasoning === 'off') return 'never'
  return model.keptReasoning ?? 'question'
}

/**
 * Returns a message of the model without its reasoning: without `<think>` tags in its text, without the fields of
 * OpenAI-compatible servers and without the blocks of other providers. A message without reasoning is returned as it is.
 */
export function withoutReasoning(message: AIMessage): AIMessage {
  const isKept = ([name]: [string, unknown]): boolean =>
    !(reasoningFields as readonly string[]).includes(name)
  const fields = Object.entries(message.additional_kwargs)
  const extra = fields.filter(isKept)
  const content = plainContent(message)
  if (extra.length === fields.length && content === message.content) return message
  return copyMessage(message, content, Object.fromEntries(extra))
}

/** Returns the content without reasoning; the same value when it contains none. */
function plainContent(message: AIMessage): AIMessage['content'] {
  const { content } = message
  if (typeof content === 'string') {
    const { text, thought } = splitThinking(content)
    return thought === '' && text === content.trim() ? content : text
  }
  const blocks = listContentBlocks(message)
  const keptBlocks = blocks.filter(block => !isReasoning(block))
  return keptBlocks.length === blocks.length ? content : (keptBlocks as typeof content)
}

/**
 * Returns a text after its reasoning in `<think>` tags, as models write it; the text alone when there is no reasoning.
 */
export function withThoughts(message: AIMessage, text: string): string {
  const { thought } = splitThinking(messageText(message))
  return thought === '' ? text : `<think>\n${thought}\n</think>\n\n${text}`
}

/** Returns a copy of a message with another content and other additional fields. */
function copyMessage(
  message: AIMessage,
  content: AIMessage['content'],
  additional_kwargs: Record<string, unknown>,
): AIMessage {
  const { tool_calls = [], response_metadata } = message
  return new AIMessage({ content, tool_calls, response_metadata, additional_kwargs })
}
