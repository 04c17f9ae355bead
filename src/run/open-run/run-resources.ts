import type { SharedToolEnvironment } from '../../../agents/setting.ts'
import type { BlobStore } from '../../../logs/blobs.ts'
import type { Trace } from '../../../logs/writer.ts'
import type { Retrieval } from '../../../retrieval/retrieval.ts'
import type { McpServers } from '../../../tools/mcp/mcp-servers.ts'
import type { loadTools } from '../../../tools/registry.ts'
import type { ContextDocument } from '../../core/document.ts'
import type { ModelHandle } from '../../core/model.ts'
import type { Clock } from '../../core/runtime.ts'
import type { Task } from '../../core/task.ts'
import type { LoadedPlugin } from '../../plugins/load-plugins.ts'
import type { Judge } from '../../score/judge/judge.ts'
import type { maxSpending, TokenWeights } from '../plan/caps.ts'
import type { PlannedAttempt } from '../plan/plan.ts'
import type { PromptSets } from '../plan/prompt-sets.ts'
import type { EnvironmentInput } from './environment.ts'
import type { OpenAgents } from './open-agents.ts'
import type { BudgetReservation } from './run-budget.ts'
import type { CleanRecord } from './secrets.ts'
import type { Spans } from './spans/spans.ts'
import type { SearchService, Web } from './web.ts'

/** What an attempt that searches with one service uses. */
export interface AttemptWeb {
  readonly shared: Pick<SharedToolEnvironment, 'search' | 'transport'>
  /** US dollars per call; null when unknown. */
  readonly webPrices: RunResources['webPrices']
}

/** Resources shared by all attempts of a run. They are opened once and closed with the run. */
export interface RunResources {
  /** The run's folder, with the records of earlier attempts. */
  readonly folder: string
  readonly clock: Clock
  readonly plugins: readonly LoadedPlugin[]
  /** The long texts of traces, by hash. */
  readonly blobs: BlobStore
  /** Begins an attempt's trace. Moves one that an interrupted run left out of the way. */
  openTrace(attemptId: string): Promise<Trace>
  /** Opens writers of attempts below another folder, for an attempt whose files are collected elsewhere. */
  writingTo(folder: string): Pick<RunResources, 'blobs' | 'openTrace' | 'sharedToolEnvironment'>
  /** OpenTelemetry spans of attempts, if a collector is configured. */
  readonly spans: Spans
  /** Removes the keys of this environment, and the questions that their benchmark encrypts, from a text. */
  withoutSecrets(text: string): string
  /** Removes the questions that their benchmark encrypts from a record before it is written. */
  readonly withoutQuestions: CleanRecord
  /** Who searches, by the value of `--agent`. */
  readonly agents: OpenAgents
  readonly prompts: PromptSets
  /** Names of the scorers by which attempts are scored. */
  readonly scorers: readonly string[]
  readonly judge: Judge
  /** Returns why the judge can rate no further attempt; null while it works. */
  judgeFailure(): string | null
  /** The web of the first search service. Null when no setting of the run searches the web. */
  readonly web: Web | null
  /** The further search services of a run with several. */
  readonly otherSearches: readonly SearchService[]
  /** Returns the web, and the price of a search, of an attempt with this search service. */
  searchedWeb(service: string | undefined): AttemptWeb
  readonly sharedToolEnvironment: SharedToolEnvironment
  /** What the manifest says about the servers of --mcp; null without one. */
  readonly mcpFacts: McpServers['facts'] | null
  readonly tools: Awaited<ReturnType<typeof loadTools>>
  /** Notices about web, browser, models and prices, one line each. */
  readonly notices: readonly string[]
  /** Notices of the models after the last attempt, one line each. */
  closingNotices(): string[]
  /** The most that an attempt can spend, requests of --reader-model included. */
  maxSpendingOf(setting: string, model: ModelHandle): ReturnType<typeof maxSpending>
  /** Reserves what an attempt may spend from the run's budget. May wait for other attempts. */
  allot(setting: string, model: ModelHandle, signal: AbortSignal): Promise<BudgetReservation>
  /** US dollars per call, for searches those of the most expensive service; null when unknown. */
  readonly webPrices: { readonly searchUsd: number | null; readonly fetchUsd: number | null }
  readonly tokenWeights: TokenWeights
  /** Returns the model of an attempt. A script chooses its lines by `setting`; shadow answers use `checkpoint`. */
  modelFor(planned: Omit<PlannedAttempt, 'setting'> & { readonly setting: string }): ModelHandle
  /** Returns the model of --reader-model for an attempt; null without one. */
  readerFor(planned: Omit<PlannedAttempt, 'setting'> & { readonly setting: string }): ModelHandle | null
  /** The name of that model in records; null without one. */
  readonly readerName: string | null
  /** Returns the provider and host whose rate limits apply to a model, by its name in records. */
  serviceFor(model: string): string
  /** Returns how many requests a service accepts at a time; Infinity while it has refused none. */
  limitOf(service: string): number
  /** The names of the models in records. */
  readonly modelNames: readonly string[]
  modelFacts(): Record<string, Record<string, unknown>>
  /** Returns the facts about this machine that results depend on. */
  machine(): Promise<Omit<EnvironmentInput, 'config' | 'tasks'>>
  /**
   * Loads a task's documents. `tableFormat` is the format of documents that are tables; the default is the
   * run's first.
   */
  documents(task: Task, tableFormat?: string): Promise<readonly ContextDocument[]>
  /** Returns the path of a task's document in the folder of documents; null when it is not a file there. */
  documentFile(task: Task, hint: string): Promise<string | null>
  /** Returns the retrieval of a retriever of the run. */
  retrieval(retriever: string): Retrieval
  close(): Promise<void>
}
