import { BudgetRefusedError, ProviderError } from '../src/core/errors.ts'
import type { AttemptEnd, Termination } from '../src/core/termination.ts'
import { clipText, joinToOneLine } from '../src/text/plain-text.ts'

/** The reason of a termination with cause `budget`. */
export type BudgetReason = Extract<AttemptEnd, { cause: 'budget' }>['reason']

/**
 * The end of an attempt. `detail` contains no host, port, path or elapsed time, so that equal runs have equal
 * records.
 */
export type EndOfAttempt = AttemptEnd & {
  readonly detail: Termination['detail']
  readonly fatalService?: Termination['fatalService']
}

/** The end of an attempt together with its answer. */
export interface Ended {
  readonly end: EndOfAttempt
  /** The text as the model wrote it; null when there is none. */
  readonly answerText: string | null
}

/** The end of an attempt whose agent did nothing that leads to an answer. */
export function noProgressEnd(detail: string): EndOfAttempt {
  return { cause: 'agent', reason: 'no-progress', detail }
}

/** The abort reason when the wall-clock budget is used up. */
export class WallClockSpent extends Error {
  override readonly name = 'WallClockSpent'
}

/** The abort reason when the operator stops the attempt. */
export class OperatorCancelled extends Error {
  override readonly name = 'OperatorCancelled'
}

/** Reports that a tool threw an unexpected error, which is a bug. */
export class ToolCrash extends Error {
  override readonly name = 'ToolCrash'
}

/** Reports a request that is missing in a strict replay, when `--on-replay-miss end` is set. */
export class ReplayMiss extends Error {
  override readonly name = 'ReplayMiss'
}

/** Reports that a forked attempt did not repeat the recorded part of its source. */
export class Diverged extends Error {
  override readonly name = 'Diverged'
  constructor(step: number, difference: string) {
    super(`step ${step} differs from the trace: ${difference}`)
  }
}

const budgetReasons: Readonly<Record<string, BudgetReason>> = {
  tokens: 'tokens',
  modelCalls: 'model-calls',
  searchCalls: 'search-calls',
  fetchCalls: 'fetch-calls',
  wallMs: 'wall-clock',
  usd: 'cost',
}

/** Returns the termination reason for a kind of budget. */
export function budgetReason(kind: string): BudgetReason {
  const reason = budgetReasons[kind]
  if (reason === undefined) throw new Error(`no termination for a budget of ${kind}`)
  return reason
}

/** Returns the end of an attempt whose provider billed more than was reserved. */
export function overrunEnd(kind: string): EndOfAttempt {
  const detail = 'the provider billed more than its reservation'
  return { cause: 'budget', reason: budgetReason(kind), detail }
}

/**
 * Returns the end that an error means for the attempt.
 *
 * @param failing - the error of the provider that was failing when the attempt was aborted; null otherwise. Such an
 *   attempt ends with the provider's error and not with the wall-clock budget that ran out while it waited.
 */
export function endOfFailure(error: unknown, failing: ProviderError | null): EndOfAttempt {
  if (error instanceof OperatorCancelled) return { cause: 'operator', reason: 'cancelled', detail: null }
  if (error instanceof WallClockSpent) {
    if (failing !== null) return endOfProvider(failing)
    return { cause: 'budget', reason: 'wall-clock', detail: null }
  }
  if (error instanceof BudgetRefusedError) {
    const detail = error.kind === 'tokens' || error.kind === 'usd' ? 'the next call is not covered' : null
    return { cause: 'budget', reason: budgetReason(error.kind), detail }
  }
  if (error instanceof ReplayMiss)
    return { cause: 'harness', reason: 'replay-miss', detail: plainDetail(error.message) }
  if (error instanceof Diverged)
    return { cause: 'harness', reason: 'diverged', detail: plainDetail(error.message) }
  if (error instanceof ProviderError) return endOfProvider(error)
  return { cause: 'harness', reason: 'crash', detail: plainDetail(errorChain(error)) }
}

function endOfProvider(error: ProviderError): EndOfAttempt {
  const detail = plainDetail(error.message)
  if (error.reason === 'context-window') return { cause: 'budget', reason: 'context-window', detail }
  const fatal = error.fatalService === null ? {} : { fatalService: error.fatalService }
  return { cause: 'provider', reason: error.reason, detail, ...fatal }
}

/** Returns the termination record of an attempt. */
export function buildTermination(
  end: EndOfAttempt,
  facts: { answerProduced: boolean; forcedFinal: boolean; lastHealthyStep: number },
): Termination {
  const { detail, ...pair } = end
  return { ...pair, ...facts, detail }
}

function errorChain(error: unknown): string {
  const words: string[] = []
  let link = error
  while (link !== undefined && link !== null && words.length < 5) {
    words.push(link instanceof Error ? `${link.name}: ${link.message}` : String(link))
    link = link instanceof Error ? link.cause : undefined
  }
  return words.join('; caused by ')
}

const varyingParts: readonly (readonly [RegExp, string])[] = [
  [/\b[a-z][a-z0-9+.-]*:\/\/[^\s"'<>)\]]+/gi, '[url]'],
  [/(?<![\w.])(?:[A-Za-z]:)?(?:[\\/][\w.@+-]+){2,}(?::\d+)*/g, '[path]'],
  [/\[[0-9a-f:]*:[0-9a-f:]*\](?::\d+)?/gi, '[host]'],
  [/\b\d{1,3}(?:\.\d{1,3}){3}(?::\d+)?\b/g, '[host]'],
  [/\b(?:localhost|(?:[a-z0-9-]+\.)+[a-z]{2,}):\d+\b/gi, '[host]'],
  [/(?<![\w.])::1(?::\d+)?\b/g, '[host]'],
  [/\b\d+(?:\.\d+)?\s*(?:ms|milliseconds?|s|secs?|seconds?|min|minutes?)\b/gi, '[time]'],
  [/\b(?:req|chatcmpl|resp|msg)[-_][A-Za-z0-9-]{6,}\b/g, '[id]'],
  [/\bport \d+/gi, 'port [port]'],
]

/** Returns a message on one line, without the parts that differ between equal runs, at most 500 characters long. */
export function plainDetail(message: string): string {
  let text = message
  for (const [pattern, replacement] of varyingParts) text = text.replace(pattern, replacement)
  return clipText(joinToOneLine(text), 500, 499)
}
