import type { StructuredToolInterface } from '@langchain/core/tools'
import type { EventBody } from '../logs/events.ts'
import type { RetrievedChunks } from '../retrieval/retrieval.ts'
import type { Context, IsolationMode } from '../src/core/attempt.ts'
import type { BudgetCaps } from '../src/core/budget.ts'
import type { CutStrategy } from '../src/core/cut-strategy.ts'
import type { RetrievalRecord } from '../src/core/discovery.ts'
import type { Chunk, ContextDocument } from '../src/core/document.ts'
import type { ModelHandle } from '../src/core/model.ts'
import type { SettingOptions } from '../src/core/option-spec.ts'
import type { AnswerSource, Prompts } from '../src/core/prompts.ts'
import type { Clock } from '../src/core/runtime.ts'
import type { Question } from '../src/core/task.ts'
import type { Termination } from '../src/core/termination.ts'
import type { Usage } from '../src/core/usage.ts'
import type { RetrievalMeasures } from '../src/evidence/retrieval-measures.ts'
import type { ToolEnvironment } from '../tools/tool.ts'

/** A request for the chunks of a question. */
export interface RetrieveRequest {
  /** One query per column of the answer; null to use the task's query. */
  readonly queries: readonly string[] | null
  /**
   * Rates passages with the model under test, for retrievers that need relevance ratings and have no endpoint for
   * them.
   */
  readonly relevance: (query: string, passages: readonly string[]) => Promise<readonly number[]>
}

/** The part of the tool environment that all attempts of a run share. */
export type SharedToolEnvironment = Omit<ToolEnvironment, 'charge' | 'retried' | 'signal'>

/** A message of a finished conversation, as its trace recorded it. */
export type TranscriptMessage =
  | { readonly role: 'system'; readonly text: string }
  | { readonly role: 'user'; readonly text: string }
  | {
      readonly role: 'assistant'
      readonly text: string
      readonly calls: readonly { readonly id: string; readonly name: string; readonly args: unknown }[]
      /** The reasoning that was sent with it, by the field of the message. Absent: none. */
      readonly reasoning?: Readonly<Record<string, unknown>>
    }
  | { readonly role: 'tool'; readonly text: string; readonly callId: string; readonly tool: string }

/** A turn of the model in a transcript. */
export type AssistantTurn = Extract<TranscriptMessage, { role: 'assistant' }>

/** The model that reads pages for a goal. */
export interface GoalReaderModel {
  readonly model: ModelHandle
  /** Its name in traces. */
  readonly name: string
  /** Whether it is another model than the one under test. Its tokens then have their own price. */
  readonly isOther: boolean
}

/** Everything that one attempt can use. A setting reads the parts it needs. */
export interface SettingEnvironment {
  readonly attemptId: string
  readonly model: ModelHandle
  readonly caps: BudgetCaps
  readonly prompts: Prompts
  readonly chainOfThought: boolean
  readonly cutStrategy: CutStrategy
  /** A cap on each answer in addition to the budget; null for none. */
  readonly maxOutputTokens: number | null
  /**
   * US dollars per search and per fetch; null when unknown. When absent, the search price is unknown and
   * fetches are free.
   */
  readonly webPrices?: { readonly searchUsd: number | null; readonly fetchUsd: number | null }
  /** The weights of cached input tokens and output tokens towards the token cap. The default is 1 each. */
  readonly tokenWeights?: { readonly cachedInput: number; readonly output: number }
  /** Whether a request that is missing in a strict replay ends the attempt. Absent: 'observe'. */
  readonly onReplayMiss?: 'observe' | 'end'
  readonly clock: Clock
  /** Aborts when the operator cancels. */
  readonly signal: AbortSignal
  /** The values of the setting's own options in this arm, by their names in the config file. */
  readonly options: Readonly<Record<string, unknown>>
  /** offline and rag: returns the task's documents in order, including unreadable ones. */
  documents(): Promise<readonly ContextDocument[]>
  /** Returns the path of a document's file; null when the document has none. Absent: no document has a file. */
  documentFile?(hint: string): Promise<string | null>
  /** rag: returns the chunks for the question. */
  retrieve(
    documents: readonly ContextDocument[],
    signal: AbortSignal,
    request: RetrieveRequest,
  ): Promise<RetrievedChunks>
  /**
   * rag: the most tokens of the chunks in the prompt, by the model's local count. No limit when null or
   * absent.
   */
  readonly contextTokens?: number | null
  /** rag: with `column`, the model first lists the columns of the answer, and each becomes a query. Absent: `task`. */
  readonly ragQuery?: 'task' | 'column'
  /** online: numbers of spent tokens at which the best table so far is requested. Absent: none. */
  readonly checkpointTokens?: readonly number[]
  /** Returns a separate handle of the same model for such requests. Absent: `model` is used. */
  shadowModel?(): ModelHandle
  /**
   * online: returns a handle of the model that reads pages for a goal (`--goal-reading`), and its price when it is another
   * model than the one under test. Absent: tools take no goal.
   */
  goalReader?(): GoalReaderModel
  /**
   * Returns the finished conversation that this attempt continues. Absent when it continues no conversation.
   */
  transcript?(): Promise<readonly TranscriptMessage[]>
  /** online: creates the tools of one attempt. */
  tools(environment: ToolEnvironment): readonly StructuredToolInterface[]
  readonly sharedToolEnvironment: SharedToolEnvironment
  /** online: who searches. Absent: our own agent loop. */
  readonly agent?: Agent
  /**
   * online: agents from outside get an HTTP proxy for the pages that they fetch by themselves. `modelHosts` are the hosts of
   * model providers that they may call through it. Null or absent: no proxy.
   */
  readonly agentProxy?: { readonly modelHosts: readonly string[] } | null
  /**
   * Called before each model turn. Returns a message of the user that comes before it; null for none. Absent: no turn has
   * one.
   */
  noteBefore?(step: number): string | null
  /** Of a fork: resolves when the recorded part has been replayed. The time until then is not that of the attempt. Absent: no fork. */
  readonly replayed?: Promise<void>
  /** Writes one event to the trace. `step` is the model turn. */
  emit(step: number, event: EventBody): void
  /** Stores a text among the run's blobs and returns its SHA-256. */
  keepText(text: string): string
  /** Returns whether a text contains an answer of the kind that a turn (0-based) asks for. */
  hasAnswer(answer: string, turn: number): boolean
}

/** The outcome of a setting. src/run/attempt/execute.ts turns it into the attempt record. */
export interface SettingOutcome {
  /**
   * The final text as the model wrote it; null when there is none. In a conversation, the answer to the last
   * question.
   */
  readonly answerText: string | null
  /**
   * The text for each question of a conversation, in order; null when it is missing. Absent for a task with
   * one question.
   */
  readonly turnTexts?: readonly (string | null)[]
  readonly termination: Termination
  readonly usage: Usage
  readonly context: Context | null
  /** rag: measures that do not need the gold. src/run/measure adds the others. */
  readonly retrieval: Omit<RetrievalRecord, keyof RetrievalMeasures> | null
  /** rag: the chunks in the prompt, for measures that need the gold. */
  readonly chunks: readonly Chunk[] | null
  /** rag: all retrieved chunks, best first, including those left out of the prompt. */
  readonly retrieved?: readonly Chunk[]
  /** How the agent was kept apart from this machine. Absent: the attempt was made by Tablehunt itself. */
  readonly isolation?: IsolationMode
}

/**
 * A way to ask a question: what the model receives, and how it produces its answer.
 *
 * @example
 * import { definePlugin, type Setting } from 'tablehunt'
 *
 * // Answers every question with an empty table.
 * const silent: Setting = {
 *   summary: 'an empty table for every question',
 *   source: 'memory',
 *   run: async () => ({
 *     answerText: '```csv\nname\n```',
 *     termination: {
 *       cause: 'agent',
 *       reason: 'answered',
 *       detail: null,
 *       answerProduced: true,
 *       forcedFinal: false,
 *       lastHealthyStep: 0,
 *     },
 *     usage: {
 *       inputTokens: 0,
 *       cachedInputTokens: 0,
 *       outputTokens: 0,
 *       reasoningTokens: 0,
 *       modelCalls: 0,
 *       searchCalls: 0,
 *       fetchCalls: 0,
 *       toolErrors: 0,
 *       wallMs: 0,
 *       workingMs: 0,
 *       usd: 0,
 *       usdModel: 0,
 *       usdSearch: 0,
 *       usdFetch: 0,
 *     },
 *     context: null,
 *     retrieval: null,
 *     chunks: null,
 *   }),
 * }
 * export default definePlugin({ settings: { silent } })
 */
export interface Setting {
  /** One line for --help. */
  readonly summary: string
  /** What the model answers from: documents of the task, the web, or its memory. */
  readonly source: AnswerSource
  /** The setting's own options. Each becomes an option of `run`. Absent: none. */
  readonly options?: SettingOptions
  /** Texts of the setting's own prompts, by any names. The hash of a run's prompts covers them. Absent: none. */
  readonly promptTexts?: Readonly<Record<string, unknown>>
  /**
   * What a question needs, for estimates: model requests, usually and at most, and the tokens of the documents that each
   * prompt shows. Absent: one request with the whole documents.
   */
  readonly needs?: {
    readonly requests: number
    readonly mostRequests: number
    readonly documentTokens: number
  }
  /** Runs one attempt. It rejects only because of bugs; every other end of an attempt is a termination. */
  run(question: Question, environment: SettingEnvironment): Promise<SettingOutcome>
}

/**
 * Who works on a task in the online setting: our own loop (`tablehunt`), or an agent from outside behind the gateway
 * (`behindGateway` makes one of a function, a command line makes one of a program).
 *
 * @example
 * import { type Agent, behindGateway } from 'tablehunt'
 *
 * const silent: Agent = behindGateway({
 *   summary: 'an agent that never answers',
 *   run: async () => ({ answerText: null, failure: 'it had no idea' }),
 * })
 */
export interface Agent {
  /** One line for --help and reports. */
  readonly summary: string
  /** Makes one attempt. Never rejects except for bugs: every end of an attempt is a termination. */
  run(question: Question, environment: SettingEnvironment): Promise<SettingOutcome>
}
