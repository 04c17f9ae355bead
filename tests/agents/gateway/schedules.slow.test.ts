import { expect, it } from 'vitest'
import { checkSchedule } from './schedules.ts'

/** The number of random schedules; 10,000 with TABLEHUNT_SCHEDULES=10000. */
const schedules = Number(process.env.TABLEHUNT_SCHEDULES ?? 3_000)

it('never exceeds a cap by one call or token in random schedules of parallel, streamed and failing calls', async () => {
  for (let seed = 1_000_001; seed <= 1_000_000 + schedules; seed++) await checkSchedule(seed)
  expect.hasAssertions()
}, 1_800_000)
