import { afterEach, expect, it, vi } from 'vitest'
import { systemClock } from '../../src/core/runtime.ts'
import { withTimeLimit } from '../../src/models/call-limits.ts'

const hour = 3_600_000

afterEach(() => void vi.useRealTimers())

it('sleeps longer than the longest timer', async () => {
  vi.useFakeTimers()
  let awake = false
  void systemClock.sleep(1_000 * hour).then(() => (awake = true))
  await vi.advanceTimersByTimeAsync(999 * hour)
  expect(awake).toBe(false)
  await vi.advanceTimersByTimeAsync(hour)
  expect(awake).toBe(true)
})

it('stops a long sleep when the signal aborts, at any time', async () => {
  vi.useFakeTimers()
  const controller = new AbortController()
  const asleep = expect(systemClock.sleep(1_000 * hour, controller.signal)).rejects.toThrow('enough')
  await vi.advanceTimersByTimeAsync(700 * hour)
  controller.abort(new Error('enough'))
  await asleep
})

it('allows a request longer than the longest timer', async () => {
  vi.useFakeTimers()
  const { signal } = new AbortController()
  const asked = withTimeLimit('m', 1_000 * hour, signal, async limit => {
    await systemClock.sleep(hour, limit)
    return 'answer'
  })
  await vi.advanceTimersByTimeAsync(hour)
  expect(await asked).toBe('answer')
})
