import type { AIMessage, BaseMessage } from '@langchain/core/messages'
import { isObject } from '../text/json.ts'
import { joinToOneLine } from '../text/plain-text.ts'
import type { BilledUsage } from '../text/reported-usage.ts'
import { splitThinking } from '../text/thinking.ts'

/** A tool call that a model requested. */
export interface AskedCall {
  readonly id: string
  readonly name: string
  readonly args: unknown
}

/** A call whose arguments could not be read. */
export interface MalformedCall {
  readonly name: string
  readonly args: string
  readonly problem: string
}

/** The tokens that a provider billed for an answer. Null when it did not report the count. */
interface AnswerUsage {
  readonly inputTokens: number | null
  readonly cachedInputTokens: number | null
  readonly outputTokens: number | null
  readonly reasoningTokens: number | null
  /** True when the provider's counts do not add up in any known form. Absent otherwise. */
  readonly uncertain?: true
}

/** The answer of a model, in the same form for every provider. */
export interface ModelAnswer {
  /** The text without reasoning. */
  readonly text: string
  /** The reasoning content and the content of `<think>` tags; null when there is none. */
  readonly reasoning: string | null
  readonly calls: readonly AskedCall[]
  readonly malformed: readonly MalformedCall[]
  /** As OpenAI names it: stop, length, tool_calls, content_filter or refusal; `unknown` when it is missing. */
  readonly finishReason: string
  /** The refusal as the provider wrote it; null when the model did not refuse. */
  readonly refusal: string | null
  readonly usage: AnswerUsage | null
}

/** Reads an answer of a LangChain chat model. */
export function readModelAnswer(message: AIMessage): ModelAnswer {
  const { text, thought } = splitThinking(textOfContent(message.content))
  const finishReason = readFinishReason(message) ?? 'unknown'
  const reasoning = [reasoningText(message), thought].filter(part => part.trim() !== '')
  return {
    text,
    reasoning: reasoning.length === 0 ? null : reasoning.join('\n\n'),
    calls: (message.tool_calls ?? []).map(call => ({ id: call.id ?? '', name: call.name, args: call.args })),
    malformed: (message.invalid_tool_calls ?? []).map(call => ({
      name: call.name ?? '',
      args: call.args ?? '',
      problem: joinToOneLine(call.error ?? 'its arguments are not JSON').slice(0, 300),
    })),
    finishReason,
    refusal: readRefusal(message, finishReason),
    usage: countUsage(message),
  }
}

function textOfContent(content: AIMessage['content']): string {
  if (typeof content === 'string') return content
  return (content as readonly Record<string, unknown>[])
    .filter(({ type }) => type === 'text' || type === 'output_text')
    .map(({ text }) => readReasoningText(text))
    .join('')
}

function readRefusal(message: AIMessage, finishReason: string): string | null {
  const refusal = (message.additional_kwargs as Record<string, unknown>).refusal
  if (typeof refusal === 'string' && refusal.trim() !== '') return refusal
  return finishReason === 'refusal' ? 'the provider says that the model refused' : null
}

function countUsage(message: AIMessage): AnswerUsage | null {
  const usage = message.usage_metadata as BilledUsage | null | undefined
  if (usage === undefined || usage === null) return null
  return {
    inputTokens: asCount(usage.input_tokens),
    cachedInputTokens: asCount(usage.input_token_details?.cache_read),
    outputTokens: asCount(usage.output_tokens),
    reasoningTokens: asCount(usage.output_token_details?.reasoning),
    ...(usage.uncertain === true && { uncertain: true as const }),
  }
}

function asCount(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? Math.round(value) : null
}

/** Returns the text of a message. LangChain's own `text` splits even a plain string into blocks, which is slow. */
export function messageText(message: BaseMessage): string {
  return typeof message.content === 'string' ? message.content : message.text
}

const finishReasons: Readonly<Record<string, string>> = {
  end_turn: 'stop',
  eos: 'stop',
  eos_token: 'stop',
  eot: 'stop',
  completed: 'stop',
  finished: 'stop',
  stop_sequence: 'stop',
  complete: 'stop',
  max_tokens: 'length',
  max_length: 'length',
  max_output_tokens: 'length',
  max_completion_tokens: 'length',
  max_new_tokens: 'length',
  max_tokens_reached: 'length',
  token_limit: 'length',
  length_limit: 'length',
  context_length: 'length',
  incomplete: 'length',
  model_length: 'length',
  model_context_window_exceeded: 'length',
  tool_use: 'tool_calls',
  tool_call: 'tool_calls',
  safety: 'content_filter',
  recitation: 'content_filter',
  blocklist: 'content_filter',
  prohibited_content: 'content_filter',
  spii: 'content_filter',
  guardrail_intervened: 'content_filter',
  error_toxic: 'content_filter',
  content_filtered: 'content_filter',
  sensitive: 'content_filter',
}

/**
 * Returns why an answer ended, for any provider, in OpenAI's terms: `stop`, `length`, `tool_calls`, `content_filter` or
 * `refusal`. Returns null when the provider does not say.
 */
export function readFinishReason(message: AIMessage): string | null {
  const metadata = message.response_metadata as Record<string, unknown>
  const extra = message.additional_kwargs as Record<string, unknown>
  for (const key of ['finish_reason', 'finishReason', 'stop_reason', 'stopReason', 'done_reason']) {
    const finishReason = metadata[key] ?? extra[key]
    if (typeof finishReason === 'string' && finishReason !== '') return plainFinishReason(finishReason)
  }
  return null
}

/** Whether the meaning of a finish reason in OpenAI's terms is known. Gemini names calls of its model that it rejected. */
export function isKnownFinishReason(finishReason: string): boolean {
  const isKnown = ['refusal', 'function_call', ...Object.values(finishReasons)].includes(finishReason)
  return isKnown || /malformed_function_call|unexpected_tool_call|too_many_tool_calls/.test(finishReason)
}

/** Translates a provider's finish reason into OpenAI's terms. An unknown reason is returned in lower case. */
function plainFinishReason(finishReason: string): string {
  const word = finishReason.toLowerCase()
  // Gemini also names the filter: `content_filter: RECITATION`.
  return finishReasons[word] ?? (word.startsWith('content_filter') ? 'content_filter' : word)
}

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
export function readReasoningFields(message: {
  readonly additional_kwargs: object
}): Record<string, unknown> {
  const extra = message.additional_kwargs as Record<string, unknown>
  const present = reasoningFields.filter(field => extra[field] !== undefined && extra[field] !== null)
  return Object.fromEntries(present.map(field => [field, extra[field]]))
}

/** Returns the text of the reasoning that a message carries outside of its text; an empty string when there is none. */
export function reasoningText(message: AIMessage): string {
  const fields = readReasoningFields(message)
  // Routers send the same reasoning in two fields.
  const [first] = reasoningFields
    .map(field => readReasoningText(fields[field]))
    .filter(text => text.trim() !== '')
  return [first ?? '', ...listContentBlocks(message).filter(isReasoning).map(readReasoningText)]
    .filter(Boolean)
    .join('\n')
}

/** Returns the text of reasoning, which is a string, an object with a text, or a list of these. */
function readReasoningText(value: unknown): string {
  if (typeof value === 'string') return value
  if (Array.isArray(value)) return value.map(readReasoningText).filter(Boolean).join('\n')
  if (!isObject(value)) return ''
  return readReasoningText(value.thinking ?? value.reasoning ?? value.text ?? value.summary)
}

/** Returns whether a content block contains reasoning. */
export function isReasoning(block: Readonly<Record<string, unknown>>): boolean {
  return reasoningBlocks.has(block.type)
}

/** Returns the blocks of a message's content; an empty list when the content is a text. */
export function listContentBlocks({ content }: AIMessage): readonly Record<string, unknown>[] {
  return typeof content === 'string' ? [] : (content as readonly Record<string, unknown>[])
}
