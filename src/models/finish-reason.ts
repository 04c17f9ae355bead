import type { AIMessage } from '@langchain/core/messages'

const words: Readonly<Record<string, string>> = {
  end_turn: 'stop',
  stop_sequence: 'stop',
  complete: 'stop',
  max_tokens: 'length',
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
export function finishReasonOf(message: AIMessage): string | null {
  const metadata = message.response_metadata as Record<string, unknown>
  const extra = message.additional_kwargs as Record<string, unknown>
  for (const key of ['finish_reason', 'finishReason', 'stop_reason', 'stopReason', 'done_reason']) {
    const said = metadata[key] ?? extra[key]
    if (typeof said === 'string' && said !== '') return plainFinishReason(said)
  }
  return null
}

/** Translates a provider's finish reason into OpenAI's terms. An unknown reason is returned in lower case. */
export function plainFinishReason(said: string): string {
  const word = said.toLowerCase()
  // Gemini also names the filter: `content_filter: RECITATION`.
  return words[word] ?? (word.startsWith('content_filter') ? 'content_filter' : word)
}
