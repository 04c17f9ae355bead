import type { Bench, Figure } from './figure.ts'
import { runModule } from './parts/process.ts'
import type { ModelCallsCost, ModelCallsInput } from './parts/run-model-calls.ts'
import { rounded } from './parts/statistics.ts'

const limitMs = 2
const calls = 300
const input: ModelCallsInput = { calls, messages: 20, charsPerMessage: 2_000, streamedEvents: 100 }

/** What the gateway of external agents adds to a model call, in processor time. */
export const gateway: Bench = {
  summary: `${calls} model calls of a client through the gateway and directly, ${input.messages} messages of ${input.charsPerMessage} characters`,
  read: `gateway-call-cpu-ms: what the gateway adds to a call (wanted: at most ${limitMs} ms of CPU); ratio: over a direct call`,
  figures: ['gateway-call-cpu-ms', 'gateway-streamed-call-cpu-ms'],
  async run() {
    const cost = await runModule<ModelCallsCost>('parts/run-model-calls.js', input)
    return [
      figure('gateway-call-cpu-ms', cost.plain, `wanted: at most ${limitMs} ms`),
      figure('gateway-streamed-call-cpu-ms', cost.streamed, `an answer of ${input.streamedEvents} events`),
    ]
  },
}

function figure(name: string, { directMs, gatewayMs }: ModelCallsCost['plain'], against: string): Figure {
  return {
    figure: name,
    value: rounded(gatewayMs - directMs, 2),
    unit: 'ms',
    against: `a direct call: ${rounded(directMs, 2)} ms of CPU in the client; ${against}`,
    ratio: rounded((gatewayMs - directMs) / directMs, 2),
  }
}
