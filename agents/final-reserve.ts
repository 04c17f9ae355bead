import type { BudgetMeter, Lane } from './budget.ts'
import { type BudgetReason, budgetReason } from './termination.ts'

/** A final answer is kept this share of a cap, within these bounds of tokens. */
const answerShare = 0.1
const leastAnswerTokens = 64
const mostAnswerTokens = 8_192
/** A turn that could not even name a tool is not worth its input. */
const leastTurnTokens = 64

/** What may be spent now so that a final answer stays affordable. */
export type TurnPlan =
  /** Go on; the turn may put out so much (null: no cap). */
  | { readonly kind: 'turn'; readonly maxOutputTokens: number | null }
  /** This is the last call that can be paid for. */
  | { readonly kind: 'final'; readonly reason: BudgetReason }

/**
 * Plans the next call. A turn of `i` input and `o` output tokens must leave enough for a last call that sends both again
 * and answers; where it does not, the next call is that last one. Tool results that come on top are cut to fit then.
 */
export function planTurn(meter: BudgetMeter, localInputTokens: number): TurnPlan {
  const calls = meter.left('modelCalls')
  if (calls !== null && calls <= 1) return { kind: 'final', reason: 'model-calls' }
  const input = meter.inputFor(localInputTokens)
  let most: number | null = null
  for (const lane of meter.lanes()) {
    const room = turnRoom(lane, input)
    if (room < leastTurnTokens) return { kind: 'final', reason: budgetReason(lane.kind) }
    most = most === null ? room : Math.min(most, room)
  }
  return { kind: 'turn', maxOutputTokens: Number.isFinite(most) ? most : null }
}

/** The local input tokens that a final call may send and still have room for an answer; null: no cap. */
export function finalInputTokens(meter: BudgetMeter): number | null {
  let most: number | null = null
  for (const lane of meter.lanes()) {
    if (lane.inputUnit === 0) continue
    const billed = (lane.left - answerTokens(lane) * lane.outputUnit) / lane.inputUnit
    const local = Math.floor(billed / (meter.inputFor(1_000) / 1_000))
    most = most === null ? local : Math.min(most, local)
  }
  return most
}

function turnRoom(lane: Lane, input: number): number {
  const rest = lane.left - 2 * input * lane.inputUnit - answerTokens(lane) * lane.outputUnit
  const unit = lane.inputUnit + lane.outputUnit
  return unit === 0 ? Number.POSITIVE_INFINITY : Math.floor(rest / unit)
}

function answerTokens(lane: Lane): number {
  if (lane.outputUnit === 0) return 0
  const share = Math.floor((lane.cap / lane.outputUnit) * answerShare)
  return Math.min(mostAnswerTokens, Math.max(leastAnswerTokens, share))
}
