import type { ModelDialect, ModelSampling, ModelServer, ModelServerRequest } from '../core/model.ts'
import { openTimeLimit, type TimeLimit } from './call-limits.ts'
import { toProviderError } from './provider-errors.ts'
import { type RequestFields, withFields } from './request-fields.ts'
import { boundBody, createSender, httpError, readBody, type SendRequest } from './server-request.ts'

/** The settings of a server. Null leaves a setting to the provider. */
interface ServerSettings extends ModelSampling {
  readonly model: string
  readonly baseUrl: string | null
  readonly key: string | null
  /** Additional fields of each request, which replace those of an agent. */
  readonly requestFields?: RequestFields
}

/** How the server of a provider takes requests that an agent has written. */
export interface ServerRecipe {
  /** The request forms that the server answers. */
  dialects(settings: ServerSettings): readonly ModelDialect[]
  url(request: ModelServerRequest, settings: ServerSettings): string
  /** The headers with the key. */
  headers(settings: ServerSettings): Readonly<Record<string, string>>
}

/** What all attempts of a run share of a model's server. */
export interface ServerContext {
  /** The record name of the model, for messages. */
  readonly name: string
  readonly recipe: ServerRecipe
  readonly settings: ServerSettings
  /** The time limit of a request, including its answer. */
  readonly timeoutMs: number
}

/** Returns a function that creates the server of a model for an attempt with a seed. All share one pool of connections. */
export function modelServers(context: ServerContext): (seed: number) => ModelServer {
  const { recipe, settings } = context
  const dialects = recipe.dialects(settings)
  let sender: Promise<SendRequest> | null = null
  return seed => ({
    dialects,
    model: settings.model,
    seed,
    sampling: {
      temperature: settings.temperature,
      topP: settings.topP,
      reasoningEffort: settings.reasoningEffort,
    },
    async send(request) {
      const limit = openTimeLimit(context.name, context.timeoutMs, request.signal)
      try {
        const send = await (sender ??= createSender())
        const answer = await send(recipe.url(request, settings), {
          method: 'POST',
          headers: { ...defaultHeaders(request), ...request.headers, ...recipe.headers(settings) },
          body: JSON.stringify(withFields(request.body, settings.requestFields ?? {})),
          signal: limit.signal,
        })
        if (answer.statusCode < 200 || answer.statusCode > 299)
          throw httpError(context.name, answer, await readBody(context.name, answer.body))
        const contentType = String(answer.headers['content-type'] ?? '').toLowerCase()
        return { contentType, body: limitBody(context.name, answer.body, limit) }
      } catch (error) {
        limit.close()
        throw toFailure(context.name, error, limit)
      }
    },
  })
}

/** Anthropic refuses requests without a version, which clients of other makers may leave out. */
function defaultHeaders({ dialect }: ModelServerRequest): Readonly<Record<string, string>> {
  const version = dialect === 'messages' ? { 'anthropic-version': '2023-06-01' } : {}
  return { 'content-type': 'application/json', ...version }
}

async function* limitBody(
  name: string,
  body: AsyncIterable<Uint8Array>,
  limit: TimeLimit,
): AsyncIterable<Uint8Array> {
  try {
    yield* boundBody(name, body)
  } catch (error) {
    throw toFailure(name, error, limit)
  } finally {
    limit.close()
  }
}

function toFailure(name: string, error: unknown, limit: TimeLimit): unknown {
  return limit.signal.aborted ? limit.causeOf(error) : toProviderError(name, error)
}
