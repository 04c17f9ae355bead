/** The clock, handed in so that tests and replays decide what time it is. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number
  /** Resolves after that many milliseconds; rejects with the signal's reason when it aborts first. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
}

/** 24.8 days: a timer that is set for longer ends at once. */
export const longestTimerMs = 2_147_483_647

export const systemClock: Clock = {
  now: () => Date.now(),
  sleep: (ms, signal) =>
    ms <= longestTimerMs
      ? sleepOnce(ms, signal)
      : sleepOnce(longestTimerMs, signal).then(() => systemClock.sleep(ms - longestTimerMs, signal)),
}

function sleepOnce(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted()
    const timer = setTimeout(done, ms)
    signal?.addEventListener('abort', aborted, { once: true })
    function done(): void {
      signal?.removeEventListener('abort', aborted)
      resolve()
    }
    function aborted(): void {
      clearTimeout(timer)
      reject(signal?.reason)
    }
  })
}

/** A seeded source of numbers in [0, 1). */
export type Random = () => number

/** mulberry32: small, fast, the same on every platform. */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}

let last: Promise<void> = Promise.resolve()

/**
 * Resolves in a turn of the event loop that no other caller is given, in the order of the calls. For work that nobody waits
 * for: between two pieces of it all timers and answers that have come meanwhile are served.
 */
export function yieldToEventLoop(): Promise<void> {
  last = last.then(() => new Promise(resolve => setImmediate(resolve)))
  return last
}
