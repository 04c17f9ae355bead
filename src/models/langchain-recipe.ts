import type { AIMessage, BaseMessage } from '@langchain/core/messages'
import type { ProviderError } from '../core/errors.ts'
import type { ModelCallOptions } from '../core/model.ts'
import type { Fetch } from './checked-fetch.ts'
import type { ServerRecipe } from './model-server.ts'
import type { RequestFields } from './request-fields.ts'
import type { ServerLimits } from './server-limits.ts'

/** The settings of one request. Null leaves a setting to the provider. */
export interface RequestSettings {
  readonly model: string
  readonly baseUrl: string | null
  readonly key: string | null
  readonly temperature: number | null
  readonly topP: number | null
  readonly maxOutputTokens: number | null
  readonly reasoningEffort: string | null
  readonly requestFields: RequestFields
  readonly seed: number
  readonly contextWindow: number
}

/** Everything that differs between providers that LangChain supports. */
export interface LangChainRecipe {
  readonly summary: string
  readonly package: string
  readonly className: string
  readonly keyVariable: string | null
  /** Environment variables that may contain the URL of a server. The first one that is set is used. */
  readonly urlVariables?: readonly string[]
  /** The URL of the provider. Absent when LangChain's package knows it. */
  readonly defaultUrl?: string
  /** Whether the constructor fields of `fields` contain `requestFields`. Absent: LangChain's class takes none. */
  readonly takesRequestFields?: boolean
  /** Whether a model takes a temperature and top_p. Absent: every model does. */
  takesSampling?(settings: Pick<RequestSettings, 'model' | 'baseUrl'>): boolean
  /** Returns the constructor fields for one request. All of them are sent. */
  fields(settings: RequestSettings, fetch: Fetch | null): Record<string, unknown>
  /** Rewrites messages for LangChain's class. Absent: they are sent as they are. */
  messages?(messages: readonly BaseMessage[]): Promise<BaseMessage[]>
  /** Whether requests can contain PDF files. Absent: no. */
  readonly takesPdf?: boolean
  /** Whether a system message after other messages is refused, or moved to the beginning. Absent: no. */
  readonly systemFirst?: boolean
  /** Whether requests can contain a JSON Schema that the answer must follow. Absent: no. */
  readonly takesResponseSchema?: boolean
  /** Creates a `fetch` of our own for each request of a model. */
  transport?(name: string): Promise<CreateTransport>
  /** How the server takes requests that an agent has written. Absent: it does not, and agents' requests are translated. */
  readonly server?: ServerRecipe
  /** Asks the server for its context window and its support of tools. */
  askServer?(baseUrl: string, model: string, key: string | null): Promise<ServerLimits>
}

/** Creates the transport of one request from the messages that it sends and the schema of the answer. */
export type CreateTransport = (
  messages: readonly BaseMessage[],
  options: Pick<ModelCallOptions, 'responseSchema'>,
) => RequestTransport

/** Sends one request. */
export interface RequestTransport {
  readonly fetch: Fetch
  /** Returns the error of `fetch`, which a client may have wrapped in another one; null when it did not fail. */
  failure(): ProviderError | null
  /** Adds what LangChain leaves out to an answer. Throws ProviderError when the server broke the answer off. */
  finish(answer: AIMessage): void
}
