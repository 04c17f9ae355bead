import type { PlannedAttempt } from './plan.ts'

/** Which attempt is next, while others run. */
export interface Schedule {
  /** Takes an attempt that may start now; null: none may until another has ended, or none is left. */
  next(): PlannedAttempt | null
  ended(planned: PlannedAttempt): void
}

interface Lane {
  readonly service: string
  /** Places in the plan. */
  readonly places: number[]
  taken: number
  running: number
}

/**
 * Attempts in the order of the plan, by lanes of a setting and a model's service. The lane with the fewest running ones is
 * next, so that no setting waits for another's long attempts; a service that takes fewer than it is given
 * (`limitOf`) leaves its places to the others.
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
    const lane = lanes.get(name) ?? { service, places: [], taken: 0, running: 0 }
    lanes.set(name, lane)
    return lane
  }
  for (const [place, planned] of pending.entries()) laneOf(planned).places.push(place)
  const runningOn = (service: string): number =>
    [...lanes.values()].reduce((sum, lane) => sum + (lane.service === service ? lane.running : 0), 0)
  const isOpen = ({ places, taken, service }: Lane): boolean =>
    taken < places.length && runningOn(service) < mostAttempts(limitOf(service))
  return {
    next() {
      const [lane] = [...lanes.values()]
        .filter(isOpen)
        .sort((a, b) => a.running - b.running || a.places[a.taken]! - b.places[b.taken]!)
      if (lane === undefined) return null
      lane.running += 1
      return pending[lane.places[lane.taken++]!]!
    },
    ended(planned) {
      laneOf(planned).running -= 1
    },
  }
}

/** An attempt does more than ask its model, so twice as many keep the requests going. */
function mostAttempts(requestLimit: number): number {
  return Math.max(1, 2 * Math.floor(requestLimit))
}

/**
 * Does the work of a schedule's attempts, as many at a time as `concurrency` says, until none is left or `stopping`
 * aborts. Work that has called `leave` goes on beside those: at most as many more, so that nothing piles up. A failure
 * stops further ones; rejects with it when those under way have ended.
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
