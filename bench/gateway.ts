import type { Bench, Figure } from './figure.ts'
import { runModule } from './parts/process.ts'
import type { ModelCallsCost, ModelCallsInput } from './parts/run-model-calls.ts'
import { rounded } from './parts/statistics.ts'

const calls = 300
const input: ModelCallsInput = { calls, messages: 20, charsPerMessage: 2_000, streamedEvents: 100 }

/** What the gateway of external agents adds to a model call, in processor time. */
export const gateway: Bench = {
  summary: `${calls} model calls of a client through the gateway and directly, ${input.messages} messages of ${input.charsPerMessage} characters`,
  read: 'The value is the processor time that the gateway adds to a call. The ratio is relative to a direct call.',
  why: 'It decides how many external agents one machine can serve.',
  figures: ['gateway-call-cpu-ms', 'gateway-streamed-call-cpu-ms'],
  targets: { 'gateway-call-cpu-ms': { atMost: 2 } },
  async run() {
    const cost = await runModule<ModelCallsCost>('parts/run-model-calls.js', input)
    return [
      figure('gateway-call-cpu-ms', cost.plain, ''),
      figure('gateway-streamed-call-cpu-ms', cost.streamed, `; an answer of ${input.streamedEvents} events`),
    ]
  },
}

function figure(name: string, { directMs, gatewayMs }: ModelCallsCost['plain'], more: string): Figure {
  return {
    figure: name,
    value: rounded(gatewayMs - directMs, 2),
    unit: 'ms',
    against: `a direct call, measured in the same run: ${rounded(directMs, 2)} ms of CPU in the client${more}`,
    ratio: rounded((gatewayMs - directMs) / directMs, 2),
  }
}
