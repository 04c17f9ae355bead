import { expect, it } from 'vitest'
import { checkSchedule } from './schedules.ts'

it('never exceeds a cap by one call or token in 10,000 random schedules of parallel, streamed and failing calls', async () => {
  for (let seed = 1_000_001; seed <= 1_010_000; seed++) await checkSchedule(seed)
  expect.hasAssertions()
}, 1_800_000)
