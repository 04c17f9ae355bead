import type { Clock } from '../../core/runtime.ts'
import type { RunEvent } from './progress.ts'
import type { Tally } from './tally.ts'

const everyMs = 1_000

/** Tells every second how far a run is, until it is stopped, and then once more. */
export function tellPace(tally: Tally, tell: (event: RunEvent) => void, clock: Clock): { stop(): void } {
  const startedAt = clock.now()
  const before = tally.standing().done
  const tellNow = (): void => {
    const standing = tally.standing()
    const minutes = (clock.now() - startedAt) / 60_000
    const ended = standing.done - before
    tell({ type: 'progress', standing, attemptsPerMinute: ended > 0 && minutes > 0 ? ended / minutes : null })
  }
  const timer = setInterval(tellNow, everyMs)
  timer.unref()
  return {
    stop() {
      clearInterval(timer)
      tellNow()
    },
  }
}
