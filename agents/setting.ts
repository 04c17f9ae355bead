import type { StructuredToolInterface } from '@langchain/core/tools'
import type { EventBody } from '../logs/events.ts'
import type { RetrievedChunks } from '../retrieval/retrieval.ts'
import type { Context, Retrieval, Termination, Usage } from '../src/core/attempt.ts'
import type { BudgetCaps } from '../src/core/budget.ts'
import type { Chunk, ContextDocument } from '../src/core/document.ts'
import type { ModelHandle } from '../src/core/model.ts'
import type { SettingOptions } from '../src/core/option-spec.ts'
import type { AnswerSource, Prompts } from '../src/core/prompts.ts'
import type { Clock } from '../src/core/runtime.ts'
import type { Question } from '../src/core/task.ts'
import type { ToolEnvironment } from '../tools/tool.ts'
import type { Agent } from './agent.ts'

/** How the chunks of a question are asked for. */
export interface RetrieveRequest {
  /** One a column, as the model states them; null: the task's query as it is. */
  readonly queries: readonly string[] | null
  /** The model's own ratings of passages, for a retriever that asks what is relevant and has no endpoint to ask. */
  readonly relevance: (query: string, passages: readonly string[]) => Promise<readonly number[]>
}

/** The part of the tool environment that all attempts of a run share. */
export type SharedToolEnvironment = Omit<ToolEnvironment, 'charge' | 'retried' | 'signal'>

/** A message of a finished conversation, as its trace tells it. */
export type TranscriptMessage =
  | { readonly role: 'system'; readonly text: string }
  | { readonly role: 'user'; readonly text: string }
  | {
      readonly role: 'assistant'
      readonly text: string
      readonly calls: readonly { readonly id: string; readonly name: string; readonly args: unknown }[]
    }
  | { readonly role: 'tool'; readonly text: string; readonly callId: string; readonly tool: string }

/** What one attempt is given. A setting reads the parts it needs and nothing else of the run. */
export interface SettingEnvironment {
  readonly attemptId: string
  readonly model: ModelHandle
  readonly caps: BudgetCaps
  readonly prompts: Prompts
  readonly chainOfThought: boolean
  readonly cutStrategy: 'even' | 'head' | 'head-tail'
  /** Caps each answer beyond what the budget leaves; null: none. */
  readonly maxOutputTokens: number | null
  /** US dollars a search and a fetch; null: unknown. Absent: searches unknown, fetches free. */
  readonly webPrices?: { readonly searchUsd: number | null; readonly fetchUsd: number | null }
  /** What a cached input token and an output token count towards the cap in tokens. Absent: 1 each. */
  readonly tokenWeights?: { readonly cachedInput: number; readonly output: number }
  /** Whether a request that a strict replay does not know ends the attempt. Absent: 'observe'. */
  readonly onReplayMiss?: 'observe' | 'end'
  readonly clock: Clock
  /** Aborts with a reason when the operator cancels. */
  readonly signal: AbortSignal
  /** The values of the setting's own options in this arm, by their names in a config file. */
  readonly options: Readonly<Record<string, unknown>>
  /** offline and rag: the task's documents in its order, unreadable ones included. */
  documents(): Promise<readonly ContextDocument[]>
  /** rag: the chunks for the question. */
  retrieve(
    documents: readonly ContextDocument[],
    signal: AbortSignal,
    request: RetrieveRequest,
  ): Promise<RetrievedChunks>
  /** rag: tokens that the chunks in the prompt may have, by the model's local count. Null or absent: all that are retrieved. */
  readonly contextTokens?: number | null
  /** rag: `column` has the model state the answer's columns first, and asks once for each. Absent: `task`. */
  readonly ragQuery?: 'task' | 'column'
  /** online: tokens spent at which the best table so far is asked for, on the side. Absent: none. */
  readonly checkpointTokens?: readonly number[]
  /** A handle of the same model for questions on the side, so that `model` is not disturbed. Absent: `model`. */
  shadowModel?(): ModelHandle
  /** The finished conversation of the online attempt that this one continues. Absent: it continues none. */
  transcript?(): Promise<readonly TranscriptMessage[]>
  /** online: one attempt's tools. */
  tools(environment: ToolEnvironment): readonly StructuredToolInterface[]
  readonly sharedToolEnvironment: SharedToolEnvironment
  /** online: who searches. Absent: our own agent loop. */
  readonly agent?: Agent
  /** Writes one event; `step` is the model turn. */
  emit(step: number, event: EventBody): void
  /** Keeps a text among the run's blobs and gives its SHA-256. */
  keepText(text: string): string
  /** Whether an answer of the kind that a turn (0-based) asks for can be read from a text. */
  hasAnswer(answer: string, turn: number): boolean
}

/** What a setting returns; src/run/attempt/execute.ts makes the attempt record of it. */
export interface SettingOutcome {
  /** The final text as the model wrote it; null when there is none. Of a conversation: of the last question. */
  readonly answerText: string | null
  /** A conversation's text for each question, in their order; null where there is none. Absent: the task has one question. */
  readonly turnTexts?: readonly (string | null)[]
  readonly termination: Termination
  readonly usage: Usage
  readonly context: Context | null
  /** rag: measures that need no gold; run.ts adds those that do. */
  readonly retrieval: Pick<
    Retrieval,
    | 'retriever'
    | 'embedder'
    | 'k'
    | 'queries'
    | 'chunksInPrompt'
    | 'charsInPrompt'
    | 'tokensInPrompt'
    | 'coverage'
    | 'starvedHints'
  > | null
  /** rag: the chunks that stood in the prompt, for measures that need gold. */
  readonly chunks: readonly Chunk[] | null
  /** rag: all that were retrieved, best first, those left out of the prompt among them. */
  readonly retrieved?: readonly Chunk[]
}

/**
 * A way to ask a question: what the model is given, and how its answer comes about.
 *
 * @example
 * import { definePlugin, type Setting } from 'tablehunt'
 *
 * // Answers every question with an empty table, to see what a report counts as a miss.
 * const silent: Setting = {
 *   summary: 'an empty table for every question',
 *   source: 'memory',
 *   run: async () => ({
 *     answerText: '```csv\nname\n```',
 *     termination: {
 *       ...{ cause: 'agent', reason: 'answered', answerProduced: true },
 *       ...{ forcedFinal: false, lastHealthyStep: 0, detail: null },
 *     },
 *     usage: {
 *       ...{ inputTokens: 0, cachedInputTokens: 0, outputTokens: 0, reasoningTokens: 0 },
 *       ...{ modelCalls: 0, searchCalls: 0, fetchCalls: 0, toolErrors: 0, wallMs: 0, workingMs: 0 },
 *       ...{ usd: 0, usdModel: 0, usdSearch: 0, usdFetch: 0 },
 *     },
 *     ...{ context: null, retrieval: null, chunks: null },
 *   }),
 * }
 * export default definePlugin({ settings: { silent } })
 */
export interface Setting {
  /** One line for --help. */
  readonly summary: string
  /** What the model answers from: documents of the task, the web, or what it knows. */
  readonly source: AnswerSource
  /** Its own options, each of which becomes an option of `run`. Absent: none. */
  readonly options?: SettingOptions
  /** Never rejects but for bugs: every end of an attempt is a termination. */
  run(question: Question, environment: SettingEnvironment): Promise<SettingOutcome>
}
