import { expect, it } from 'vitest'
import { ProviderError } from '../../src/core/errors.ts'
import { gateModel } from '../../src/run/open-run/gated-model.ts'
import { createRateGate } from '../../src/system/rate-gate.ts'
import { bytes, serverOf } from '../agents/gateway/model-client.ts'
import { hastyClock, says, scripted } from '../agents/harness.ts'

const sent = {
  dialect: 'chat-completions' as const,
  body: {},
  isStreamed: false,
  headers: {},
  signal: new AbortController().signal,
}
const newGate = () => createRateGate({ clock: hastyClock, random: () => 0, most: 4, longestWaitMs: 60_000 })

it("counts a request to a model's server as under way until its answer is read", async () => {
  const gate = newGate()
  let isFirst = true
  const server = serverOf(['chat-completions'], () => {
    if (!isFirst) return { body: bytes('answer') }
    isFirst = false
    return new ProviderError('rate-limited', 'HTTP 429', { retryable: true, retryAfterMs: 0 })
  })
  const model = gateModel(scripted({ turns: [says('')], server }), 'a service', gate)
  await expect(model.server!.send(sent)).rejects.toMatchObject({ reason: 'rate-limited' })
  expect(gate.limitOf('a service')).toBe(1)

  const first = await model.server!.send(sent)
  const second = model.server!.send(sent)
  await new Promise(resolve => setImmediate(resolve))
  expect(server.seen).toHaveLength(2)
  for await (const _chunk of first.body) {
    // Only read.
  }
  for await (const _chunk of (await second).body) {
    // Only read.
  }
  expect(server.seen).toHaveLength(3)
})

it('gives the place of a request back when its answer is not read to the end', async () => {
  const gate = newGate()
  const server = serverOf(['chat-completions'], () => ({ body: bytes('a', 'b') }))
  const model = gateModel(scripted({ turns: [says('')], server }), 'a service', gate)
  for (let call = 0; call < 3; call++) for await (const _chunk of (await model.server!.send(sent)).body) break
  expect(model.server).toMatchObject({ model: 'secret-model', seed: 7, dialects: ['chat-completions'] })
})
