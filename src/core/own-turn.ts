let last: Promise<void> = Promise.resolve()

/**
 * Resolves in a turn of the event loop that no other caller is given, in the order of the calls. For work that nobody waits
 * for: between two pieces of it all timers and answers that have come meanwhile are served.
 */
export function ownTurn(): Promise<void> {
  last = last.then(() => new Promise(resolve => setImmediate(resolve)))
  return last
}
