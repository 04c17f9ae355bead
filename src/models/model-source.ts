import type { ModelHandle, TokenPrice } from '../core/model.ts'
import type { RequestFields } from './request-fields.ts'

/** Options of a model. An absent option leaves the choice to the provider. */
export interface ModelOptions {
  /** The server of models whose name contains no URL. */
  readonly baseUrl?: string
  /** The context window in tokens. Takes precedence over the built-in table and over the server. */
  readonly contextWindow?: number
  /** Absent: what the maker of the model recommends. */
  readonly temperature?: number
  readonly topP?: number
  /** The maximum number of tokens of each answer. A smaller maximum of a single call takes precedence. */
  readonly maxOutputTokens?: number
  readonly reasoningEffort?: string
  /** Additional fields of each request. */
  readonly requestFields?: RequestFields
  /** The time limit of a request, including its answer. The default is 120,000. */
  readonly requestTimeoutMs?: number
  /** `auto` uses native tool calls unless the provider's package or the server reports that it has none. */
  readonly toolProtocol: 'auto' | 'native' | 'text'
  readonly seed: number
  /** US dollars per million tokens, by record name (`openai:gpt-4o`) or bare name. Precedes the built-in table. */
  readonly prices?: Readonly<Record<string, TokenPrice>>
  readonly env: Readonly<Record<string, string | undefined>>
}

/** The attempt that a model works for. Real models use only the seed; scripts also use the rest. */
export interface AttemptIdentity {
  readonly taskId: string
  readonly setting: string
  readonly trial: number
  readonly seed: number
}

/** A model that the user named. Each attempt has a handle of its own. */
export interface ModelSource {
  /** `PROVIDER:NAME` without a URL, as in records. */
  readonly name: string
  /** Returns the settings for the manifest, as they are sent, without secrets. */
  describe(): Record<string, unknown>
  /** Whether its requests can contain PDF files. Absent: no. */
  readonly takesPdf?: boolean
  /** Whether a system message after other messages is refused, or moved to the beginning. Absent: no. */
  readonly systemFirst?: boolean
  /** The hash of the answers, when they come from a file. Kept replies of a judge depend on it. */
  readonly answersSha256?: string
  /** Whether its requests can contain a JSON Schema that the answer must follow. Absent: no. */
  readonly takesResponseSchema?: boolean
  forAttempt(attempt: AttemptIdentity): ModelHandle
  /** Returns one line for the user when all attempts are finished; null when there is nothing to report. */
  closingNotice?(): string | null
}

/** The parts of `PROVIDER:NAME@URL`. */
export interface ModelSpec {
  readonly provider: string
  /** An empty string when the provider has a single model, as `extractive` does. */
  readonly name: string
  /** Null when the name contains no URL. */
  readonly url: string | null
}

/**
 * A provider of models: the part before the colon of `--model PROVIDER:NAME`.
 *
 * @example
 * import { definePlugin, type ModelProvider, openAiProvider } from 'tablehunt'
 *
 * const gateway: ModelProvider = openAiProvider({
 *   summary: 'the gateway of our company',
 *   keyVariable: 'GATEWAY_API_KEY',
 *   defaultUrl: 'http://127.0.0.1:8000/v1',
 * })
 * export default definePlugin({ models: { gateway } })
 */
export interface ModelProvider {
  /** One line for `tablehunt info models`. */
  readonly summary: string
  /** The environment variable of the API key; null when the provider needs no key. */
  readonly keyVariable: string | null
  /** The npm package that must be installed; null when the provider is built in. */
  readonly package: string | null
  /** Creates a model. Rejects with ConfigError when the name or the options are wrong. */
  create(spec: ModelSpec, options: ModelOptions): Promise<ModelSource>
}
