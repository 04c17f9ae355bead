import type { PlannedAttempt } from './plan.ts'

/** Decides which attempt is next. */
export interface Schedule {
  /** Takes an attempt that may start now; null when none is left or another attempt must end first. */
  next(): PlannedAttempt | null
  ended(planned: PlannedAttempt): void
}

interface Lane {
  readonly service: string
  /** Indexes in the plan. */
  readonly places: number[]
  takenCount: number
  running: number
}

/**
 * Creates a schedule of the pending attempts in the order of the plan. There is a lane for each setting and service. The
 * lane with the fewest running attempts is next, so that no setting waits for the long attempts of another.
 *
 * @param serviceOf returns the service of a model
 * @param limitOf returns how many requests a service accepts at a time; a full service leaves its places to others
 */
export function createSchedule(
  pending: readonly PlannedAttempt[],
  serviceOf: (model: string) => string,
  limitOf: (service: string) => number,
): Schedule {
  const lanes = new Map<string, Lane>()
  const laneOf = ({ setting, model }: PlannedAttempt): Lane => {
    const service = serviceOf(model)
    const name = JSON.stringify([setting, service])
    const lane = lanes.get(name) ?? { service, places: [], takenCount: 0, running: 0 }
    lanes.set(name, lane)
    return lane
  }
  for (const [place, planned] of pending.entries()) laneOf(planned).places.push(place)
  const runningOn = (service: string): number =>
    [...lanes.values()].reduce((sum, lane) => sum + (lane.service === service ? lane.running : 0), 0)
  const isOpen = ({ places, takenCount, service }: Lane): boolean =>
    takenCount < places.length && runningOn(service) < countMostAttempts(limitOf(service))
  return {
    next() {
      const [lane] = [...lanes.values()]
        .filter(isOpen)
        .sort((a, b) => a.running - b.running || a.places[a.takenCount]! - b.places[b.takenCount]!)
      if (lane === undefined) return null
      lane.running += 1
      return pending[lane.places[lane.takenCount++]!]!
    },
    ended(planned) {
      laneOf(planned).running -= 1
    },
  }
}

/** A run makes twice as many attempts as requests, because an attempt also does other work. */
function countMostAttempts(requestLimit: number): number {
  return Math.max(1, 2 * Math.floor(requestLimit))
}

/**
 * Runs a schedule: calls `work` for each attempt until none is left, or until `stopping` aborts. After the first failure no
 * further attempt starts; the promise rejects when the running ones have ended.
 *
 * @param concurrency how many attempts run at a time. Work that has called `leave` no longer counts, but at most twice as
 * many run in all
 */
export function runSchedule(
  schedule: Schedule,
  concurrency: number,
  stopping: AbortSignal,
  work: (planned: PlannedAttempt, leave: () => void) => Promise<void>,
): Promise<void> {
  return new Promise((resolve, reject) => {
    let running = 0
    let underWay = 0
    let failure: { readonly error: unknown } | null = null
    const mayStart = (): boolean => running < concurrency && underWay < 2 * concurrency
    const startMore = (): void => {
      while (mayStart() && failure === null && !stopping.aborted) {
        const planned = schedule.next()
        if (planned === null) break
        running += 1
        underWay += 1
        let runs = true
        const leave = (): void => {
          if (!runs) return
          runs = false
          running -= 1
          schedule.ended(planned)
          startMore()
        }
        work(planned, leave)
          .catch((error: unknown) => {
            failure ??= { error }
          })
          .finally(() => {
            underWay -= 1
            leave()
            startMore()
          })
      }
      if (underWay > 0) return
      if (failure === null) resolve()
      else reject(failure.error)
    }
    startMore()
  })
}
