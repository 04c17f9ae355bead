import { z } from 'zod/v4'
import { ConfigError, ProviderError } from '../../src/core/errors.ts'
import { registerSecret } from '../../src/system/secret-values.ts'
import { type Embedder, type EmbedderSettings, normalise } from './embedder.ts'
import { type JsonService, joinUrl, postJson, RequestRefused } from './service.ts'

/** Some servers send the bytes of the numbers, although the request asks for numbers. */
const vectorBytes = z.base64().transform((base64, context) => {
  const bytes = Buffer.from(base64, 'base64')
  if (bytes.length === 0 || bytes.length % 4 !== 0) context.addIssue('bytes that are no vector')
  return Array.from({ length: Math.floor(bytes.length / 4) }, (_, at) => bytes.readFloatLE(at * 4))
})

const answerSchema = z.object({
  data: z.array(
    z.object({
      index: z.int().nullish(),
      embedding: z.union([z.array(z.number()).min(1), vectorBytes]),
    }),
  ),
})

/**
 * Creates an embedder for any server with OpenAI's embeddings API, such as vLLM, llama.cpp or TEI: `openai:NAME@URL`.
 * `openai:CHUNKS,QUERIES@URL` names one model for chunks and another for queries.
 *
 * @throws ConfigError `missing-key` when neither a URL nor a key is set
 */
export function openaiEmbedder(settings: EmbedderSettings): Embedder {
  const { model } = settings
  const [chunkModel = model, queryModel = chunkModel] = model.split(',').map(name => name.trim())
  const name = `openai:${model}`
  const base = settings.url ?? settings.environment.OPENAI_BASE_URL ?? null
  const key = settings.environment.OPENAI_API_KEY ?? null
  registerSecret(key)
  if (base === null && key === null) {
    throw new ConfigError(
      `--embedder ${name} needs an API key. Set OPENAI_API_KEY, or name a server of your own with @URL.`,
      { code: 'missing-key' },
    )
  }
  const url = joinUrl(base ?? 'https://api.openai.com/v1', '/embeddings')
  const service: JsonService = { name, url, key, clock: settings.clock }

  return {
    name,
    // Servers may give different models the same name.
    identity: `${name}@${url}`,
    worthKeeping: true,
    batchSize: 16,
    embedChunks: async (texts, signal) => await embed(service, chunkModel, texts, signal),
    embedQuery: async (text, signal) => (await embed(service, queryModel, [text], signal))[0]!,
  }
}

async function embed(
  service: JsonService,
  model: string,
  texts: readonly string[],
  signal: AbortSignal,
): Promise<Float32Array[]> {
  const body = { model, input: texts, encoding_format: 'float' }
  const { data } = await postJson(service, body, answerSchema, signal)
  // OpenAI's API sends an index with each vector. Servers that send none return the vectors in order, and so do gateways
  // that join the answers of smaller requests, whose indexes repeat.
  const isNumbered = new Set(data.map(({ index }) => index ?? null)).size === data.length
  const ordered = isNumbered ? [...data].sort((a, b) => (a.index ?? 0) - (b.index ?? 0)) : data
  return checkVectors(
    service.name,
    ordered.map(item => item.embedding),
    texts.length,
  )
}

/**
 * Normalises the vectors of an answer.
 *
 * @param count number of texts that were sent
 * @throws ProviderError `bad-response` unless there is one vector for each text, all of one dimension and none of zeros or of
 * numbers that are too large
 */
export function checkVectors(
  name: string,
  vectors: readonly (readonly number[])[],
  count: number,
): Float32Array[] {
  const problem =
    vectors.length !== count
      ? `${vectors.length} vectors for ${count} texts`
      : vectors.some(vector => vector.length !== vectors[0]?.length)
        ? 'vectors of different dimensions'
        : null
  // A server that silently cuts its input may answer a smaller request.
  const kind = vectors.length === count ? ProviderError : RequestRefused
  if (problem !== null) throw new kind('bad-response', `${name}: ${problem}`, { retryable: false })
  const normalised = vectors.map(vector => normalise(Float32Array.from(vector)))
  // Every text would be equally far from such a vector.
  if (!normalised.every(vector => vector.some(value => value !== 0) && vector.every(Number.isFinite)))
    throw new ProviderError(
      'bad-response',
      `${name}: a vector of zeros, or with a number that is too large`,
      {
        retryable: false,
      },
    )
  return normalised
}

const ollamaAnswer = z.object({ embeddings: z.array(z.array(z.number()).min(1)) })

/**
 * Creates an embedder over Ollama's own API: `ollama:NAME` on this machine or `ollama:NAME@URL` elsewhere. Without a
 * URL, the environment variable OLLAMA_HOST names the server, in the forms that Ollama accepts.
 */
export function ollamaEmbedder(settings: EmbedderSettings): Embedder {
  const { model } = settings
  const name = `ollama:${model}`
  const url = joinUrl(settings.url ?? ollamaUrl(settings.environment.OLLAMA_HOST), '/api/embed')
  const service: JsonService = { name, url, key: null, clock: settings.clock }
  const embed = async (texts: readonly string[], signal: AbortSignal): Promise<Float32Array[]> => {
    const { embeddings } = await postJson(service, { model, input: texts }, ollamaAnswer, signal)
    return checkVectors(name, embeddings, texts.length)
  }
  return {
    name,
    // Servers may give different models the same name.
    identity: `${name}@${url}`,
    worthKeeping: true,
    batchSize: 32,
    embedChunks: embed,
    embedQuery: async (text, signal) => (await embed([text], signal))[0]!,
  }
}

/** Returns the URL for `host`, `host:port` or a URL. The listen address 0.0.0.0 becomes 127.0.0.1. */
function ollamaUrl(host: string | undefined): string {
  if (host === undefined || host === '') return 'http://127.0.0.1:11434'
  const url = /^https?:\/\//.test(host) ? host : `http://${host}`
  const withPort = /:\d+\/?$/.test(url) ? url : joinUrl(url, ':11434')
  return withPort.replace('//0.0.0.0', '//127.0.0.1')
}
