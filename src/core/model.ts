import type { AIMessage, BaseMessage } from '@langchain/core/messages'
import type { StructuredToolInterface } from '@langchain/core/tools'
import type { ProviderError } from './errors.ts'

/** Options of one model call. */
export interface ModelCallOptions {
  readonly tools: readonly StructuredToolInterface[]
  /** Hard cap on the tokens of the output; null for the provider's own cap. */
  readonly maxOutputTokens: number | null
  /**
   * `none`: the request describes the tools, because the conversation contains calls, but the model must not
   * call one. By default, the model may call tools.
   */
  readonly toolChoice?: 'none'
  readonly signal: AbortSignal
  /**
   * Called when the request must wait, with the refusal of another request that caused the wait. Called again with null when
   * the request is sent.
   */
  readonly held?: (by: ProviderError | null, waitedMs: number) => void
}

/** US dollars per million tokens. */
export interface TokenPrice {
  readonly input: number
  readonly cachedInput: number
  readonly output: number
}

/**
 * A chat model of any provider, as the model under test or as a judge. It uses LangChain's chat models. `call` sends exactly
 * one request, without retries, and rejects with ProviderError or the signal's reason.
 */
export interface ModelHandle {
  /** The name that the user gave, without a URL: `extractive`, `openai:gpt-4o`. Records contain it. */
  readonly name: string
  /** The most tokens of one request; null for no limit. */
  readonly contextWindow: number | null
  /** The most output tokens that the provider accepts in a request; null or absent when unknown. */
  readonly outputLimit?: number | null
  /** False: the agent loop describes its tools in the text of the prompt. */
  readonly nativeTools: boolean
  /** Null when unknown. */
  readonly price: TokenPrice | null
  /** Counts tokens on this machine. The provider's count may differ. */
  countTokens(text: string): number
  call(messages: readonly BaseMessage[], options: ModelCallOptions): Promise<AIMessage>
}
