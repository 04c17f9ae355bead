import { describe, expect, it } from 'vitest'
import { cpuMsOf } from '../cpu-time.ts'
import { expectScoredJson, expectScoredTable, hostileJson, hostileTables } from './hostile-answers.ts'

describe('hostile answers in full size', () => {
  it.each(Object.entries(hostileTables))(
    'are scored or refused with a named reason under every profile in bounded time: %s',
    async (_name, make) => {
      const text = make(1)
      expect(await cpuMsOf(() => expectScoredTable(text))).toBeLessThan(60_000)
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
