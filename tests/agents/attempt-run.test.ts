import { expect, it } from 'vitest'
import { openAttemptRun } from '../../agents/attempt-run.ts'
import { says, scripted, table, world } from './harness.ts'

/** A clock that a test moves. Sleeps resolve in the order in which they are due. */
function movedClock() {
  let now = 0
  const sleeps = new Set<{ at: number; resolve: () => void }>()
  return {
    now: () => now,
    sleep: (ms: number) => new Promise<void>(resolve => void sleeps.add({ at: now + ms, resolve })),
    async move(ms: number): Promise<void> {
      const end = now + ms
      for (;;) {
        for (let turn = 0; turn < 20; turn++) await Promise.resolve()
        const [next] = [...sleeps].sort((a, b) => a.at - b.at)
        if (next === undefined || next.at > end) break
        sleeps.delete(next)
        now = Math.max(now, next.at)
        next.resolve()
      }
      now = end
    },
  }
}

function openFork() {
  const clock = movedClock()
  let becomeLive = (): void => undefined
  const replayed = new Promise<void>(resolve => {
    becomeLive = resolve
  })
  const { environment } = world(scripted({ turns: [says(table)] }), {
    ...{ clock, replayed, caps: { wallMs: 2_000 } },
  })
  return { run: openAttemptRun(environment), clock, becomeLive }
}

it('does not count the replay of a fork towards its wall-clock budget', async () => {
  const { run, clock, becomeLive } = openFork()
  await clock.move(60_000)
  expect([run.signal.aborted, run.toolSignal.aborted]).toEqual([false, false])
  becomeLive()
  await clock.move(1_500)
  expect([run.signal.aborted, run.totalUsage().wallMs]).toEqual([false, 1_500])
  await clock.move(600)
  expect(run.signal.aborted).toBe(true)
})

it('ends a fork whose replay does not end', async () => {
  const { run, clock } = openFork()
  await clock.move(5 * 60_000)
  expect(run.signal.aborted).toBe(false)
  await clock.move(3_000)
  expect(run.signal.aborted).toBe(true)
})
