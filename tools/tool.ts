import type { StructuredToolInterface } from '@langchain/core/tools'
import type { Observation } from '../logs/events.ts'
import type { DocumentReader } from '../retrieval/document-reader.ts'
import { ToolError } from '../src/core/errors.ts'
import type { Clock } from '../src/core/runtime.ts'
import type { PageReader } from './page/page-reader.ts'
import type { PageRenderer } from './page/renderer.ts'
import type { SearchProvider } from './search/provider.ts'
import type { Transport } from './web/transport.ts'

/** What one attempt's tools run on. Every network call of a tool is charged before it is made, retries too. */
export interface ToolEnvironment {
  readonly transport: Transport
  readonly search: SearchProvider
  readonly reader: DocumentReader
  /** Runs the scripts of pages that are empty without; absent or null: no browser is here, and pages say so. */
  readonly renderer?: PageRenderer | null
  /** Reads web pages in place of our own reader. */
  readonly pageReader?: PageReader
  readonly clock: Clock
  readonly signal: AbortSignal
  /** Throws BudgetRefusedError where the budget does not cover one more. */
  charge(kind: 'searchCalls' | 'fetchCalls', what: string): void
  /** Reports a retry for the trace. */
  retried(what: string, reason: string, retry: number, waitMs: number): void
  /** Keeps a text among the run's blobs and gives its SHA-256. */
  keepText(text: string): string
}

/** The artifact beside a tool's text (LangChain's content_and_artifact): for trace and evidence, never for the agent. */
export interface ToolArtifact {
  readonly truncated: boolean
  readonly observations: readonly Observation[]
}

/** A call that got a body and could not show what was asked of it, such as a page beyond the last. */
export class NotShownError extends ToolError {
  readonly observations: readonly Observation[]
  constructor(failure: ToolError, { observations }: ToolArtifact) {
    const { errorClass, message, infrastructure } = failure
    super(errorClass, message, { infrastructure, cause: failure })
    this.observations = observations
  }
}

/**
 * A tool for one attempt: a LangChain structured tool with a zod schema and responseFormat 'content_and_artifact'.
 * It throws ToolError for what the agent should be told, BudgetRefusedError for a spent budget, ProviderError for a
 * search service that stays down.
 */
export type ToolFactory = (environment: ToolEnvironment) => StructuredToolInterface
