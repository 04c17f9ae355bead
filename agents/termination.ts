import type { AttemptEnd, Termination } from '../src/core/attempt.ts'
import { BudgetRefusedError, ProviderError } from '../src/core/errors.ts'
import { oneLine } from '../src/text/plain-text.ts'

export type BudgetReason = Extract<AttemptEnd, { cause: 'budget' }>['reason']

/** An end with its words. `detail` holds nothing of host, port, path or elapsed time, so that equal runs have equal records. */
export type End = AttemptEnd & Pick<Termination, 'detail' | 'fatalService'>

/** How the work on an answer ended. */
export interface Ended {
  readonly end: End
  /** As the model wrote it; null when there is none. */
  readonly answerText: string | null
}

/** The wall-clock budget ran out: the reason that the attempt's signal aborts with. */
export class WallClockSpent extends Error {
  override readonly name = 'WallClockSpent'
}

/** The operator stopped the attempt: the reason that the attempt's signal aborts with. */
export class OperatorCancelled extends Error {
  override readonly name = 'OperatorCancelled'
}

/** A tool broke in a way that no tool may: a bug of ours. */
export class ToolCrash extends Error {
  override readonly name = 'ToolCrash'
}

/** A request that a strict replay does not know, where the operator asked for that to be the end. */
export class ReplayMiss extends Error {
  override readonly name = 'ReplayMiss'
}

const budgetReasons: Readonly<Record<string, BudgetReason>> = {
  tokens: 'tokens',
  modelCalls: 'model-calls',
  searchCalls: 'search-calls',
  fetchCalls: 'fetch-calls',
  wallMs: 'wall-clock',
  usd: 'cost',
}

/** The termination's reason for a kind of budget. */
export function budgetReason(kind: string): BudgetReason {
  const reason = budgetReasons[kind]
  if (reason === undefined) throw new Error(`no termination for a budget of ${kind}`)
  return reason
}

/**
 * What a failure means for the attempt. `failing` is the provider that was failing when the attempt's signal fell: such
 * an attempt ends by its provider and never by a budget that ran out while it waited.
 */
export function endOfFailure(error: unknown, failing: ProviderError | null): End {
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
  if (error instanceof ProviderError) return endOfProvider(error)
  return { cause: 'harness', reason: 'crash', detail: plainDetail(chainOf(error)) }
}

function endOfProvider(error: ProviderError): End {
  const detail = plainDetail(error.message)
  if (error.reason === 'context-window') return { cause: 'budget', reason: 'context-window', detail }
  const fatal = error.fatalService === null ? {} : { fatalService: error.fatalService }
  return { cause: 'provider', reason: error.reason, detail, ...fatal }
}

export function terminationOf(
  end: End,
  facts: { answerProduced: boolean; forcedFinal: boolean; lastHealthyStep: number },
): Termination {
  const { detail, ...pair } = end
  return { ...pair, ...facts, detail }
}

function chainOf(error: unknown): string {
  const words: string[] = []
  let link = error
  while (link !== undefined && link !== null && words.length < 5) {
    words.push(link instanceof Error ? `${link.name}: ${link.message}` : String(link))
    link = link instanceof Error ? link.cause : undefined
  }
  return words.join('; caused by ')
}

const varying: readonly (readonly [RegExp, string])[] = [
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

/** A message without what differs between two equal runs, on one line, at most 500 characters. */
export function plainDetail(message: string): string {
  let text = message
  for (const [pattern, replacement] of varying) text = text.replace(pattern, replacement)
  text = oneLine(text)
  return text.length > 500 ? `${text.slice(0, 499)}…` : text
}
