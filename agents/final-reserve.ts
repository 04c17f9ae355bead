import type { BudgetMeter, TokenCap } from './budget.ts'
import { type BudgetReason, budgetReason } from './termination.ts'

/** The share of a cap that is reserved for the final answer, within the bounds below. */
const answerShare = 0.1
const minAnswerTokens = 64
const maxAnswerTokens = 8_192
/** A turn with fewer output tokens could not even name a tool. */
const minTurnTokens = 64

/** What the next call may spend, so that a final answer stays affordable. */
export type TurnPlan =
  /** The agent may continue with at most this many output tokens; null for no cap. */
  | { readonly kind: 'turn'; readonly maxOutputTokens: number | null }
  /** The next call is the last one that the budget covers. */
  | { readonly kind: 'final'; readonly reason: BudgetReason }

/**
 * Plans the next call. A turn of `i` input and `o` output tokens must leave enough for a last call that sends both again
 * and answers. Otherwise the next call is that last call. Tool results that are added later are shortened to fit.
 */
export function planTurn(meter: BudgetMeter, localInputTokens: number): TurnPlan {
  const calls = meter.left('modelCalls')
  if (calls !== null && calls <= 1) return { kind: 'final', reason: 'model-calls' }
  const input = meter.inputFor(localInputTokens)
  let most: number | null = null
  for (const tokenCap of meter.tokenCaps()) {
    const room = turnRoom(tokenCap, input)
    if (room < minTurnTokens) return { kind: 'final', reason: budgetReason(tokenCap.kind) }
    most = most === null ? room : Math.min(most, room)
  }
  return { kind: 'turn', maxOutputTokens: Number.isFinite(most) ? most : null }
}

/** Returns the most local input tokens of a final call that still leave room for an answer; null for no cap. */
export function finalInputTokens(meter: BudgetMeter): number | null {
  let most: number | null = null
  for (const tokenCap of meter.tokenCaps()) {
    if (tokenCap.inputUnit === 0) continue
    const billed = (tokenCap.left - answerTokens(tokenCap) * tokenCap.outputUnit) / tokenCap.inputUnit
    const local = Math.floor(billed / (meter.inputFor(1_000) / 1_000))
    most = most === null ? local : Math.min(most, local)
  }
  return most
}

function turnRoom(tokenCap: TokenCap, input: number): number {
  const rest = tokenCap.left - 2 * input * tokenCap.inputUnit - answerTokens(tokenCap) * tokenCap.outputUnit
  const unit = tokenCap.inputUnit + tokenCap.outputUnit
  return unit === 0 ? Number.POSITIVE_INFINITY : Math.floor(rest / unit)
}

function answerTokens(tokenCap: TokenCap): number {
  if (tokenCap.outputUnit === 0) return 0
  const share = Math.floor((tokenCap.cap / tokenCap.outputUnit) * answerShare)
  return Math.min(maxAnswerTokens, Math.max(minAnswerTokens, share))
}
