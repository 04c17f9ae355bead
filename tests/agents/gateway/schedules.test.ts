import { expect, it } from 'vitest'
import { checkSchedule } from './schedules.ts'

it('never exceeds a cap by one call or token in 300 random schedules of parallel, streamed and failing calls', async () => {
  for (let seed = 1; seed <= 300; seed++) await checkSchedule(seed)
  expect.hasAssertions()
})
