import { setMaxListeners } from 'node:events'
import type { EventBody } from '../logs/events.ts'
import type { Usage } from '../src/core/attempt.ts'
import type { ProviderError } from '../src/core/errors.ts'
import { type BudgetEvent, type BudgetMeter, createBudgetMeter } from './budget.ts'
import type { SettingEnvironment } from './setting.ts'
import { type Ended, OperatorCancelled, WallClockSpent } from './termination.ts'
import { createUsageTally, type UsageTally } from './usage.ts'

/** One attempt while it runs: its budget, its clock, its place in the trace. */
export interface AttemptRun {
  readonly environment: SettingEnvironment
  readonly meter: BudgetMeter
  readonly usage: UsageTally
  /** Aborts with OperatorCancelled or WallClockSpent. */
  readonly signal: AbortSignal
  /** Aborts like `signal`, and when it is time to answer. */
  readonly toolSignal: AbortSignal
  /** The model turn, 1-based; 0 before the first. */
  step: number
  lastHealthyStep: number
  /** The turns of a conversation that are over, in their order. */
  readonly earlierTurns: Ended[]
  /** The turn that is being asked, 0-based; 0 where the task has one question. */
  turn(): number
  /** The provider that has failed since its last answer; null when none. */
  failing: ProviderError | null
  /** True from shortly before the wall-clock budget ends. */
  timeToAnswer(): boolean
  emit(event: EventBody): void
  /** A budget event as a trace event, with the running total. */
  emitBudget(event: BudgetEvent): void
  totalUsage(): Usage
  /** Work that is the harness's and not the attempt's: its time counts neither as the attempt's nor towards its cap. */
  aside<T>(work: () => Promise<T>): Promise<T>
  /** Stops the timers; nothing is emitted after it. */
  close(): void
}

/** Kept back of the wall-clock budget for the final answer: a fifth, at most a minute. */
const answerShare = 0.2
const longestAnswerMs = 60_000

export function openAttemptRun(
  environment: SettingEnvironment,
  onBudget?: (event: BudgetEvent) => void,
): AttemptRun {
  const { clock, caps, model } = environment
  const startedAt = clock.now()
  const ends = openEnds(environment)
  let open = true
  const totals = new Map<string, number>()
  const usage = createUsageTally()
  const prices = environment.webPrices ?? { searchUsd: null, fetchUsd: 0 }
  const run: AttemptRun = {
    environment,
    usage,
    meter: createBudgetMeter({
      caps,
      price: model.price,
      ...prices,
      ...(environment.tokenWeights === undefined ? {} : { weights: environment.tokenWeights }),
      onEvent: event => (onBudget ?? run.emitBudget)(event),
    }),
    signal: ends.hard,
    toolSignal: ends.soft,
    step: 0,
    lastHealthyStep: 0,
    earlierTurns: [],
    turn: () => run.earlierTurns.length,
    failing: null,
    timeToAnswer: ends.timeToAnswer,
    emit(event) {
      if (open) environment.emit(run.step, event)
    },
    emitBudget: event => run.emit(budgetBody(event, totals)),
    totalUsage: () =>
      usage.total({
        searchCalls: run.meter.spent('searchCalls'),
        fetchCalls: run.meter.spent('fetchCalls'),
        wallMs: clock.now() - startedAt - ends.asideMs(),
        price: model.price,
        ...prices,
      }),
    aside: ends.aside,
    close() {
      open = false
      ends.close()
    },
  }
  return run
}

interface Ends {
  readonly hard: AbortSignal
  readonly soft: AbortSignal
  timeToAnswer(): boolean
  aside<T>(work: () => Promise<T>): Promise<T>
  asideMs(): number
  close(): void
}

/** The ways an attempt is stopped from outside: by its operator, and by the clock. */
function openEnds({ clock, caps, signal }: SettingEnvironment): Ends {
  const hard = new AbortController()
  const soft = new AbortController()
  const timers = new AbortController()
  let timeIsShort = false
  // Every call under way listens to these, and there may be thirty at once.
  setMaxListeners(0, hard.signal, soft.signal)

  const end = (reason: Error): void => {
    hard.abort(reason)
    soft.abort(reason)
  }
  const cancel = (): void => end(new OperatorCancelled('cancelled', { cause: signal.reason }))
  if (signal.aborted) cancel()
  signal.addEventListener('abort', cancel, { once: true })
  let [asideBefore, asideSince]: [number, number | null] = [0, null]
  const asideMs = (): number => asideBefore + (asideSince === null ? 0 : clock.now() - asideSince)
  const sleepOwnTime = async (ms: number): Promise<void> => {
    await clock.sleep(ms, timers.signal)
    let given = 0
    for (let due = asideMs(); due > 0; due = asideMs() - given) {
      given += due
      await clock.sleep(due, timers.signal)
    }
  }
  const after = (ms: number, act: () => void): void => {
    // The sleep rejects when the attempt closes first, which is no failure.
    sleepOwnTime(ms).then(act, () => undefined)
  }
  if (caps.wallMs !== undefined) {
    const keptMs = Math.min(longestAnswerMs, caps.wallMs * answerShare)
    after(caps.wallMs, () => end(new WallClockSpent('the wall-clock budget is spent')))
    after(caps.wallMs - keptMs, () => {
      timeIsShort = true
      soft.abort(new WallClockSpent('time to answer'))
    })
  }
  return {
    hard: hard.signal,
    soft: soft.signal,
    timeToAnswer: () => timeIsShort,
    asideMs,
    async aside(work) {
      asideSince = clock.now()
      try {
        return await work()
      } finally {
        asideBefore = asideMs()
        asideSince = null
      }
    },
    close() {
      timers.abort(new Error('the attempt is over'))
      signal.removeEventListener('abort', cancel)
    },
  }
}

function budgetBody(event: BudgetEvent, totals: Map<string, number>): EventBody {
  switch (event.type) {
    case 'charged': {
      const { kind, amount, what } = event
      const total = (totals.get(kind) ?? 0) + amount
      totals.set(kind, total)
      return { type: 'budget-charged', kind, amount, total, what }
    }
    case 'refused': {
      const { kind, asked, left, what } = event
      return { type: 'budget-refused', kind, asked, left, what }
    }
    case 'overrun': {
      const { kind, reserved, billed } = event
      return { type: 'budget-overrun', kind, reserved, billed }
    }
  }
}
