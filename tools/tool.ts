import type { StructuredToolInterface } from '@langchain/core/tools'
import type { Observation } from '../logs/event-parts.ts'
import type { DocumentReader } from '../retrieval/document-reader.ts'
import { ToolError } from '../src/core/errors.ts'
import type { Clock } from '../src/core/runtime.ts'
import type { PageReader } from './page/page-reader.ts'
import type { PageRenderer } from './page/renderer.ts'
import type { SearchProvider } from './search/provider.ts'
import type { Transport } from './web/transport.ts'

/** A text that a reader is asked to read. */
export interface GoalRequest {
  readonly goal: string
  readonly url: string
  /** The pages, the part or the passages that the agent would see without a goal. */
  readonly text: string
}

/** What a reader answers, or why it did not. */
export type GoalReading = { readonly answer: string } | { readonly problem: string }

/** Reads a text for a goal, and charges the attempt. A failing reader is a problem, not an error. */
export type GoalReader = (request: GoalRequest) => Promise<GoalReading>

/**
 * What the tools of one attempt work with. Every network call of a tool is charged before it is sent, retries
 * included.
 */
export interface ToolEnvironment {
  readonly transport: Transport
  readonly search: SearchProvider
  /** The search for scientific papers. Null or absent when the web has none. */
  readonly scholar?: SearchProvider | null
  readonly reader: DocumentReader
  /**
   * Runs the scripts of pages that are empty without them. Null or absent when no browser is available; pages then
   * say so.
   */
  readonly renderer?: PageRenderer | null
  /** Reads web pages instead of our own reader. */
  readonly pageReader?: PageReader
  /** Reads texts for a goal. Absent unless the run asks for it (`--goal-reading`): tools then take no goal. */
  readonly goalReader?: GoalReader
  readonly clock: Clock
  readonly signal: AbortSignal
  /** The language of the question, which searches follow. Absent outside an attempt. */
  readonly questionLanguage?: string
  /**
   * Charges one call.
   *
   * @throws BudgetRefusedError when the budget does not cover it
   */
  charge(kind: 'searchCalls' | 'fetchCalls', what: string): void
  /** Reports a retry for the trace. */
  retried(what: string, reason: string, retry: number, waitMs: number): void
  /** Stores a text among the run's blobs and returns its SHA-256. */
  keepText(text: string): string
}

/**
 * The artifact that accompanies a tool's text (LangChain's content_and_artifact). Traces and evidence use it; the
 * agent never sees it.
 */
export interface ToolArtifact {
  readonly truncated: boolean
  readonly observations: readonly Observation[]
}

/** Reports a call that downloaded a body but could not show the requested content, such as a page beyond the last. */
export class NotShownError extends ToolError {
  readonly observations: readonly Observation[]
  constructor(failure: ToolError, { observations }: ToolArtifact) {
    const { errorClass, message, infrastructure } = failure
    super(errorClass, message, { infrastructure, cause: failure })
    this.observations = observations
  }
}

/**
 * Creates a tool for one attempt: a LangChain structured tool with a zod schema and responseFormat
 * 'content_and_artifact'. The tool throws ToolError for failures that the agent should see, and
 * BudgetRefusedError when the budget is used up. It throws ProviderError when a search service stays
 * unavailable.
 */
export type ToolFactory = (environment: ToolEnvironment) => StructuredToolInterface
