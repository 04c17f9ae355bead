import type { AIMessage, BaseMessage } from '@langchain/core/messages'
import type { StructuredToolInterface } from '@langchain/core/tools'
import type { ProviderError } from './errors.ts'

export interface ModelCallOptions {
  readonly tools: readonly StructuredToolInterface[]
  /** Hard cap on this call's output; null leaves it to the provider. */
  readonly maxOutputTokens: number | null
  /** 'none': the tools are named, for the calls already in the conversation, but none may be called. Absent: as the model likes. */
  readonly toolChoice?: 'none'
  readonly signal: AbortSignal
  /** Told when the request has to wait since the provider refused others, with that refusal; null: it goes out after all. */
  readonly held?: (by: ProviderError | null, waitedMs: number) => void
}

/** US dollars a million tokens. */
export interface TokenPrice {
  readonly input: number
  readonly cachedInput: number
  readonly output: number
}

/**
 * A chat model under test or a judge, of whatever provider, built on LangChain's chat models.
 * `call` makes exactly one request (no retries inside) and rejects with ProviderError or the signal's reason.
 */
export interface ModelHandle {
  /** As the user named it: `extractive`, `openai:gpt-4o`. Goes into records; holds no URL. */
  readonly name: string
  /** Tokens of one request; null: no limit. */
  readonly contextWindow: number | null
  /** The most output tokens that the provider lets one request ask for; null or absent: not known. */
  readonly outputLimit?: number | null
  /** False: the agent loop offers its tools through text. */
  readonly nativeTools: boolean
  /** Null: unknown. */
  readonly price: TokenPrice | null
  /** A local count, no network; the provider's own may differ. */
  countTokens(text: string): number
  call(messages: readonly BaseMessage[], options: ModelCallOptions): Promise<AIMessage>
}
