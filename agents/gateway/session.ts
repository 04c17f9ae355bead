import type { AIMessage, BaseMessage } from '@langchain/core/messages'
import { storedText } from '../../logs/blobs.ts'
import type { EventBody } from '../../logs/events.ts'
import { BudgetRefusedError } from '../../src/core/errors.ts'
import { smallerCap } from '../../src/models/call-limits.ts'
import { sha256 } from '../../src/system/hash.ts'
import type { AttemptRun } from '../attempt-run.ts'
import type { MeteredKind, Reservation } from '../budget.ts'
import type { CallEvents } from '../call-events.ts'
import { messageText } from '../message-text.ts'
import type { AskedCall } from '../model-answer.ts'
import { isCutOff, outputCapToSend, settle } from '../model-call.ts'
import type { CallResult, CallWork, Toolbox } from '../toolbox.ts'
import type { AgentRequest } from './dialects/dialect.ts'

/** A model call of an external agent that the budget covers. Exactly one of `answered` and `failed` is called. */
export interface PaidModelCall {
  /** The output cap to send with the request; null: none. */
  readonly maxOutputTokens: number | null
  /** Books the answer: usage, trace and budget. */
  answered(answer: AIMessage): void
  /** Books a call without an answer. The call stays counted; its tokens are charged when the provider may have worked. */
  failed(error: unknown): void
}

/**
 * The attempt of an external agent, as all parts of its gateway share it. Everything is charged before it is done and
 * appears in the trace as the same events as for our own loop.
 */
export interface GatewaySession {
  readonly run: AttemptRun
  readonly toolbox: Toolbox
  /** Calls a tool. A budget refusal and a failure are results; failures that end the attempt also set `fatal`. */
  callTool(name: string, args: unknown): Promise<CallResult>
  /** Does work that is not a tool of the model as a call with this name, such as a request through the proxy. */
  perform(name: string, args: unknown, work: CallWork): Promise<CallResult>
  /**
   * Reserves the budget for one model call. Waits for calls under way when only their reservations leave too little.
   *
   * @throws BudgetRefusedError when the budget does not cover it; the agent must end soon (`refusedKind`)
   */
  payModelCall(request: AgentRequest): Promise<PaidModelCall>
  /** The budget that refused a model call; null: none did. */
  refusedKind(): MeteredKind | null
  /** What ends the attempt at once, such as a search service that is down; null: nothing does. */
  fatal(): unknown
  /** Aborts when `fatal` is set or the attempt must end. */
  readonly ended: AbortSignal
  close(): Promise<void>
}

/** Time for an agent to end by itself after the budget has refused a model call. Some agents repeat every refused call. */
const graceMs = 30_000

/** What a message costs beyond its text: its role and separators. */
const tokensPerMessage = 4

export function openSession(run: AttemptRun, toolbox: Toolbox, events: CallEvents): GatewaySession {
  const { model, clock } = run.environment
  const stop = new AbortController()
  const ended = AbortSignal.any([run.signal, stop.signal])
  const known = new KnownMessages(text => model.countTokens(text))
  const underWay = new Set<Promise<void>>()
  let calls = 0
  let refusedKind: MeteredKind | null = null
  let fatal: unknown = null

  const end = (reason: unknown): void => {
    fatal ??= reason
    stop.abort(reason)
  }
  const refuse = (kind: MeteredKind): void => {
    if (refusedKind !== null) return
    refusedKind = kind
    clock.sleep(graceMs, stop.signal).then(
      () => stop.abort(new Error('the budget is used up')),
      () => undefined,
    )
  }
  const endingOnFailure = async <T>(work: () => Promise<T>): Promise<T> => {
    run.signal.throwIfAborted()
    try {
      return await work()
    } catch (error) {
      end(error)
      throw error
    }
  }
  const nextCall = (name: string, args: unknown): AskedCall => ({ id: `call-${++calls}`, name, args })
  return {
    run,
    toolbox,
    ended,
    refusedKind: () => refusedKind,
    fatal: () => fatal,
    callTool: (name, args) =>
      endingOnFailure(async () => (await toolbox.call([nextCall(name, args)]))[0]!),
    perform: (name, args, work) => endingOnFailure(() => toolbox.perform(nextCall(name, args), work)),
    async payModelCall(request) {
      const localInputTokens = known.tokensOf(request)
      const window = model.contextWindow === null ? null : model.contextWindow - localInputTokens
      const asked = {
        localInputTokens,
        maxOutputTokens: smallerCap(
          smallerCap(run.environment.maxOutputTokens, request.maxOutputTokens),
          window === null ? null : Math.max(1, window),
        ),
        exclusive: false,
        what: 'model call',
      }
      while (!run.meter.affords(asked) && underWay.size > 0) await Promise.race(underWay)
      run.signal.throwIfAborted()
      run.step += 1
      let reservation: Reservation
      try {
        reservation = run.meter.reserve(asked)
      } catch (error) {
        if (error instanceof BudgetRefusedError) refuse(error.kind as MeteredKind)
        throw error
      }
      run.failing = null
      const sent = outputCapToSend(run, reservation)
      events.file(() =>
        run.emit({
          type: 'model-called',
          messages: known.takeUnreported(request.messages, run.environment.keepText),
          tools: request.tools.map(tool => tool.name),
          reservedTokens: reservation.inputTokens + (reservation.maxOutputTokens ?? 0),
          maxOutputTokens: sent,
        }),
      )
      run.usage.modelCalled()
      const askedAt = clock.now()
      let resolve = (): void => undefined
      const settled = new Promise<void>(done => (resolve = done))
      underWay.add(settled)
      const over = (): void => {
        underWay.delete(settled)
        resolve()
      }
      return {
        maxOutputTokens: sent,
        answered(answer) {
          const { overrun } = settle(run, answer, reservation, clock.now() - askedAt)
          if (overrun !== null) refuse(overrun)
          run.lastHealthyStep = run.step
          over()
        },
        failed(error) {
          if (isCutOff(run, error)) {
            run.usage.modelCutOff()
            reservation.settle(null, 0)
          } else reservation.release()
          over()
        },
      }
    },
    async close() {
      stop.abort(new Error('the attempt is over'))
      await toolbox.close()
    },
  }
}

type ReportedMessage = Extract<EventBody, { type: 'model-called' }>['messages'][number]

/** The messages of an agent's requests, so that each is counted and reported once although every request repeats them. */
class KnownMessages {
  readonly #count: (text: string) => number
  readonly #tokens = new Map<string, number>()
  readonly #reported = new Set<string>()

  constructor(countTokens: (text: string) => number) {
    this.#count = countTokens
  }

  tokensOf({ messages, tools }: AgentRequest): number {
    const ofMessages = messages.reduce((sum, message) => sum + this.#of(countedText(message)), 0)
    const ofTools = tools.length === 0 ? 0 : this.#of(JSON.stringify(tools))
    return ofMessages + messages.length * tokensPerMessage + ofTools
  }

  takeUnreported(messages: readonly BaseMessage[], keepText: (text: string) => string): ReportedMessage[] {
    return messages.flatMap(message => {
      const key = sha256(`${message.getType()}\n${countedText(message)}`)
      if (this.#reported.has(key)) return []
      this.#reported.add(key)
      return [reportedMessage(message, keepText)]
    })
  }

  #of(text: string): number {
    const key = text.length < 64 ? text : sha256(text)
    const known = this.#tokens.get(key) ?? this.#count(text)
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
