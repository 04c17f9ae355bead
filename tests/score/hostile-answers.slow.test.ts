import { setTimeout as wait } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { cpuMsOf } from '../cpu-time.ts'
import { expectScoredJson, expectScoredTable, hostileJson, hostileTables } from './hostile-answers.ts'

/** Between two turns of the event loop, an answer takes at most this much processor time. Waits for other programs do not count. */
const longestTurnMs = 800

async function expectShortTurns(work: () => Promise<void>): Promise<void> {
  const turns: number[] = []
  let last = process.cpuUsage()
  const timer = setInterval(() => {
    const { user, system } = process.cpuUsage(last)
    last = process.cpuUsage()
    turns.push((user + system) / 1000)
  }, 5)
  await wait(20)
  await work()
  await wait(20)
  clearInterval(timer)
  expect(Math.max(...turns)).toBeLessThan(longestTurnMs)
}

describe('hostile answers in full size', () => {
  it.each(Object.entries(hostileTables))(
    'are scored or refused with a named reason under every scorer in bounded time: %s',
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
