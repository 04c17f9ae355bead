import { setImmediate as nextTurn } from 'node:timers/promises'

/** A turn of the event loop in which a timer or an answer was served takes longer. */
const quietMs = 0.4
/** The longest wait where no turn is quiet. */
const longestWaitMs = 1_000

let last: Promise<void> = Promise.resolve()

/**
 * Resolves in a turn of the event loop in which nothing else was to be done, which no other caller is given, in the order
 * of the calls; without such a turn after a second. For work that nobody waits for: all that others wait for goes first.
 */
export function quietTurn(): Promise<void> {
  const latest = performance.now() + longestWaitMs
  last = last.then(() => untilQuiet(latest))
  return last
}

async function untilQuiet(latest: number): Promise<void> {
  for (let before = performance.now(); ; ) {
    await nextTurn()
    const now = performance.now()
    if (now - before < quietMs || now > latest) return
    before = now
  }
}
