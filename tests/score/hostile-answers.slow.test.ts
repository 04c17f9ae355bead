import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as wait } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { cpuMsOf } from '../cpu-time.ts'
import { expectScoredJson, expectScoredTable, hostileJson, hostileTables } from './hostile-answers.ts'

/** The event loop of a run waits at most so long in 99 of 100 turns, whatever its attempts answer. */
const maxDelayMs = 200

async function expectShortTurns(work: () => Promise<void>): Promise<void> {
  const delays = monitorEventLoopDelay({ resolution: 5 })
  delays.enable()
  await wait(20)
  await work()
  await wait(20)
  delays.disable()
  expect(delays.percentile(99) / 1e6).toBeLessThan(maxDelayMs)
}

describe('hostile answers in full size', () => {
  it.each(Object.entries(hostileTables))(
    'are scored or refused with a named reason under every profile in bounded time: %s',
    async (_name, make) => {
      const text = make(1)
      await expectShortTurns(async () => {
        expect(await cpuMsOf(() => expectScoredTable(text))).toBeLessThan(20_000)
      })
    },
  )

  it.each(Object.entries(hostileJson))(
    'are scored or refused with a named reason as JSON in bounded time: %s',
    async (_name, make) => {
      const text = make(1)
      expect(await cpuMsOf(() => expectScoredJson(text))).toBeLessThan(20_000)
    },
  )
})
