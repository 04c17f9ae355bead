import type { AIMessage, BaseMessage } from '@langchain/core/messages'
import type { ModelCallOptions } from '../core/model.ts'
import type { ServerRecipe } from './model-server.ts'
import type { RequestFields } from './request-fields.ts'
import type { ServerLimits } from './server-limits.ts'

interface ModelAddress {
  /** The model's name in requests. */
  readonly model: string
  /** Null for the address that the client knows. */
  readonly baseUrl: string | null
}

/** The settings of one request. Null leaves a setting to the provider. */
export interface RequestSettings extends ModelAddress {
  readonly key: string | null
  readonly temperature: number | null
  readonly topP: number | null
  readonly maxOutputTokens: number | null
  readonly reasoningEffort: string | null
  readonly requestFields: RequestFields
  readonly seed: number
  readonly contextWindow: number
}

/** Sends the requests of one model. */
export interface ModelClient {
  /** Returns what the client's package knows about a model of the provider's own server. */
  readProfile(settings: RequestSettings): Promise<ServerLimits>
  /** Sends one request. Rejects with any error, which is then converted to a ProviderError. */
  call(
    settings: RequestSettings,
    messages: readonly BaseMessage[],
    options: ModelCallOptions,
  ): Promise<AIMessage>
}

/** Everything that differs between model providers. */
export interface ProviderRecipe {
  readonly summary: string
  /** The npm package of the client; null when the client is built in. */
  readonly package: string | null
  readonly keyVariable: string | null
  /** Environment variables that may contain the URL of a server. The first one that is set is used. */
  readonly urlVariables?: readonly string[]
  /** The URL of the provider. Absent when the client knows it. */
  readonly defaultUrl?: string
  /** Whether requests contain `requestFields`. Absent: the client takes none. */
  readonly takesRequestFields?: boolean
  /** Whether a model takes a temperature and top_p. Absent: every model does. */
  takesSampling?(address: ModelAddress): boolean
  /** Whether requests can contain PDF files. Absent: no. */
  readonly takesPdf?: boolean
  /** Whether a system message after other messages is refused, or moved to the beginning. Absent: no. */
  readonly systemFirst?: boolean
  /** Whether requests can contain a JSON Schema that the answer must follow. Absent: no. */
  readonly takesResponseSchema?: boolean
  /**
   * Loads the client of a model.
   *
   * @param recordName the name of the model in records, for messages
   * @throws ConfigError when its package is missing
   */
  loadClient(recordName: string): Promise<ModelClient>
  /** How the server takes requests that an agent has written. Absent: it does not, and agents' requests are translated. */
  readonly server?: ServerRecipe
  /** Asks the server for its context window and its support of tools. */
  askServer?(baseUrl: string, model: string, key: string | null): Promise<ServerLimits>
}
