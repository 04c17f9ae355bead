import type { Clock } from '../../core/runtime.ts'
import type { RunEvent } from './progress.ts'
import type { Tally } from './tally.ts'

const everyMs = 1_000

/** Tells every second how far a run is, until it is stopped, and then once more. */
export function tellPace(tally: Tally, tell: (event: RunEvent) => void, clock: Clock): { stop(): void } {
  const since = clock.now()
  const tellNow = (): void => {
    const { attemptsPerMinute, ...standing } = tally.standing({ since, now: clock.now() })
    tell({ type: 'progress', standing, attemptsPerMinute })
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
