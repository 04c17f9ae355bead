import type { ModelHandle, TokenPrice } from '../core/model.ts'

/** How models are built; absent members leave the choice to the provider. */
export interface ModelOptions {
  /** Default server for a spec that names none. */
  readonly baseUrl?: string
  /** Tokens; wins over the table and over what the server says. */
  readonly contextWindow?: number
  readonly temperature?: number
  readonly topP?: number
  /** Caps each answer where a call brings no smaller cap of its own. */
  readonly maxOutputTokens?: number
  readonly reasoningEffort?: string
  /** Whole request, answer included; 120 s unless told otherwise. */
  readonly requestTimeoutMs?: number
  /** `auto`: native unless the table, the provider's package or the server says that it has no tool calls. */
  readonly toolProtocol: 'auto' | 'native' | 'text'
  readonly seed: number
  /** US dollars a million tokens, by record name (`openai:gpt-4o`) or bare name; wins over the dated table. */
  readonly prices?: Readonly<Record<string, TokenPrice>>
  readonly env: Readonly<Record<string, string | undefined>>
}

/** What a model may know about the attempt it works for; real models use the seed alone. */
export interface AttemptIdentity {
  readonly taskId: string
  readonly setting: string
  readonly trial: number
  readonly seed: number
}

/** A model as the user named it; gives each attempt a handle of its own. */
export interface ModelSource {
  /** `PROVIDER:NAME` without URL, as in records. */
  readonly name: string
  /** For the manifest: settings as they are sent, no secrets. */
  describe(): Record<string, unknown>
  forAttempt(attempt: AttemptIdentity): ModelHandle
  /** One line for the operator when the attempts are done; null when there is nothing to say. */
  closingNotice?(): string | null
}

/** `PROVIDER:NAME@URL` taken apart. */
export interface ModelSpec {
  readonly provider: string
  /** '' where the provider needs none (`extractive`). */
  readonly name: string
  /** The spec's own URL; null when it has none. */
  readonly url: string | null
}

/**
 * A model provider: `--model NAME:MODEL` with its name before the colon.
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
  /** One line for `tablehunt models`. */
  readonly summary: string
  /** Environment variable of the key; null: needs none. */
  readonly keyVariable: string | null
  /** npm package that must be installed; null: built in. */
  readonly package: string | null
  create(spec: ModelSpec, options: ModelOptions): Promise<ModelSource>
}
