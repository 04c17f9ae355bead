import type { Attempt } from '../../core/attempt.ts'
import type { OnlineControl } from '../../core/controls.ts'
import type { Clock } from '../../core/runtime.ts'

/** A service that fails until the operator fixes the cause, such as a refused key. */
export interface FailedService {
  /** A model's name in records, or the name of a search service or an embedder. */
  readonly service: string
  /** The host and port of a model's server; null for the default server of a provider and for other services. */
  readonly server: string | null
  /** The termination's reason, such as `auth`. */
  readonly reason: string
  /** The message of the service. */
  readonly detail: string
  /** Attempts that failed because of it. */
  readonly failed: number
  /** Attempts that were not made because the run had stopped using it. */
  readonly skipped: number
  /** The run has stopped using it. */
  readonly isGivenUp: boolean
}

/** The facts about an attempt that decide which services it needs. */
export interface WatchedAttempt {
  readonly model: string
  readonly setting: string
  readonly control: OnlineControl | null
}

/** Watches a run's attempts for services that fail in a way that only the operator can fix. */
export interface ServiceWatch {
  /**
   * Call it before an attempt is made. Waits while a model fails and its running attempts suffice to decide
   * whether the run stops using it.
   *
   * @returns the service that the attempt needs and that the run stopped using; null when the attempt may be
   * made. After null, call `left` when the attempt has ended
   */
  enter(planned: WatchedAttempt): Promise<string | null>
  left(planned: WatchedAttempt): void
  /** Evaluates an attempt that has ended. Returns true when the run stops using a service because of it. */
  ended(attempt: Attempt): boolean
  /** Returns the needed service that the run has stopped using, or null. */
  givenUp(planned: WatchedAttempt): string | null
  /** Counts an attempt that the run skips because it has stopped using a service. */
  skip(service: string): void
  /** Returns the services that the run stopped using, and those that never answered. */
  failures(): FailedService[]
}

/** After this many identical failures in a row the run stops using a service. A success in between starts the count again. */
const identicalFailures = 3
/** A server that has answered before may be restarting. It counts as gone this long after its first failure. */
const restartMs = 120_000

interface FailureSeries {
  /** The reason and detail that the failures have in common. */
  readonly shape: string
  readonly firstAt: number
  count: number
}

interface ServiceState {
  readonly isModel: boolean
  /** The settings of the attempts that failed because of it. */
  readonly settings: Set<string>
  series: FailureSeries | null
  failed: number
  skipped: number
  last: { readonly reason: string; readonly detail: string } | null
  isGivenUp: boolean
}

/**
 * Creates the watch of a run.
 *
 * @param models the names of the run's models. A failing model stops its own attempts; any other failing
 * service stops the settings in which it failed
 * @param serverOf returns the host and port of a model's server, for messages
 */
export function createServiceWatch(
  models: ReadonlySet<string>,
  clock: Clock,
  serverOf: (model: string) => string | null = () => null,
): ServiceWatch {
  const states = new Map<string, ServiceState>()
  /** Models that have answered, and settings in which an attempt ended without a failure. */
  const proven = new Set<string>()
  const underWay = new Map<string, number>()
  const waiting: (() => void)[] = []
  const mayEnter = ({ model }: WatchedAttempt): boolean => {
    const runningCount = underWay.get(model) ?? 0
    const series = states.get(model)?.series ?? null
    return runningCount === 0 || series === null || series.count + runningCount < identicalFailures
  }
  const stateOf = (service: string): ServiceState => {
    const state = states.get(service) ?? newState(models.has(service))
    states.set(service, state)
    return state
  }
  const succeeded = (isOf: (service: string, state: ServiceState) => boolean): void => {
    for (const [service, state] of states) if (isOf(service, state)) state.series = null
  }
  const givenUp = (planned: WatchedAttempt): string | null => neededGivenUpService(states, planned)
  return {
    async enter(planned) {
      while (givenUp(planned) === null && !mayEnter(planned))
        await new Promise<void>(resume => waiting.push(resume))
      const missing = givenUp(planned)
      if (missing === null) underWay.set(planned.model, (underWay.get(planned.model) ?? 0) + 1)
      return missing
    },
    left({ model }) {
      underWay.set(model, (underWay.get(model) ?? 0) - 1)
      for (const resume of waiting.splice(0)) resume()
    },
    ended(attempt) {
      const { termination, model, setting } = attempt
      const { cause, fatalService } = termination
      if (fatalService === undefined) {
        if (cause !== 'agent' && cause !== 'budget') return false
        proven.add(model).add(settingKey(setting))
        succeeded((service, state) => service === model || (!state.isModel && state.settings.has(setting)))
        return false
      }
      if (fatalService !== model && termination.lastHealthyStep > 0) {
        proven.add(model)
        succeeded(service => service === model)
      }
      const state = stateOf(fatalService)
      const hasAnswered = proven.has(state.isModel ? fatalService : settingKey(setting))
      return addFailure(state, attempt, hasAnswered, clock.now())
    },
    givenUp,
    skip(service) {
      stateOf(service).skipped += 1
    },
    failures: () => failedServices(states, proven, serverOf),
  }
}

/** Returns a service that the attempt needs and that the run has stopped using, or null. */
function neededGivenUpService(
  states: ReadonlyMap<string, ServiceState>,
  { model, setting, control }: WatchedAttempt,
): string | null {
  // A control of the online setting needs a recorded online attempt.
  const neededSettings = control === null ? [setting] : [setting, 'online']
  for (const [service, { isGivenUp, isModel, settings }] of states) {
    const isNeeded = isModel ? service === model : neededSettings.some(name => settings.has(name))
    if (isGivenUp && isNeeded) return service
  }
  return null
}

/** Lists the services that the run stopped using, and those that failed and never answered. */
function failedServices(
  states: ReadonlyMap<string, ServiceState>,
  proven: ReadonlySet<string>,
  serverOf: (model: string) => string | null,
): FailedService[] {
  return [...states].flatMap(([service, { isGivenUp, isModel, settings, last, failed, skipped }]) => {
    const hasAnswered = isModel
      ? proven.has(service)
      : [...settings].some(setting => proven.has(settingKey(setting)))
    if (last === null || (hasAnswered && !isGivenUp)) return []
    const server = isModel ? serverOf(service) : null
    return [{ service, server, ...last, failed, skipped, isGivenUp }]
  })
}

function newState(isModel: boolean): ServiceState {
  return {
    isModel,
    settings: new Set(),
    series: null,
    failed: 0,
    skipped: 0,
    last: null,
    isGivenUp: false,
  }
}

/** A key that differs from the names of models, which are in the same set. */
const settingKey = (setting: string): string => `setting ${setting}`

/** Counts a failure. Returns whether the run stops using the service because of it. */
function addFailure(
  state: ServiceState,
  { setting, termination }: Attempt,
  hasAnswered: boolean,
  now: number,
): boolean {
  const { reason, detail } = termination
  const shape = describeShape(reason, detail ?? '')
  state.settings.add(setting)
  state.failed += 1
  state.last = { reason, detail: detail ?? reason }
  if (state.series?.shape !== shape) state.series = { shape, firstAt: now, count: 0 }
  state.series.count += 1
  if (state.isGivenUp || state.series.count < identicalFailures) return false
  if (reason === 'unavailable' && hasAnswered && now - state.series.firstAt < restartMs) return false
  state.isGivenUp = true
  return true
}

/** Replaces numbers and request ids, which differ between failures with the same cause. */
function describeShape(reason: string, detail: string): string {
  return `${reason}: ${detail.replace(/\b[0-9a-f]{8,}\b/gi, '#').replace(/\d+/g, '#')}`
}
