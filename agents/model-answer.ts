import type { AIMessage, BaseMessage } from '@langchain/core/messages'
import type { CallUsage } from '../logs/events.ts'
import { finishReasonOf } from '../src/models/finish-reason.ts'
import { reasoningText, textIn } from '../src/models/message-reasoning.ts'
import { oneLine } from '../src/text/plain-text.ts'
import type { BilledUsage } from '../src/text/reported-usage.ts'
import { splitThinking } from '../src/text/thinking.ts'

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
  readonly usage: CallUsage | null
}

/** Reads an answer of a LangChain chat model. */
export function readModelAnswer(message: AIMessage): ModelAnswer {
  const { text, thought } = splitThinking(textOfContent(message.content))
  const finishReason = finishReasonOf(message) ?? 'unknown'
  const reasoning = [reasoningText(message), thought].filter(part => part.trim() !== '')
  return {
    text,
    reasoning: reasoning.length === 0 ? null : reasoning.join('\n\n'),
    calls: (message.tool_calls ?? []).map(call => ({ id: call.id ?? '', name: call.name, args: call.args })),
    malformed: (message.invalid_tool_calls ?? []).map(call => ({
      name: call.name ?? '',
      args: call.args ?? '',
      problem: shortLine(call.error ?? 'its arguments are not JSON'),
    })),
    finishReason,
    refusal: refusalOf(message, finishReason),
    usage: usageOf(message),
  }
}

function textOfContent(content: AIMessage['content']): string {
  if (typeof content === 'string') return content
  return (content as readonly Record<string, unknown>[])
    .filter(({ type }) => type === 'text' || type === 'output_text')
    .map(({ text }) => textIn(text))
    .join('')
}

function refusalOf(message: AIMessage, finishReason: string): string | null {
  const said = (message.additional_kwargs as Record<string, unknown>).refusal
  if (typeof said === 'string' && said.trim() !== '') return said
  return finishReason === 'refusal' ? 'the provider says that the model refused' : null
}

function usageOf(message: AIMessage): CallUsage | null {
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

function shortLine(text: string): string {
  return oneLine(text).slice(0, 300)
}

/** Returns the text of a message. LangChain's own `text` splits even a plain string into blocks, which is slow. */
export function messageText(message: BaseMessage): string {
  return typeof message.content === 'string' ? message.content : message.text
}
