import type { SharedToolEnvironment } from '../../../agents/setting.ts'
import type { BlobStore } from '../../../logs/blobs.ts'
import type { Trace } from '../../../logs/writer.ts'
import type { Retrieval, StoreUse } from '../../../retrieval/retrieval.ts'
import type { loadTools } from '../../../tools/registry.ts'
import type { ContextDocument } from '../../core/document.ts'
import type { ModelHandle } from '../../core/model.ts'
import type { Clock } from '../../core/runtime.ts'
import type { Task } from '../../core/task.ts'
import type { LoadedPlugin } from '../../plugins/load-plugins.ts'
import type { Judge } from '../../score/judge/judge.ts'
import type { TokenWeights } from '../plan/caps.ts'
import type { PlannedAttempt } from '../plan/plan.ts'
import type { PromptSets } from '../plan/prompt-sets.ts'
import type { EnvironmentInput } from './environment.ts'
import type { OpenAgents } from './open-agents.ts'
import type { Allotment } from './run-budget.ts'
import type { Spans } from './spans/spans.ts'
import type { Web } from './web.ts'

/** Resources shared by all attempts of a run. They are opened once and closed with the run. */
export interface RunResources {
  /** The run's folder, with the records of earlier attempts. */
  readonly folder: string
  readonly clock: Clock
  readonly plugins: readonly LoadedPlugin[]
  /** Long texts of traces, by their hash. */
  readonly blobs: BlobStore
  /** Begins an attempt's trace; one that an interrupted run left is set aside. */
  openTrace(attemptId: string): Promise<Trace>
  /** What attempts write through, below another folder: for one whose records are collected elsewhere. */
  writingTo(folder: string): Pick<RunResources, 'blobs' | 'openTrace' | 'sharedToolEnvironment'>
  /** OpenTelemetry spans of attempts, where a collector is named. */
  readonly spans: Spans
  /** A text of a provider's or of ours without the keys of this environment. */
  withoutSecrets(text: string): string
  /** Who searches, by the value of `--agent`. */
  readonly agents: OpenAgents
  readonly prompts: PromptSets
  /** Names of the scorers by which attempts are scored. */
  readonly scorers: readonly string[]
  readonly judge: Judge
  /** Null where no setting of the run goes online. */
  readonly web: Web | null
  readonly sharedToolEnvironment: SharedToolEnvironment
  readonly tools: Awaited<ReturnType<typeof loadTools>>
  /** What the run found around it, a line each. */
  readonly notices: readonly string[]
  /** What the models have to say once the attempts are done, a line each. */
  closingNotices(): string[]
  /** What an attempt may spend: its caps, within what the run's budget has left; may wait for other attempts. */
  allot(setting: string, model: ModelHandle, signal: AbortSignal): Promise<Allotment>
  readonly webPrices: { readonly searchUsd: number | null; readonly fetchUsd: number | null }
  readonly tokenWeights: TokenWeights
  /** `setting`: what a script's lines go by; `checkpoint` for questions on the side. */
  modelFor(planned: Omit<PlannedAttempt, 'setting'> & { readonly setting: string }): ModelHandle
  /** The provider and host that a model's limits belong to, by its name in records. */
  serviceFor(model: string): string
  /** Requests that a service takes at a time as far as is known; Infinity where it has refused none. */
  limitOf(service: string): number
  /** As they stand in records. */
  readonly modelNames: readonly string[]
  modelFacts(): Record<string, Record<string, unknown>>
  /** What of this machine decides what attempts find. */
  machine(): Promise<Omit<EnvironmentInput, 'config' | 'tasks'>>
  /** `tableFormat` for documents that are tables; absent: the run's first. */
  documents(task: Task, tableFormat?: string): Promise<readonly ContextDocument[]>
  /** By a retriever of the run. */
  retrieval(retriever: string): Retrieval
  /** Which store searched chunks in this process; null when none did. */
  storeUse(): StoreUse | null
  close(): Promise<void>
}
