import { expect, it } from 'vitest'
import { ProviderError } from '../../src/core/errors.ts'
import type { Clock } from '../../src/core/runtime.ts'
import { openGates } from '../../src/run/resources/gates.ts'

it.each([
  // Longer in all than the minute by which most services count.
  ['service', [500, 2_500, 12_500, 60_000, 60_000]],
  ['page', [500, 1_000, 2_000, 4_000, 8_000]],
] as const)('waits longer after each refusal of a %s that names no time', async (kind, waits) => {
  let now = 0
  const clock: Clock = { now: () => now, sleep: async ms => void (now += ms) }
  const told: number[] = []
  const gates = openGates(
    { concurrency: 1, seed: 0 },
    (_gate, _service, _by, waitMs) => told.push(waitMs),
    clock,
  )
  const send = async () => {
    now += 1
    throw new ProviderError('rate-limited', 'HTTP 429', { retryable: true })
  }
  const never = new AbortController().signal
  for (const _wait of waits) await gates[kind].sendWhenAllowed('s', never, { send }).catch(() => undefined)
  expect(told).toEqual(waits)
})
