import { afterEach, beforeEach, vi } from 'vitest'

/** Replaces the timers of every test of a file: each wait ends at once, in the order of time. */
export function withoutWaiting(): void {
  beforeEach(() => {
    vi.useFakeTimers()
    vi.setTimerTickMode('nextTimerAsync')
  })
  afterEach(() => {
    vi.useRealTimers()
  })
}
