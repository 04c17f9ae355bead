import type { ModelHandle } from '../../core/model.ts'
import type { RateGate } from '../../system/rate-gate.ts'

/** The provider and host that a model's limits belong to. */
export function serviceOf(name: string, facts: Readonly<Record<string, unknown>>): string {
  const { baseUrl } = facts
  const provider = name.split(':')[0] ?? name
  return typeof baseUrl === 'string' && URL.canParse(baseUrl)
    ? `${provider} at ${new URL(baseUrl).host}`
    : provider
}

/** A model whose requests go through the gate of their service, with all others of the run. */
export function gatedModel(model: ModelHandle, service: string, gate: RateGate): ModelHandle {
  return {
    name: model.name,
    contextWindow: model.contextWindow,
    outputLimit: model.outputLimit ?? null,
    // A server that refuses tools changes it while the run goes.
    get nativeTools() {
      return model.nativeTools
    },
    price: model.price,
    countTokens: text => model.countTokens(text),
    async call(messages, options) {
      return await gate.sendWhenAllowed(service, options.signal, {
        send: () => model.call(messages, options),
        held: by => options.held?.(by, 0),
        released: waitedMs => options.held?.(null, waitedMs),
      })
    },
  }
}
