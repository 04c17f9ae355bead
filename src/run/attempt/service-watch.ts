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

/** After this many identical failures in a row the run stops using a service. A success in between starts the count again. */
const identicalFailures = 3
/** A server that has answered before may be restarting. It counts as gone this long after its first failure. */
const restartMs = 120_000

interface ServiceState {
  readonly isModel: boolean
  /** The settings of the attempts that failed because of it. */
  readonly settings: Set<string>
  /** The latest failures in a row; `shape` is the reason and detail that they have in common. */
  series: { readonly shape: string; readonly firstAt: number; count: number } | null
  failed: number
  skipped: number
  last: { readonly reason: string; readonly detail: string } | null
  isGivenUp: boolean
}

/** Watches a run's attempts for services that fail in a way that only the operator can fix. */
export class ServiceWatch {
  readonly #models: ReadonlySet<string>
  readonly #clock: Clock
  readonly #serverOf: (model: string) => string | null
  readonly #states = new Map<string, ServiceState>()
  /** Models that have answered, and settings in which an attempt ended without a failure. */
  readonly #proven = new Set<string>()
  readonly #underWay = new Map<string, number>()
  readonly #waiting: (() => void)[] = []

  /**
   * @param models the names of the run's models. A failing model stops its own attempts; any other failing
   * service stops the settings in which it failed
   * @param serverOf returns the host and port of a model's server, for messages
   */
  constructor(
    models: ReadonlySet<string>,
    clock: Clock,
    serverOf: (model: string) => string | null = () => null,
  ) {
    this.#models = models
    this.#clock = clock
    this.#serverOf = serverOf
  }

  /**
   * Call it before an attempt is made. Waits while a model fails and its running attempts suffice to decide
   * whether the run stops using it.
   *
   * @returns the service that the attempt needs and that the run stopped using; null when the attempt may be
   * made. After null, call `left` when the attempt has ended
   */
  async enter(planned: WatchedAttempt): Promise<string | null> {
    const { model } = planned
    while (this.givenUp(planned) === null && !this.#mayEnter(model))
      await new Promise<void>(resume => this.#waiting.push(resume))
    const missing = this.givenUp(planned)
    if (missing === null) this.#underWay.set(model, (this.#underWay.get(model) ?? 0) + 1)
    return missing
  }

  #mayEnter(model: string): boolean {
    const runningCount = this.#underWay.get(model) ?? 0
    const series = this.#states.get(model)?.series ?? null
    return runningCount === 0 || series === null || series.count + runningCount < identicalFailures
  }

  left({ model }: WatchedAttempt): void {
    this.#underWay.set(model, (this.#underWay.get(model) ?? 0) - 1)
    for (const resume of this.#waiting.splice(0)) resume()
  }

  /** Evaluates an attempt that has ended. Returns true when the run stops using a service because of it. */
  ended(attempt: Attempt): boolean {
    const { termination, model, setting } = attempt
    const { cause, fatalService } = termination
    if (fatalService === undefined) {
      if (cause !== 'agent' && cause !== 'budget') return false
      this.#proven.add(model).add(formatSettingKey(setting))
      for (const [service, state] of this.#states)
        if (service === model || (!state.isModel && state.settings.has(setting))) state.series = null
      return false
    }
    if (fatalService !== model && termination.lastHealthyStep > 0) {
      this.#proven.add(model)
      const state = this.#states.get(model)
      if (state !== undefined) state.series = null
    }
    const state = this.#stateOf(fatalService)
    const hasAnswered = this.#proven.has(state.isModel ? fatalService : formatSettingKey(setting))
    return addFailure(state, attempt, hasAnswered, this.#clock.now())
  }

  #stateOf(service: string): ServiceState {
    const state = this.#states.get(service) ?? makeState(this.#models.has(service))
    this.#states.set(service, state)
    return state
  }

  /** Returns the needed service that the run has stopped using, or null. */
  givenUp({ model, setting, control }: WatchedAttempt): string | null {
    // A control of the online setting needs a recorded online attempt.
    const neededSettings = control === null ? [setting] : [setting, 'online']
    for (const [service, { isGivenUp, isModel, settings }] of this.#states) {
      const isNeeded = isModel ? service === model : neededSettings.some(name => settings.has(name))
      if (isGivenUp && isNeeded) return service
    }
    return null
  }

  /** Counts an attempt that the run skips because it has stopped using a service. */
  skip(service: string): void {
    this.#stateOf(service).skipped += 1
  }

  /** Returns the services that the run stopped using, and those that failed and never answered. */
  failures(): FailedService[] {
    return [...this.#states].flatMap(([service, { isGivenUp, isModel, settings, last, failed, skipped }]) => {
      const hasAnswered = isModel
        ? this.#proven.has(service)
        : [...settings].some(setting => this.#proven.has(formatSettingKey(setting)))
      if (last === null || (hasAnswered && !isGivenUp)) return []
      const server = isModel ? this.#serverOf(service) : null
      return [{ service, server, ...last, failed, skipped, isGivenUp }]
    })
  }
}

function makeState(isModel: boolean): ServiceState {
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
const formatSettingKey = (setting: string): string => `setting ${setting}`

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
