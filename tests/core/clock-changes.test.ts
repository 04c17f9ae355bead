import { afterEach, expect, it, vi } from 'vitest'
import { hasChangedClock } from '../../src/core/attempt.ts'
import { elapsedTimes, plausibleMs, systemClock } from '../../src/core/runtime.ts'

const day = 24 * 3_600_000

afterEach(() => void vi.useRealTimers())

it.each([-3 * day, 400 * day, -60_000, 90_000])(
  'measures time without a step of the wall clock by %d ms',
  step => {
    const before = systemClock.now()
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + step })
    const passed = systemClock.now() - before
    expect(passed).toBeGreaterThanOrEqual(0)
    expect(passed).toBeLessThan(30_000)
  },
)

it.each([
  [0, 0],
  [1_800_000, 1_800_000],
  [-1, null],
  [400 * day, null],
])('takes a duration of %d ms for %s', (ms, plausible) => expect(plausibleMs(ms)).toBe(plausible))

it('counts a step of the clock between two events as no time', () => {
  const times = [
    '2026-03-01T10:00:00Z',
    '2026-03-01T10:00:05Z',
    '2026-02-26T10:00:05Z',
    '2027-04-02T10:00:05Z',
  ]
  expect(elapsedTimes([...times, '2027-04-02T10:00:07Z'])).toEqual([0, 5_000, 5_000, 5_000, 7_000])
})

it.each([
  ['2026-03-01T10:00:00Z', '2026-03-01T10:10:00Z', 600_000, false],
  ['2026-03-01T10:00:00Z', '2026-02-26T10:10:00Z', 0, true],
  ['2026-03-01T10:00:00Z', '2027-04-05T10:10:00Z', 400 * day, true],
])(
  'recognises an attempt from %s to %s during which the clock was changed',
  (startedAt, endedAt, wallMs, changed) =>
    expect(hasChangedClock({ startedAt, endedAt, usage: { wallMs } })).toBe(changed),
)
