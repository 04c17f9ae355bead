import type { AIMessage } from '@langchain/core/messages'

/** The parts of an error besides its message. */
interface CodedErrorOptions extends ErrorOptions {
  /** A stable name such as `unknown-model`, in kebab case: scripts and tests rely on it, not on the message. */
  readonly code: string
}

/** An error that the caller can act on: its message says what happened, where, and what to do. */
export abstract class CodedError extends Error {
  /** A stable name that docs/troubleshooting.md explains. */
  readonly code: string
  constructor(message: string, options: CodedErrorOptions) {
    super(message, options)
    this.code = options.code
  }
}

/**
 * Wrong input or settings. A command ends with exit code 2.
 *
 * @example
 * import { ConfigError, run } from 'tablehunt'
 *
 * try {
 *   await run({ tasks: 'missing.jsonl', out: 'runs/missing' })
 * } catch (error) {
 *   if (error instanceof ConfigError) console.log(error.code, error.message)
 * }
 */
export class ConfigError extends CodedError {
  override readonly name = 'ConfigError'
}

/**
 * Wrong data in a file; the message names the file and, for a record, its line. A command ends with exit code 2.
 *
 * @example
 * import { DataError, readRun } from 'tablehunt'
 *
 * try {
 *   await readRun('no-run')
 * } catch (error) {
 *   if (error instanceof DataError) console.log(error.code) // not-a-run
 * }
 */
export class DataError extends CodedError {
  override readonly name = 'DataError'
}

/**
 * A run that could not be carried out although its input was right. A command ends with exit code 1.
 *
 * @example
 * import { RunError, run } from 'tablehunt'
 *
 * try {
 *   await run({ tasks: 'tasks.jsonl', docs: 'documents', setting: 'offline', out: 'runs/first', limit: 2 })
 * } catch (error) {
 *   if (error instanceof RunError) console.log(error.code, error.message)
 *   else throw error
 * }
 */
export class RunError extends CodedError {
  override readonly name = 'RunError'
}

/**
 * An unexpected failure inside a plug-in; `cause` is what the plug-in threw. A command ends with exit code 1.
 *
 * @example
 * import { PluginError, score } from 'tablehunt'
 *
 * try {
 *   await score('Paris', { question: 'Capital of France?', gold: { kind: 'text', references: ['Paris'] } })
 * } catch (error) {
 *   if (error instanceof PluginError) console.log(error.message, error.cause)
 *   else throw error
 * }
 */
export class PluginError extends CodedError {
  override readonly name = 'PluginError'
}

/** The kinds of failure that a tool reports to the agent. */
export type ToolErrorClass =
  | 'bad-input'
  | 'not-found'
  | 'blocked'
  | 'timeout'
  | 'too-large'
  | 'unreadable'
  | 'network'
  | 'http-status'
  | 'replay-miss'
  | 'budget'

/**
 * A failed tool call. The agent sees the message as the result of its call, and the attempt continues.
 *
 * @example
 * import { defineTool, ToolError, z } from 'tablehunt'
 *
 * const divide = defineTool({
 *   name: 'divide',
 *   description: 'Divides a by b.',
 *   schema: z.object({ a: z.number(), b: z.number() }),
 *   run: async ({ a, b }) => {
 *     if (b === 0) throw new ToolError('bad-input', 'b is 0. Give another number.')
 *     return String(a / b)
 *   },
 * })
 */
export class ToolError extends Error {
  override readonly name = 'ToolError'
  readonly errorClass: ToolErrorClass
  /** True when the web or the infrastructure failed, so that the agent could not have done better. */
  readonly infrastructure: boolean
  constructor(
    errorClass: ToolErrorClass,
    message: string,
    options: { infrastructure?: boolean; cause?: unknown } = {},
  ) {
    super(message, { cause: options.cause })
    this.errorClass = errorClass
    this.infrastructure = options.infrastructure ?? false
  }
}

/** Why a model or search service failed. */
export type ProviderReason =
  | 'rate-limited'
  | 'unavailable'
  | 'timeout'
  | 'auth'
  | 'content-filter'
  | 'bad-response'
  | 'context-window'

/**
 * A failure of a model or search service. `retryable` says whether the same request may succeed later.
 *
 * @example
 * import { type JudgeFunction, ProviderError } from 'tablehunt'
 *
 * const judge: JudgeFunction = async prompt => {
 *   const response = await fetch('http://127.0.0.1:8000/complete', { method: 'POST', body: prompt })
 *   if (response.status === 429) throw new ProviderError('rate-limited', 'too many requests', { retryable: true })
 *   return await response.text()
 * }
 */
export class ProviderError extends Error {
  override readonly name = 'ProviderError'
  readonly reason: ProviderReason
  readonly retryable: boolean
  /** Milliseconds that the service asks clients to wait (Retry-After); null when it does not say. */
  readonly retryAfterMs: number | null
  /** The HTTP status of the answer; null when no answer came, or it is not known. */
  readonly status: number | null
  /** The part of an answer that came, and was billed, before the provider broke off; null when nothing came. */
  readonly answer: AIMessage | null
  /**
   * The name of the service when only the operator can fix its failure, such as a refused key or an unknown
   * model; null for any other failure.
   */
  readonly fatalService: string | null
  constructor(
    reason: ProviderReason,
    message: string,
    options: {
      retryable: boolean
      retryAfterMs?: number | null
      status?: number | null
      answer?: AIMessage | null
      fatalService?: string | null
      cause?: unknown
    },
  ) {
    super(message, { cause: options.cause })
    this.reason = reason
    this.retryable = options.retryable
    this.retryAfterMs = options.retryAfterMs ?? null
    this.status = options.status ?? null
    this.answer = options.answer ?? null
    this.fatalService = options.fatalService ?? null
  }
}

/** A call that the attempt's budget does not cover. Nothing was spent. */
export class BudgetRefusedError extends Error {
  override readonly name = 'BudgetRefusedError'
  readonly kind: string
  constructor(kind: string, message: string) {
    super(message)
    this.kind = kind
  }
}
