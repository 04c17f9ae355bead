import type { AIMessage, BaseMessage } from '@langchain/core/messages'
import type { ProviderError } from '../core/errors.ts'
import type { Fetch } from './checked-fetch.ts'
import type { ServerLimits } from './server-limits.ts'

/** What one request is built from. Null: left to the provider. */
export interface RequestSettings {
  readonly model: string
  readonly baseUrl: string | null
  readonly key: string | null
  readonly temperature: number | null
  readonly topP: number | null
  readonly maxOutputTokens: number | null
  readonly reasoningEffort: string | null
  readonly seed: number
  readonly contextWindow: number
}

/** A provider's ways, as far as they differ. */
export interface LangChainRecipe {
  readonly summary: string
  readonly package: string
  readonly className: string
  readonly keyVariable: string | null
  /** Environment variables that name a server, the first that is set counts. */
  readonly urlVariables?: readonly string[]
  /** Where the provider serves when nothing else is said; null: the package knows. */
  readonly defaultUrl?: string
  /** Constructor fields for one request; everything said here is really sent. */
  fields(settings: RequestSettings, fetch: Fetch | null): Record<string, unknown>
  /** Makes a fetch of our own for each request, which is made of these messages; `finish` completes its answer. */
  transport?(name: string): Promise<NewTransport>
  /** Asks the server itself for window and tools. */
  ask?(baseUrl: string, model: string, key: string | null): Promise<ServerLimits>
}

export type NewTransport = (messages: readonly BaseMessage[]) => RequestTransport

export interface RequestTransport {
  readonly fetch: Fetch
  /** What the fetch rejected with, however a client may have wrapped it; null: it did not. */
  failure(): ProviderError | null
  finish(answer: AIMessage): void
}
