/** A clock that callers pass in, so that tests and replays control the time. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number
  /** Resolves after so many milliseconds. Rejects with the signal's reason when the signal aborts first. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
}

/** No attempt and no step takes longer. A longer time was measured across a change of the wall clock. */
const longestPlausibleMs = 30 * 24 * 3_600_000

/** Returns a duration that was computed from recorded times; null when it is negative or so long that the clock was changed. */
export function plausibleMs(ms: number): number | null {
  return ms >= 0 && ms <= longestPlausibleMs ? ms : null
}

/** Returns the milliseconds from the first of recorded times to each. A step that is no plausible duration counts as 0. */
export function elapsedTimes(times: readonly string[]): number[] {
  let elapsedMs = 0
  return times.map((time, index) => {
    elapsedMs += plausibleMs(Date.parse(time) - Date.parse(times[index - 1] ?? time)) ?? 0
    return elapsedMs
  })
}

/** The longest time of a timer, 24.8 days. Node fires a timer with a longer time at once. */
export const longestTimerMs = 2_147_483_647

/** The wall time at the zero of the monotonic clock, read once. Later steps of the wall clock change no duration. */
const wallStartMs = Date.now() - performance.now()

/**
 * The clock of this process: the wall time of its start plus the monotonic time since. It never steps. Use `Date.now()` only to
 * compare with times from outside of the process: dates of files, of HTTP headers and of other processes.
 */
export const systemClock: Clock = {
  now: () => Math.round(wallStartMs + performance.now()),
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

/** Returns a source of random numbers (mulberry32), which returns the same numbers on every platform. */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}

let lastTurn: Promise<void> = Promise.resolve()

/**
 * Resolves in a turn of the event loop of its own, in the order of the calls. Background work calls it between two pieces, so
 * that timers and answers that arrived meanwhile are handled first.
 */
export function yieldToEventLoop(): Promise<void> {
  lastTurn = lastTurn.then(() => new Promise(resolve => setImmediate(resolve)))
  return lastTurn
}

/** Work without waits pauses after this time, so that the timers of other attempts are not late. */
const longestStretchMs = 50

/** Returns a function that long work calls between its pieces: it yields to the event loop when the last pause was too long ago. */
export function createPauses(): () => Promise<void> | undefined {
  let lastPause = performance.now()
  return () => {
    if (performance.now() - lastPause < longestStretchMs) return undefined
    return yieldToEventLoop().then(() => {
      lastPause = performance.now()
    })
  }
}

/** Returns values in random order. */
export function shuffle<T>(values: readonly T[], random: Random): T[] {
  const result = [...values]
  for (let at = result.length - 1; at > 0; at--) {
    const swapPlace = Math.floor(random() * (at + 1))
    ;[result[at], result[swapPlace]] = [result[swapPlace]!, result[at]!]
  }
  return result
}
