import type { ModelDialect, ModelSampling, ModelServer, ModelServerRequest } from '../core/model.ts'
import { openTimeLimit, type TimeLimit } from './call-limits.ts'
import { boundedBody, httpErrorOf } from './checked-fetch.ts'
import { toProviderError } from './provider-errors.ts'
import { type RequestFields, withFields } from './request-fields.ts'

/** The settings of a server. Null leaves a setting to the provider. */
export interface ServerSettings extends ModelSampling {
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
  let sender: Promise<Send> | null = null
  return seed => ({
    dialects,
    model: settings.model,
    seed,
    sampling: samplingOf(settings),
    async send(request) {
      const limit = openTimeLimit(context.name, context.timeoutMs, request.signal)
      try {
        const send = await (sender ??= createSender())
        const { statusCode, headers, body } = await send(recipe.url(request, settings), {
          method: 'POST',
          headers: { ...defaultHeaders(request), ...request.headers, ...recipe.headers(settings) },
          body: JSON.stringify(withFields(request.body, settings.requestFields ?? {})),
          signal: limit.signal,
        })
        if (statusCode < 200 || statusCode > 299)
          throw await httpErrorOf(context.name, await responseOf(statusCode, headers, body))
        const contentType = String(headers['content-type'] ?? '').toLowerCase()
        return { contentType, body: limitedBody(context.name, body, limit) }
      } catch (error) {
        limit.close()
        throw failureOf(context.name, error, limit)
      }
    },
  })
}

function samplingOf({ temperature, topP, reasoningEffort }: ServerSettings): ModelSampling {
  return { temperature, topP, reasoningEffort }
}

type Send = typeof import('undici').request
type IncomingHeaders = Awaited<ReturnType<Send>>['headers']

/** Creates a client with a pool of connections of its own, which follows no redirects and has no time limit. */
async function createSender(): Promise<Send> {
  const { Agent, request } = await import('undici')
  const dispatcher = new Agent({ headersTimeout: 0, bodyTimeout: 0, connect: { timeout: 30_000 } })
  return ((url, options) => request(url, { ...options, dispatcher })) as Send
}

async function responseOf(
  status: number,
  headers: IncomingHeaders,
  body: AsyncIterable<Uint8Array>,
): Promise<Response> {
  const known = Object.entries(headers).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)] as [string, string]],
  )
  const chunks: Uint8Array[] = []
  for await (const chunk of body) chunks.push(chunk)
  return new Response(Buffer.concat(chunks), { status, headers: known })
}

/** Anthropic refuses requests without a version, which clients of other makers may leave out. */
function defaultHeaders({ dialect }: ModelServerRequest): Readonly<Record<string, string>> {
  const version = dialect === 'messages' ? { 'anthropic-version': '2023-06-01' } : {}
  return { 'content-type': 'application/json', ...version }
}

async function* limitedBody(
  name: string,
  body: AsyncIterable<Uint8Array>,
  limit: TimeLimit,
): AsyncIterable<Uint8Array> {
  try {
    yield* boundedBody(name, body)
  } catch (error) {
    throw failureOf(name, error, limit)
  } finally {
    limit.close()
  }
}

function failureOf(name: string, error: unknown, limit: TimeLimit): unknown {
  return limit.signal.aborted ? limit.causeOf(error) : toProviderError(name, error)
}
