import type { StoredText } from '../../logs/event-parts.ts'
import type { IsolationMode } from '../../src/core/attempt.ts'
import type { BudgetCaps } from '../../src/core/budget.ts'
import type { AnswerKindName } from '../../src/core/metric.ts'
import type { PromptMessages } from '../../src/core/prompts.ts'

/**
 * The task as an external agent sees it: the JSON file that `TABLEHUNT_TASK` names. It contains no ground truth.
 *
 * @example
 * import type { AgentTask } from 'tablehunt'
 *
 * const promptOf = ({ prompt }: AgentTask): string => `${prompt.system}\n${prompt.user}`
 */
export interface AgentTask {
  readonly taskId: string
  readonly query: string
  readonly documentNames: readonly string[]
  /** A BCP 47 tag. */
  readonly language: string
  readonly answerKind: AnswerKindName
  /** The JSON schema of the answer; null when the task has none. */
  readonly schema: unknown
  /** The key columns of the table, under --show-columns; null otherwise. */
  readonly columns: readonly string[] | null
  readonly prompt: PromptMessages
  readonly budgets: BudgetCaps
  /** ISO 8601 time at which the attempt ends; null without a limit. */
  readonly deadline: string | null
}

/**
 * One attempt of an external agent.
 *
 * @example
 * import type { AgentJob } from 'tablehunt'
 *
 * const modelAddress = ({ addresses }: AgentJob): string => `${addresses.OPENAI_BASE_URL}/chat/completions`
 */
export interface AgentJob {
  readonly attemptId: string
  readonly task: AgentTask
  /** The addresses of the gateway, by the names of the environment variables that agents read, such as `OPENAI_BASE_URL`. */
  readonly addresses: Readonly<Record<string, string>>
  /** Aborts when the attempt must end. */
  readonly signal: AbortSignal
  /** Stores a text with the run when it is long, for `report`. */
  keepText(text: string): StoredText
  /** Does work after the attempt has ended, such as removing files. It cannot change the result, nor cost the agent time. */
  afterwards(work: () => Promise<void>): void
  /** Adds output of the agent, besides its answer, to the trace. */
  report(event: AgentReport): void
}

/**
 * Output of an agent besides its answer, or the end of its process.
 *
 * @example
 * import type { AgentJob, AgentReport } from 'tablehunt'
 *
 * const noted = ({ keepText }: AgentJob, text: string): AgentReport => ({
 *   type: 'agent-output',
 *   stream: 'stderr',
 *   text: keepText(text),
 * })
 */
export type AgentReport =
  | { readonly type: 'agent-output'; readonly stream: 'stdout' | 'stderr'; readonly text: StoredText }
  | { readonly type: 'agent-exited'; readonly exitCode: number | null; readonly signal: string | null }

/**
 * The result of an agent: its answer, or why it failed.
 *
 * @example
 * import type { AgentResult } from 'tablehunt'
 *
 * const found: AgentResult = { answerText: '```csv\nHotel,Beds\nAlder,12\n```', failure: null }
 */
export interface AgentResult {
  /** The text that contains the answer; null without an answer. */
  readonly answerText: string | null
  /** Why the agent failed, in one line without paths; null when it succeeded. */
  readonly failure: string | null
}

/**
 * An agent of another project: a function that runs it and waits for its answer.
 *
 * @example
 * import type { ExternalAgent } from 'tablehunt'
 *
 * const silent: ExternalAgent = {
 *   summary: 'an agent that never answers',
 *   run: async () => ({ answerText: null, failure: 'no answer was found' }),
 * }
 */
export interface ExternalAgent {
  /** One line for reports. */
  readonly summary: string
  /**
   * Whether the gateway changes the last model request that the budget covers so that it demands the answer, as for
   * Tablehunt's own agent. Absent: true.
   */
  readonly lastCallNote?: boolean
  /** How the agent is kept apart from this machine. Absent: `none`, as for a function in this process. */
  readonly isolation?: IsolationMode
  /**
   * Makes one attempt. When `job.signal` aborts, it stops the agent and returns the answer so far. An exception counts
   * as a failure of the agent.
   */
  run(job: AgentJob): Promise<AgentResult>
}
