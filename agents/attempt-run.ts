import { setMaxListeners } from 'node:events'
import type { EventBody } from '../logs/events.ts'
import type { ProviderError } from '../src/core/errors.ts'
import type { Clock } from '../src/core/runtime.ts'
import type { Usage } from '../src/core/usage.ts'
import { type BudgetEvent, type BudgetMeter, createBudgetMeter } from './budget.ts'
import type { SettingEnvironment } from './setting.ts'
import { type Ended, OperatorCancelled, WallClockSpent } from './termination.ts'
import { UsageTally } from './usage.ts'

/** The state of a running attempt: its budget, its clock and its position in the trace. */
export interface AttemptRun {
  readonly environment: SettingEnvironment
  readonly meter: BudgetMeter
  readonly usage: UsageTally
  /** Aborts with OperatorCancelled or WallClockSpent. */
  readonly signal: AbortSignal
  /** Aborts when `signal` does, and earlier when it is time to answer. */
  readonly toolSignal: AbortSignal
  /** The number of the current model turn, 1-based; 0 before the first. */
  step: number
  /** The last step that brought a tool result or a text; 0 when there was none. */
  lastHealthyStep: number
  /** Local input tokens of the last request of the conversation; 0 before the first. */
  lastInputTokens: number
  /** The finished turns of a conversation, in order. */
  readonly earlierTurns: Ended[]
  /** Returns the index of the current question, 0-based; 0 for a task with one question. */
  currentTurn(): number
  /** The error of a provider that has failed since its last answer; null otherwise. */
  failing: ProviderError | null
  /** Aborts `toolSignal` alone: running tool calls end now. */
  stopTools(reason: Error): void
  /** Returns true from shortly before the end of the wall-clock budget. */
  timeToAnswer(): boolean
  /** Writes a trace event. Does nothing after `close`. */
  emit(event: EventBody): void
  /** Writes a budget event to the trace, with its running total. */
  emitBudget(event: BudgetEvent): void
  /** Returns the usage of the attempt so far. */
  totalUsage(): Usage
  /** Runs work of the harness. Its time counts neither as the attempt's time nor towards its wall-clock cap. */
  outsideAttemptTime<T>(work: () => Promise<T>): Promise<T>
  /** Stops the timers. No event is written afterwards. */
  close(): void
}

/** The time reserved for the final answer: a fifth of the wall-clock budget, at most a minute. */
const answerShare = 0.2
const maxAnswerMs = 60_000

/**
 * Starts an attempt: opens its budget and starts its timers. The caller must call `close`.
 *
 * @param onBudget - receives budget events in place of `emitBudget`
 */
export function openAttemptRun(
  environment: SettingEnvironment,
  onBudget?: (event: BudgetEvent) => void,
): AttemptRun {
  const { clock, caps, model } = environment
  const startedAt = clock.now()
  const signals = openStopSignals(environment)
  let open = true
  const totals = new Map<string, number>()
  const prices = environment.webPrices ?? { searchUsd: null, fetchUsd: 0 }
  const run: AttemptRun = {
    environment,
    usage: new UsageTally(),
    meter: createBudgetMeter({
      caps,
      price: model.price,
      ...prices,
      ...(environment.tokenWeights === undefined ? {} : { weights: environment.tokenWeights }),
      onEvent: event => (onBudget ?? run.emitBudget)(event),
    }),
    signal: signals.hard,
    toolSignal: signals.soft,
    step: 0,
    lastHealthyStep: 0,
    lastInputTokens: 0,
    earlierTurns: [],
    currentTurn: () => run.earlierTurns.length,
    failing: null,
    stopTools: signals.stopTools,
    timeToAnswer: signals.timeToAnswer,
    emit(event) {
      if (open) environment.emit(run.step, event)
    },
    emitBudget: event => run.emit(writeBudgetEvent(event, totals)),
    totalUsage: () =>
      run.usage.total({
        searchCalls: run.meter.spent('searchCalls'),
        fetchCalls: run.meter.spent('fetchCalls'),
        wallMs: clock.now() - startedAt - signals.outside.totalMs(),
        price: model.price,
        ...prices,
      }),
    outsideAttemptTime: signals.outside.run,
    close() {
      open = false
      signals.close()
    },
  }
  return run
}

interface StopSignals {
  readonly hard: AbortSignal
  readonly soft: AbortSignal
  stopTools(reason: Error): void
  timeToAnswer(): boolean
  readonly outside: OutsideTimer
  close(): void
}

/** Measures the time that the harness spends outside the attempt. */
interface OutsideTimer {
  totalMs(): number
  run<T>(work: () => Promise<T>): Promise<T>
  /** Sleeps until this much of the attempt's own time has passed. */
  sleepInAttempt(ms: number, signal: AbortSignal): Promise<void>
}

function createOutsideTimer(clock: Clock): OutsideTimer {
  let [earlierMs, startedMs]: [number, number | null] = [0, null]
  const totalMs = (): number => earlierMs + (startedMs === null ? 0 : clock.now() - startedMs)
  return {
    totalMs,
    async run(work) {
      startedMs = clock.now()
      try {
        return await work()
      } finally {
        earlierMs = totalMs()
        startedMs = null
      }
    },
    async sleepInAttempt(ms, signal) {
      await clock.sleep(ms, signal)
      let sleptMs = 0
      for (let due = totalMs(); due > 0; due = totalMs() - sleptMs) {
        sleptMs += due
        await clock.sleep(due, signal)
      }
    },
  }
}

/** The longest time in which a fork replays the recorded part without using its own time. */
const maxReplayMs = 5 * 60_000

/** A text, because no caller sees it: an error for each attempt takes time, and a shared one keeps the first attempt in memory. */
const attemptIsOver = 'the attempt is over'

/** Creates the signals that stop an attempt: by its operator, or by the clock. */
function openStopSignals({ clock, caps, signal, replayed }: SettingEnvironment): StopSignals {
  const hard = new AbortController()
  const soft = new AbortController()
  const timers = new AbortController()
  let timeIsShort = false
  // Every running call listens to these signals, and thirty may run at once.
  setMaxListeners(0, hard.signal, soft.signal)

  const end = (reason: Error): void => {
    hard.abort(reason)
    soft.abort(reason)
  }
  const cancel = (): void => end(new OperatorCancelled('cancelled', { cause: signal.reason }))
  if (signal.aborted) cancel()
  signal.addEventListener('abort', cancel, { once: true })
  const outside = createOutsideTimer(clock)
  const runAfter = (ms: number, act: () => void): void => {
    // The sleep rejects when the attempt closes first, which is not an error.
    outside.sleepInAttempt(ms, timers.signal).then(act, () => undefined)
  }
  if (replayed !== undefined) {
    const tooLong = clock.sleep(maxReplayMs, timers.signal).catch(() => undefined)
    void outside.run(async () => await Promise.race([replayed, tooLong]))
  }
  if (caps.wallMs !== undefined) {
    const answerMs = Math.min(maxAnswerMs, caps.wallMs * answerShare)
    runAfter(caps.wallMs, () => end(new WallClockSpent('the wall-clock budget is spent')))
    runAfter(caps.wallMs - answerMs, () => {
      timeIsShort = true
      soft.abort(new WallClockSpent('time to answer'))
    })
  }
  return {
    hard: hard.signal,
    soft: soft.signal,
    stopTools: reason => soft.abort(reason),
    timeToAnswer: () => timeIsShort,
    outside,
    close() {
      timers.abort(attemptIsOver)
      signal.removeEventListener('abort', cancel)
    },
  }
}

function writeBudgetEvent(event: BudgetEvent, totals: Map<string, number>): EventBody {
  switch (event.type) {
    case 'charged': {
      const { kind, amount, what } = event
      const total = (totals.get(kind) ?? 0) + amount
      totals.set(kind, total)
      return { type: 'budget-charged', kind, amount, total, what }
    }
    case 'refused': {
      const { kind, asked: amount, left, what } = event
      return { type: 'budget-refused', kind, asked: amount, left, what }
    }
    case 'overrun': {
      const { kind, reserved, billed } = event
      return { type: 'budget-overrun', kind, reserved, billed }
    }
  }
}
