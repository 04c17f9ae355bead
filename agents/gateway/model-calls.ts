import type { BaseMessage } from '@langchain/core/messages'
import { storedText } from '../../logs/blobs.ts'
import type { EventBody } from '../../logs/events.ts'
import { BudgetRefusedError } from '../../src/core/errors.ts'
import { smallerCap } from '../../src/models/call-limits.ts'
import type { AgentRequest } from '../../src/models/dialects/dialect.ts'
import { messageText, readModelAnswer } from '../../src/models/model-answer.ts'
import { sha256 } from '../../src/system/hash.ts'
import { untilAborted } from '../../src/system/retry.ts'
import type { AttemptRun } from '../attempt-run.ts'
import type { MeteredKind, Reservation, ReserveRequest } from '../budget.ts'
import type { CallEvents } from '../call-events.ts'
import { type ReportedMessage, tokensPerMessage } from '../conversation.ts'
import { finalInputTokens, planTurn, type TurnPlan } from '../final-reserve.ts'
import { outputCapToSend } from '../model-call.ts'
import type { BudgetReason } from '../termination.ts'
import { openPaidCall, type PaidModelCall } from './paid-call.ts'
import type { SessionEnd } from './session-end.ts'

/**
 * The messages of an agent's requests. Each request repeats earlier messages, but each message is counted and reported
 * once.
 */
class CountedMessages {
  readonly #count: (text: string) => number
  readonly #tokens = new Map<string, number>()
  readonly #reported = new Set<string>()
  /** The hashes of a request's messages, which a call needs several times. */
  readonly #keys = new WeakMap<AgentRequest, readonly string[]>()

  constructor(countTokens: (text: string) => number) {
    this.#count = countTokens
  }

  /** Returns the local count of a request's input tokens. */
  tokensOf(request: AgentRequest): number {
    const { messages } = request
    const keys = this.#keysOf(request)
    const messageTokens = keys.map((key, index) => this.#tokensOf(key, () => countedText(messages[index]!)))
    return messageTokens.reduce((sum, tokens) => sum + tokens + tokensPerMessage, this.tokensOfTools(request))
  }

  /** Returns how many of the input tokens describe the tools. */
  tokensOfTools({ tools }: AgentRequest): number {
    if (tools.length === 0) return 0
    const toolsText = JSON.stringify(tools)
    return this.#tokensOf(sha256(toolsText), () => toolsText)
  }

  /** Returns the messages that the trace does not contain yet, and marks them as reported. */
  takeUnreported(request: AgentRequest, keepText: (text: string) => string): ReportedMessage[] {
    const keys = this.#keysOf(request)
    return request.messages.flatMap((message, index) => {
      const key = keys[index]!
      if (this.#reported.has(key)) return []
      this.#reported.add(key)
      return [reportedMessage(message, keepText)]
    })
  }

  #keysOf(request: AgentRequest): readonly string[] {
    const hashes =
      this.#keys.get(request) ??
      request.messages.map(message => sha256(`${message.getType()}\n${countedText(message)}`))
    this.#keys.set(request, hashes)
    return hashes
  }

  #tokensOf(key: string, text: () => string): number {
    const tokens = this.#tokens.get(key) ?? this.#count(text())
    this.#tokens.set(key, tokens)
    return tokens
  }
}

function countedText(message: BaseMessage): string {
  const calls = 'tool_calls' in message ? JSON.stringify(message.tool_calls) : ''
  return `${messageText(message)}${calls}`
}

const roles: Readonly<Record<string, ReportedMessage['role']>> = {
  system: 'system',
  developer: 'system',
  human: 'user',
  ai: 'assistant',
  tool: 'tool',
}

function reportedMessage(message: BaseMessage, keepText: (text: string) => string): ReportedMessage {
  const callId = 'tool_call_id' in message ? String(message.tool_call_id) : null
  return {
    role: roles[message.getType()] ?? 'user',
    content: storedText(messageText(message), { put: keepText }),
    toolCallId: callId,
  }
}

/** How a model call is made. */
interface PayOptions {
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
  /** The budget that refused a model call; null when none did. */
  refusedKind(): MeteredKind | null
  /**
   * Why the latest model call was the last one that the budget covers; null when it was not the last one, or before the
   * first.
   */
  lastCallReason(): BudgetReason | null
}

/** What the model calls of an attempt need. */
interface ModelCallsOptions {
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

/** Decides how each call is made: as a turn or as the last call, and with which budget. */
class CallPlanner {
  readonly #run: AttemptRun
  readonly #messages: CountedMessages
  readonly #keepsLastCall: boolean

  constructor({ run, keepsLastCall }: ModelCallsOptions, messages: CountedMessages) {
    this.#run = run
    this.#messages = messages
    this.#keepsLastCall = keepsLastCall
  }

  plan(request: AgentRequest): TurnPlan {
    if (!this.#keepsLastCall) return { kind: 'turn', maxOutputTokens: null }
    if (this.#run.timeToAnswer()) return { kind: 'final', reason: 'wall-clock' }
    return planTurn(this.#run.meter, this.#messages.tokensOf(request))
  }

  /** The budget that a request needs. A planned turn leaves enough for the last call. */
  reservation(request: AgentRequest, plan: TurnPlan): ReserveRequest {
    const { model, maxOutputTokens: ownCap } = this.#run.environment
    const { contextWindow } = model
    const localInputTokens = this.#messages.tokensOf(request)
    const window = contextWindow === null ? null : Math.max(1, contextWindow - localInputTokens)
    const planned = plan.kind === 'turn' ? plan.maxOutputTokens : null
    const outputCap = smallerCap(ownCap, request.maxOutputTokens)
    const maxOutputTokens = smallerCap(smallerCap(outputCap, window), planned)
    return { localInputTokens, maxOutputTokens, exclusive: false, what: 'model call' }
  }

  affords(request: AgentRequest, plan = this.plan(request)): boolean {
    return this.#run.meter.affords(this.reservation(request, plan))
  }

  /** Whether a request should wait for the calls under way, because their reservations leave it too little. */
  mustWait(request: AgentRequest): boolean {
    const plan = this.plan(request)
    if (plan.kind === 'final') return plan.reason === 'tokens' || plan.reason === 'cost'
    const enough = Math.min(request.maxOutputTokens ?? enoughOutputTokens, enoughOutputTokens)
    if (plan.maxOutputTokens !== null && plan.maxOutputTokens < enough) return true
    return !this.affords(request, plan)
  }

  /** The most local tokens that the messages of a last request may have; null for no limit. */
  mostMessageTokens(request: AgentRequest): number | null {
    const payable = finalInputTokens(this.#run.meter)
    return payable === null ? null : payable - this.#messages.tokensOfTools(request)
  }
}

/** Opens the model calls of an attempt. */
export function openModelCalls(options: ModelCallsOptions): ModelCalls {
  const { run, events, end, onAnswer } = options
  const { model, keepText } = run.environment
  const countedMessages = new CountedMessages(text => model.countTokens(text))
  const planner = new CallPlanner(options, countedMessages)
  const underWay = new Set<Promise<void>>()
  const refusals = new Refusals(run, end)
  let lastReason: BudgetReason | null = null
  return {
    countTokens: request => countedMessages.tokensOf(request),
    refusedKind: () => refusals.kind,
    lastCallReason: () => lastReason,
    affordsModelCall: request => planner.affords(request),
    async payModelCall(request, { signal, retry, asLast }) {
      refusals.throwIfAny()
      while (underWay.size > 0 && planner.mustWait(request)) {
        await untilAborted(Promise.race(underWay), signal)
        refusals.throwIfAny()
      }
      signal.throwIfAborted()
      if (retry === 0) run.environment.noteBefore?.(run.step + 1)
      const plan = planner.plan(request)
      const sent = plan.kind === 'final' ? asLast(planner.mostMessageTokens(request)) : request
      if (retry === 0) run.step += 1
      const reservation = refusals.reserve(planner.reservation(sent, plan))
      lastReason = plan.kind === 'final' ? plan.reason : null
      const cap = outputCapToSend(run, reservation)
      events.file(() =>
        run.emit(writeCall(sent, countedMessages.takeUnreported(sent, keepText), reservation, cap)),
      )
      run.usage.modelCalled()
      return openPaidCall({
        run,
        reservation,
        sent: cap,
        signal,
        underWay,
        overran: kind => refusals.refuse(kind),
        onAnswer(answer) {
          onAnswer()
          const { finishReason } = readModelAnswer(answer)
          if (plan.kind === 'final' && finishReason === 'length') lastReason = 'output-limit'
        },
      })
    },
  }
}

function writeCall(
  { forbidsTools, tools }: AgentRequest,
  messages: ReportedMessage[],
  { inputTokens, maxOutputTokens: reservedOutput }: Reservation,
  maxOutputTokens: number | null,
): EventBody {
  return {
    type: 'model-called',
    messages,
    tools: forbidsTools ? [] : tools.map(tool => tool.name),
    reservedTokens: inputTokens + (reservedOutput ?? 0),
    maxOutputTokens,
  }
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

  reserve(request: ReserveRequest): Reservation {
    try {
      return this.#run.meter.reserve(request)
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
