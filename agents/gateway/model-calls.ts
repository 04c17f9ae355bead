import type { AIMessage } from '@langchain/core/messages'
import { BudgetRefusedError } from '../../src/core/errors.ts'
import { smallerCap } from '../../src/models/call-limits.ts'
import { untilAborted } from '../../src/system/retry.ts'
import type { AttemptRun } from '../attempt-run.ts'
import type { MeteredKind, Reservation, ReserveRequest } from '../budget.ts'
import type { CallEvents } from '../call-events.ts'
import { finalInputTokens, planTurn, type TurnPlan } from '../final-reserve.ts'
import { readModelAnswer } from '../model-answer.ts'
import { outputCapToSend } from '../model-call.ts'
import type { BudgetReason } from '../termination.ts'
import type { AgentRequest } from './dialects/dialect.ts'
import { KnownMessages } from './known-messages.ts'
import { openPaidCall, type PaidModelCall } from './paid-call.ts'
import type { SessionEnd } from './session-end.ts'

/** How a model call is made. */
export interface PayOptions {
  /** Aborts when the agent no longer waits for the answer. */
  readonly signal: AbortSignal
  /** 0 for the first try of a request. */
  readonly retry: number
  /**
   * Returns the request as the last one: it demands the answer. Called at most once, before the call is charged.
   *
   * @param mostMessageTokens the most local tokens that its messages may have; null for no limit
   */
  asLast(mostMessageTokens: number | null): AgentRequest
}

/** The model calls of an external agent. */
export interface ModelCalls {
  /**
   * Reserves the budget for one model call. When only the reservations of other calls leave too little, waits for these
   * calls.
   *
   * @throws BudgetRefusedError when the budget does not cover the call or has refused an earlier one. The agent must
   *   then end soon (`refusedKind`)
   */
  payModelCall(request: AgentRequest, options: PayOptions): Promise<PaidModelCall>
  /** Whether the budget covers this model call now. */
  affordsModelCall(request: AgentRequest): boolean
  /** The local count of a request's input tokens. */
  countTokens(request: AgentRequest): number
  /** The budget that refused a model call; null when none did. */ refusedKind(): MeteredKind | null
  /**
   * Why the latest model call was the last one that the budget covers; null when it was not the last one, or before the
   * first.
   */
  lastCallReason(): BudgetReason | null
}

/** What the model calls of an attempt need. */
export interface ModelCallsInput {
  readonly run: AttemptRun
  readonly events: CallEvents
  readonly end: SessionEnd
  /** Whether a part of the budget is kept for a last call that demands the answer, as for our own loop. */
  readonly keepsLastCall: boolean
  onAnswer(): void
}

/** Time for an agent to end by itself after the budget has refused a model call. Some agents repeat every refused call. */
const graceMs = 30_000

/** When the reservations of other calls leave a call less output than this, it waits for them. */
const enoughOutputTokens = 8_192

/** Opens the model calls of an attempt. */
export function openModelCalls({ run, events, end, keepsLastCall, onAnswer }: ModelCallsInput): ModelCalls {
  const { model, keepText } = run.environment
  const known = new KnownMessages(text => model.countTokens(text))
  const underWay = new Set<Promise<void>>()
  const refusals = new Refusals(run, end)
  let lastReason: BudgetReason | null = null
  const planOf = (request: AgentRequest): TurnPlan => {
    if (!keepsLastCall) return { kind: 'turn', maxOutputTokens: null }
    if (run.timeToAnswer()) return { kind: 'final', reason: 'wall-clock' }
    return planTurn(run.meter, known.tokensOf(request))
  }
  const reserveRequest = (request: AgentRequest, plan: TurnPlan): ReserveRequest =>
    reserveRequestOf(run, request, known.tokensOf(request), plan)
  const mustWait = (request: AgentRequest): boolean => {
    const plan = planOf(request)
    if (plan.kind === 'final') return plan.reason === 'tokens' || plan.reason === 'cost'
    const enough = Math.min(request.maxOutputTokens ?? enoughOutputTokens, enoughOutputTokens)
    if (plan.maxOutputTokens !== null && plan.maxOutputTokens < enough) return true
    return !run.meter.affords(reserveRequest(request, plan))
  }
  const asLast = (request: AgentRequest, { asLast }: PayOptions): AgentRequest => {
    const payable = finalInputTokens(run.meter)
    return asLast(payable === null ? null : payable - known.tokensOfTools(request))
  }
  return {
    countTokens: request => known.tokensOf(request),
    refusedKind: () => refusals.kind,
    lastCallReason: () => lastReason,
    affordsModelCall: request => run.meter.affords(reserveRequest(request, planOf(request))),
    async payModelCall(request, options) {
      const { signal, retry } = options
      refusals.throwIfAny()
      while (underWay.size > 0 && mustWait(request)) {
        await untilAborted(Promise.race(underWay), signal)
        refusals.throwIfAny()
      }
      signal.throwIfAborted()
      const plan = planOf(request)
      const sent = plan.kind === 'final' ? asLast(request, options) : request
      if (retry === 0) run.step += 1
      const reservation = refusals.reserve(reserveRequest(sent, plan))
      lastReason = plan.kind === 'final' ? plan.reason : null
      const cap = outputCapToSend(run, reservation)
      events.file(() =>
        run.emit({
          type: 'model-called',
          messages: known.takeUnreported(sent, keepText),
          tools: sent.forbidsTools ? [] : sent.tools.map(tool => tool.name),
          reservedTokens: reservation.inputTokens + (reservation.maxOutputTokens ?? 0),
          maxOutputTokens: cap,
        }),
      )
      run.usage.modelCalled()
      return openPaidCall({
        ...{ run, reservation, sent: cap, signal, underWay },
        overran: kind => refusals.refuse(kind),
        onAnswer(answer) {
          onAnswer()
          if (plan.kind === 'final' && isCut(answer)) lastReason = 'output-limit'
        },
      })
    },
  }
}

/** The budget that a request needs. A planned turn leaves enough for the last call. */
function reserveRequestOf(
  { environment }: AttemptRun,
  request: AgentRequest,
  localInputTokens: number,
  plan: TurnPlan,
): ReserveRequest {
  const { contextWindow } = environment.model
  const window = contextWindow === null ? null : Math.max(1, contextWindow - localInputTokens)
  const planned = plan.kind === 'turn' ? plan.maxOutputTokens : null
  const own = smallerCap(environment.maxOutputTokens, request.maxOutputTokens)
  const maxOutputTokens = smallerCap(smallerCap(own, window), planned)
  return { localInputTokens, maxOutputTokens, exclusive: false, what: 'model call' }
}

function isCut(answer: AIMessage): boolean {
  return readModelAnswer(answer).finishReason === 'length'
}

/** The refusals of a budget. After the first one, the agent has some time to end by itself. */
class Refusals {
  readonly #run: AttemptRun
  readonly #end: SessionEnd
  /** The budget that refused a call; null when none did. */
  kind: MeteredKind | null = null

  constructor(run: AttemptRun, end: SessionEnd) {
    this.#run = run
    this.#end = end
  }

  /** Later calls are refused here, so that an agent that repeats them does not fill the trace. */
  throwIfAny(): void {
    if (this.kind !== null) throw new BudgetRefusedError(this.kind, `the budget of ${this.kind} is used up`)
  }

  reserve(asked: ReserveRequest): Reservation {
    try {
      return this.#run.meter.reserve(asked)
    } catch (error) {
      if (error instanceof BudgetRefusedError) this.refuse(error.kind as MeteredKind)
      throw error
    }
  }

  refuse(kind: MeteredKind): void {
    if (this.kind !== null) return
    this.kind = kind
    this.#run.environment.clock.sleep(graceMs, this.#end.stopped).then(
      () => this.#end.stop(new Error('the budget is used up')),
      () => undefined,
    )
  }
}
