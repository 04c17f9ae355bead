import { setMaxListeners } from 'node:events'
import type { AIMessage, BaseMessage } from '@langchain/core/messages'
import PQueue from 'p-queue'
import { storedText } from '../../logs/blobs.ts'
import type { EventBody } from '../../logs/events.ts'
import { BudgetRefusedError, ProviderError } from '../../src/core/errors.ts'
import { smallerCap } from '../../src/models/call-limits.ts'
import { usageOf } from '../../src/models/message-usage.ts'
import { sha256 } from '../../src/system/hash.ts'
import { untilAborted } from '../../src/system/retry.ts'
import type { AttemptRun } from '../attempt-run.ts'
import type { MeteredKind, Reservation, ReserveRequest } from '../budget.ts'
import type { CallEvents } from '../call-events.ts'
import { messageText } from '../message-text.ts'
import { readModelAnswer } from '../model-answer.ts'
import { isCutOff, localOutputTokens, outputCapToSend, settle } from '../model-call.ts'
import { callKey } from '../progress.ts'
import type { CallResult, Toolbox } from '../toolbox.ts'
import type { AgentRequest } from './dialects/dialect.ts'

/** A model call of an external agent that the budget covers. Exactly one of `answered` and `failed` is called. */
export interface PaidModelCall {
  /** The output cap to send with the request; null: none. */
  readonly maxOutputTokens: number | null
  /** Notes that the request waits because the provider refused others; null: it is sent after all. */
  held(by: ProviderError | null, waitedMs: number): void
  /** Books the answer: usage, trace and budget. */
  answered(answer: AIMessage): void
  /**
   * Books a call without a complete answer. The call stays counted; its tokens are charged when the provider may have
   * worked: as billed if that is known, otherwise by the local count.
   *
   * @param read the part of the answer that arrived; null: none
   */
  failed(error: unknown, read: AIMessage | null): void
}

/** How a model call is made. */
export interface PayOptions {
  /** Aborts when nobody waits for the answer any more. */
  readonly signal: AbortSignal
  /** 0 for the first try of a request. */
  readonly retry: number
}

/**
 * The attempt of an external agent, as all parts of its gateway share it. Everything is charged before it is done and
 * appears in the trace as the same events as for our own loop.
 */
export interface GatewaySession {
  readonly run: AttemptRun
  readonly toolbox: Toolbox
  /**
   * Calls a tool. Every refusal and failure is a result, also when the attempt is over. Failures that end the attempt set
   * `fatal`.
   */
  callTool(name: string, args: unknown): Promise<CallResult>
  /** Counts a request of the agent. Too many that bring nothing end the attempt. */
  countRequest(): void
  /**
   * Reserves the budget for one model call. Waits for calls under way when only their reservations leave too little.
   *
   * @throws BudgetRefusedError when the budget does not cover it, or has refused a call before; the agent must end soon
   *   (`refusedKind`)
   */
  payModelCall(request: AgentRequest, options: PayOptions): Promise<PaidModelCall>
  /** Whether `payModelCall` would go through now. */
  affordsModelCall(request: AgentRequest): boolean
  /** The local count of a request's input tokens. */
  countTokens(request: AgentRequest): number
  /** The budget that refused a model call; null: none did. */
  refusedKind(): MeteredKind | null
  /** What ends the attempt at once, such as a search service that is down; null: nothing does. */
  fatal(): unknown
  /** Aborts when `fatal` is set or the attempt must end. */
  readonly ended: AbortSignal
  /** Ends the attempt by a failure that no agent can cause, such as a bug. */
  fail(reason: unknown): void
  close(): Promise<void>
}

/** Time for an agent to end by itself after the budget has refused a model call. Some agents repeat every refused call. */
const graceMs = 30_000

/** As many tool calls of an agent as of our own loop run at a time; more wait. */
const mostToolCalls = 8

/**
 * Requests that bring neither a tool result nor a model's answer: unknown routes, refused calls, MCP handshakes. An agent
 * may make this many, and some more for each call that succeeds, before its attempt ends. Each refused call is traced, so
 * this also limits the size of the trace.
 */
const idleRequests = 2_000
const idleRequestsPerCall = 20

/** The reason why an attempt ends whose agent makes request after request in vain. */
export class RequestFlood extends Error {
  override readonly name = 'RequestFlood'
  /** The budget that refused a call before; null: none did. */
  readonly refusedKind: MeteredKind | null

  constructor(refusedKind: MeteredKind | null) {
    super('the agent made thousands of requests that brought no result')
    this.refusedKind = refusedKind
  }
}

/** What a message costs beyond its text: its role and separators. */
const tokensPerMessage = 4

export function openSession(run: AttemptRun, toolbox: Toolbox, events: CallEvents): GatewaySession {
  const { model, clock } = run.environment
  const stop = new AbortController()
  const ended = AbortSignal.any([run.signal, stop.signal])
  // Every request under way listens to it.
  setMaxListeners(0, ended)
  const known = new KnownMessages(text => model.countTokens(text))
  const underWay = new Set<Promise<void>>()
  const toolCalls = new PQueue({ concurrency: mostToolCalls })
  let calls = 0
  let [requests, useful] = [0, 0]
  let refusedKind: MeteredKind | null = null
  let refusedToolKind: MeteredKind | null = null
  let fatal: unknown = null

  const end = (reason: unknown): void => {
    fatal ??= reason
    stop.abort(reason)
  }
  const reserveRequestOf = (request: AgentRequest): ReserveRequest => {
    const localInputTokens = known.tokensOf(request)
    const window = model.contextWindow === null ? null : Math.max(1, model.contextWindow - localInputTokens)
    const own = smallerCap(run.environment.maxOutputTokens, request.maxOutputTokens)
    return {
      localInputTokens,
      maxOutputTokens: smallerCap(own, window),
      exclusive: false,
      what: 'model call',
    }
  }
  // An agent that asks on and on after a refusal must not fill the trace.
  const throwIfRefused = (): void => {
    if (refusedKind === null) return
    throw new BudgetRefusedError(refusedKind, `the budget of ${refusedKind} is used up`)
  }
  const reserve = (asked: ReserveRequest): Reservation => {
    try {
      return run.meter.reserve(asked)
    } catch (error) {
      if (error instanceof BudgetRefusedError) refuse(error.kind as MeteredKind)
      throw error
    }
  }
  const refuse = (kind: MeteredKind): void => {
    if (refusedKind !== null) return
    refusedKind = kind
    clock.sleep(graceMs, stop.signal).then(
      () => stop.abort(new Error('the budget is used up')),
      () => undefined,
    )
  }
  return {
    run,
    toolbox,
    ended,
    countTokens: request => known.tokensOf(request),
    refusedKind: () => refusedKind,
    fatal: () => fatal,
    async callTool(name, args) {
      const call = { id: `call-${++calls}`, name, args }
      const result = await toolCalls.add(async (): Promise<CallResult> => {
        if (ended.aborted) return overResult(call)
        try {
          const [answered] = await toolbox.call([call])
          return answered!
        } catch (error) {
          end(error)
          return overResult(call)
        }
      })
      refusedToolKind = result.refusedKind ?? refusedToolKind
      if (result.outcome === 'answered') {
        useful += 1
        run.lastHealthyStep = run.step
      }
      return result
    },
    countRequest() {
      requests += 1
      if (requests <= idleRequests + useful * (1 + idleRequestsPerCall) || ended.aborted) return
      end(new RequestFlood(refusedKind ?? refusedToolKind))
    },
    affordsModelCall: request => run.meter.affords(reserveRequestOf(request)),
    async payModelCall(request, { signal, retry }) {
      throwIfRefused()
      const asked = reserveRequestOf(request)
      while (!run.meter.affords(asked) && underWay.size > 0) {
        await untilAborted(Promise.race(underWay), signal)
        throwIfRefused()
      }
      signal.throwIfAborted()
      if (retry === 0) run.step += 1
      const reservation = reserve(asked)
      const sent = outputCapToSend(run, reservation)
      events.file(() =>
        run.emit({
          type: 'model-called',
          messages: known.takeUnreported(request, run.environment.keepText),
          tools: request.tools.map(tool => tool.name),
          reservedTokens: reservation.inputTokens + (reservation.maxOutputTokens ?? 0),
          maxOutputTokens: sent,
        }),
      )
      run.usage.modelCalled()
      const onAnswer = (): void => void (useful += 1)
      return paidCall({ run, reservation, sent, signal, underWay, overran: refuse, onAnswer })
    },
    fail: end,
    async close() {
      stop.abort(new Error('the attempt is over'))
      // Calls of an agent that has not waited for them end now, and not after the attempt's record is written.
      run.stopTools(new Error('the attempt is over'))
      await toolCalls.onIdle()
      await toolbox.close()
    },
  }
}

function overResult(call: CallResult['call']): CallResult {
  return {
    call,
    key: callKey(call.name, call.args),
    outcome: 'refused',
    refusedKind: null,
    text: 'The attempt is over. Calls are not made any more.',
  }
}

interface PaidCallInput {
  readonly run: AttemptRun
  readonly reservation: Reservation
  readonly sent: number | null
  readonly signal: AbortSignal
  /** The calls under way, for those who wait for their reservations. */
  readonly underWay: Set<Promise<void>>
  overran(kind: MeteredKind): void
  onAnswer(): void
}

function paidCall({
  run,
  reservation,
  sent,
  signal,
  underWay,
  overran,
  onAnswer,
}: PaidCallInput): PaidModelCall {
  const { clock, model } = run.environment
  const askedAt = clock.now()
  let isHeld = false
  let resolve = (): void => undefined
  const settled = new Promise<void>(done => (resolve = done))
  underWay.add(settled)
  const over = (): void => {
    underWay.delete(settled)
    resolve()
  }
  const book = (answer: AIMessage): void => {
    const { overrun } = settle(run, answer, reservation, clock.now() - askedAt)
    if (overrun !== null) overran(overrun)
    over()
  }
  return {
    maxOutputTokens: sent,
    held(by, waitedMs) {
      isHeld = by !== null
      // An attempt whose time runs out while it waits for its provider ends by its provider.
      run.failing = by
      if (by === null) run.usage.waits(clock.now() - waitedMs, waitedMs)
    },
    answered(answer) {
      run.failing = null
      run.lastHealthyStep = run.step
      onAnswer()
      book(answer)
    },
    failed(error, read) {
      const answer = error instanceof ProviderError ? error.answer : null
      if (error instanceof ProviderError) run.failing = error
      if (answer !== null) return book(answer)
      if (read !== null && usageOf(read) !== null) return book(read)
      const mayHaveWorked = read !== null || (!isHeld && (signal.aborted || isCutOff(run, error)))
      if (mayHaveWorked) {
        run.usage.modelCutOff()
        const output =
          read === null ? 0 : localOutputTokens(readModelAnswer(read), text => model.countTokens(text))
        const overrun = reservation.settle(null, output)
        if (overrun !== null) overran(overrun)
      } else reservation.release()
      over()
    },
  }
}

type ReportedMessage = Extract<EventBody, { type: 'model-called' }>['messages'][number]

/** The messages of an agent's requests, so that each is counted and reported once although every request repeats them. */
class KnownMessages {
  readonly #count: (text: string) => number
  readonly #tokens = new Map<string, number>()
  readonly #reported = new Set<string>()
  /** The hashes of a request's messages, which a call needs several times. */
  readonly #keys = new WeakMap<AgentRequest, readonly string[]>()

  constructor(countTokens: (text: string) => number) {
    this.#count = countTokens
  }

  tokensOf(request: AgentRequest): number {
    const { messages, tools } = request
    const keys = this.#keysOf(request)
    const ofMessages = keys.map((key, index) => this.#tokensOf(key, () => countedText(messages[index]!)))
    const offered = tools.length === 0 ? '' : JSON.stringify(tools)
    const ofTools = offered === '' ? 0 : this.#tokensOf(sha256(offered), () => offered)
    return ofMessages.reduce((sum, tokens) => sum + tokens + tokensPerMessage, ofTools)
  }

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
    const known =
      this.#keys.get(request) ??
      request.messages.map(message => sha256(`${message.getType()}\n${countedText(message)}`))
    this.#keys.set(request, known)
    return known
  }

  #tokensOf(key: string, text: () => string): number {
    const known = this.#tokens.get(key) ?? this.#count(text())
    this.#tokens.set(key, known)
    return known
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
