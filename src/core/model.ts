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
  /** The strict JSON Schema that the server makes the answer follow. Absent: any text. */
  readonly responseSchema?: Readonly<Record<string, unknown>>
  readonly signal: AbortSignal
  readonly held?: WaitListener
}

/**
 * Called when a request must wait, with the refusal of another request that caused the wait. Called again with null when the
 * request is sent.
 */
export type WaitListener = (by: ProviderError | null, waitedMs: number) => void

/** The request forms of chat model servers for which agents bring clients of their own. */
export const modelDialects = ['chat-completions', 'responses', 'messages', 'gemini'] as const
/**
 * One of these forms: OpenAI's `POST /v1/chat/completions` and `POST /v1/responses`, Anthropic's `POST /v1/messages`,
 * and Gemini's `POST /v1beta/models/MODEL:generateContent`.
 */
export type ModelDialect = (typeof modelDialects)[number]

/** A request in one of the forms that a model's server answers. */
export interface ModelServerRequest {
  readonly dialect: ModelDialect
  /** The JSON body. It names the model as the server knows it, except in Gemini's form, where the URL names it. */
  readonly body: Readonly<Record<string, unknown>>
  /** Whether the answer is streamed. Only Gemini's form needs it, because its URL says so. */
  readonly isStreamed: boolean
  /** Headers of the agent that change what the form means, such as `anthropic-version`, by their names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly signal: AbortSignal
  readonly held?: WaitListener
}

/** The answer of a model's server with a status of success. */
export interface ModelServerAnswer {
  /** In lower case, such as `text/event-stream; charset=utf-8`; empty when the server names none. */
  readonly contentType: string
  /**
   * The bytes as they arrive. Must be iterated, because the request is under way until then. Rejects with ProviderError
   * when the answer breaks off, or with the signal's reason.
   */
  readonly body: AsyncIterable<Uint8Array>
}

/** How answers are sampled. Null leaves a setting to the provider. */
export interface ModelSampling {
  readonly temperature: number | null
  readonly topP: number | null
  readonly reasoningEffort: string | null
}

/** The server of a model, for requests that an agent has written. */
export interface ModelServer {
  /** The request forms that the server answers. */
  readonly dialects: readonly ModelDialect[]
  /** The model's name in requests. */
  readonly model: string
  /** The seed of the attempt. */
  readonly seed: number
  /** The run's settings of the model, which replace those that an agent has written. */
  readonly sampling: ModelSampling
  /**
   * Sends one request with the run's key and returns the answer. Its body is not read yet.
   *
   * @throws ProviderError when the server cannot be reached, takes too long or answers with an error
   * @throws the signal's reason when the caller aborts
   */
  send(request: ModelServerRequest): Promise<ModelServerAnswer>
}

/**
 * How long the reasoning of earlier turns is sent back to a model: not at all, until the next question of a conversation,
 * or always.
 */
export type KeptReasoning = 'never' | 'question' | 'always'

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
  /** What the maker of the model recommends. Absent: unknown. */
  readonly keptReasoning?: KeptReasoning
  /** Null when unknown. */
  readonly price: TokenPrice | null
  /** Counts tokens on this machine. The provider's count may differ. */
  countTokens(text: string): number
  call(messages: readonly BaseMessage[], options: ModelCallOptions): Promise<AIMessage>
  /** The model's server, for agents that bring a client of their own. Absent: the model has none, or it is not known. */
  readonly server?: ModelServer
}
