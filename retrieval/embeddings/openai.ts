import { z } from 'zod/v4'
import { ConfigError, ProviderError } from '../../src/core/errors.ts'
import { type Embedder, normalise } from './embedder.ts'
import { type JsonService, joinUrl, postJson } from './service.ts'
import type { EmbedderSettings } from './settings.ts'

const answerSchema = z.object({
  data: z.array(z.object({ index: z.int().optional(), embedding: z.array(z.number()).min(1) })),
})

/**
 * Any endpoint that speaks OpenAI's embeddings API (vLLM, llama.cpp, TEI, OpenAI): `openai:NAME@URL`. Where chunks and
 * queries go to models of different names: `openai:CHUNKS,QUERIES@URL`.
 */
export function openaiEmbedder(settings: EmbedderSettings): Embedder {
  const { model } = settings
  const [chunkModel = model, queryModel = chunkModel] = model.split(',').map(name => name.trim())
  const name = `openai:${model}`
  const base = settings.url ?? settings.environment.OPENAI_BASE_URL ?? null
  const key = settings.environment.OPENAI_API_KEY ?? null
  if (base === null && key === null) {
    throw new ConfigError(`--embedder ${name}: set OPENAI_API_KEY, or name a server of your own with @URL`)
  }
  const url = joinUrl(base ?? 'https://api.openai.com/v1', '/embeddings')
  const service: JsonService = { name, url, key, clock: settings.clock }

  return {
    name,
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
  // The API promises an index; the order of the list is what servers without one go by.
  const ordered = data.map((item, at) => ({ ...item, index: item.index ?? at }))
  ordered.sort((a, b) => a.index - b.index)
  return checkedVectors(
    service.name,
    ordered.map(item => item.embedding),
    texts.length,
  )
}

/** One unit vector a text, all of one dimension; else ProviderError. */
export function checkedVectors(
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
  if (problem !== null) throw new ProviderError('bad-response', `${name}: ${problem}`, { retryable: false })
  return vectors.map(vector => normalise(Float32Array.from(vector)))
}
