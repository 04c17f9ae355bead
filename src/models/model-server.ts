import type { ModelDialect, ModelServer, ModelServerRequest } from '../core/model.ts'
import { openTimeLimit, type TimeLimit } from './call-limits.ts'
import { boundedBody, createPooledFetch, type Fetch, httpErrorOf } from './checked-fetch.ts'
import type { RequestSettings } from './langchain-recipe.ts'
import { toProviderError } from './provider-errors.ts'

type ServerSettings = Pick<RequestSettings, 'model' | 'baseUrl' | 'key'>

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
  let fetch: Promise<Fetch> | null = null
  const pooledFetch = (): Promise<Fetch> => (fetch ??= createPooledFetch())
  return seed => ({
    dialects,
    model: settings.model,
    seed,
    async send(request) {
      const limit = openTimeLimit(context.name, context.timeoutMs, request.signal)
      try {
        const send = await pooledFetch()
        const response = await send(recipe.url(request, settings), {
          method: 'POST',
          headers: { ...defaultHeaders(request), ...request.headers, ...recipe.headers(settings) },
          body: JSON.stringify(request.body),
          signal: limit.signal,
        })
        if (!response.ok) throw await httpErrorOf(context.name, response)
        const contentType = (response.headers.get('content-type') ?? '').toLowerCase()
        return { contentType, body: limitedBody(context.name, response, limit) }
      } catch (error) {
        limit.close()
        throw failureOf(context.name, error, limit)
      }
    },
  })
}

/** Anthropic refuses requests without a version, which clients of other makers may leave out. */
function defaultHeaders({ dialect }: ModelServerRequest): Readonly<Record<string, string>> {
  const version = dialect === 'messages' ? { 'anthropic-version': '2023-06-01' } : {}
  return { 'content-type': 'application/json', ...version }
}

async function* limitedBody(name: string, response: Response, limit: TimeLimit): AsyncIterable<Uint8Array> {
  try {
    yield* boundedBody(name, response)
  } catch (error) {
    throw failureOf(name, error, limit)
  } finally {
    limit.close()
  }
}

function failureOf(name: string, error: unknown, limit: TimeLimit): unknown {
  return limit.signal.aborted ? limit.causeOf(error) : toProviderError(name, error)
}
