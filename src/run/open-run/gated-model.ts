import type { ModelHandle, ModelServer, ModelServerAnswer } from '../../core/model.ts'
import type { RateGate } from '../../system/rate-gate.ts'

/** Returns the provider and host whose rate limits apply to a model. */
export function nameService(name: string, facts: Readonly<Record<string, unknown>>): string {
  const provider = name.split(':')[0] ?? name
  const server = findServer(facts)
  return server === null ? provider : `${provider} at ${server}`
}

/** Returns the host and port of a model's server; null for the default server of a provider. */
export function findServer({ baseUrl }: Readonly<Record<string, unknown>>): string | null {
  return typeof baseUrl === 'string' && URL.canParse(baseUrl) ? new URL(baseUrl).host : null
}

/** Wraps a model so that its requests wait at the rate gate of their service, together with all others of the run. */
export function gateModel(model: ModelHandle, service: string, gate: RateGate): ModelHandle {
  return {
    name: model.name,
    contextWindow: model.contextWindow,
    outputLimit: model.outputLimit ?? null,
    // It may change during the run, when a server refuses tools.
    get nativeTools() {
      return model.nativeTools
    },
    ...(model.keptReasoning === undefined ? {} : { keptReasoning: model.keptReasoning }),
    price: model.price,
    countTokens: text => model.countTokens(text),
    ...(model.server === undefined ? {} : { server: gateServer(model.server, service, gate) }),
    async call(messages, options) {
      return await gate.sendWhenAllowed(service, options.signal, {
        send: () => model.call(messages, options),
        held: by => options.held?.(by, 0),
        released: waitedMs => options.held?.(null, waitedMs),
      })
    },
  }
}

/** A server whose requests go through the gate. A request is under way until its answer is read. */
function gateServer(server: ModelServer, service: string, gate: RateGate): ModelServer {
  return {
    ...server,
    send: request =>
      new Promise((resolve, reject) => {
        const sendAndWait = async (): Promise<void> => {
          const answer = await server.send(request)
          await new Promise<void>(isRead => resolve(holdUntilRead(answer, isRead)))
        }
        gate
          .sendWhenAllowed(service, request.signal, {
            send: sendAndWait,
            held: by => request.held?.(by, 0),
            released: waitedMs => request.held?.(null, waitedMs),
          })
          .catch(reject)
      }),
  }
}

function holdUntilRead(answer: ModelServerAnswer, isRead: () => void): ModelServerAnswer {
  async function* read(): AsyncIterable<Uint8Array> {
    try {
      yield* answer.body
    } finally {
      isRead()
    }
  }
  return { contentType: answer.contentType, body: read() }
}
