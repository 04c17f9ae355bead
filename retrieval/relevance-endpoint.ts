import { z } from 'zod/v4'
import { ProviderError } from '../src/core/errors.ts'
import type { Clock } from '../src/core/runtime.ts'
import { postJson } from './embeddings/service.ts'
import type { RelevanceModel } from './retrievers/retriever.ts'

const answerSchema = z.object({
  results: z.array(
    z.object({ index: z.int(), relevance_score: z.number().optional(), score: z.number().optional() }),
  ),
})

/** Returns the name in records of the endpoint at TABLEHUNT_RERANK_URL; null when that variable is not set. */
export function relevanceEndpointName(
  environment: Readonly<Record<string, string | undefined>>,
): string | null {
  const { TABLEHUNT_RERANK_URL: url, TABLEHUNT_RERANK_MODEL: model = 'rerank' } = environment
  return url === undefined || url === '' ? null : `rerank:${model}`
}

/**
 * Creates a relevance model from a reranking endpoint with the API of Jina, Cohere, vLLM, llama.cpp and LocalAI. Its
 * settings are TABLEHUNT_RERANK_URL (the whole URL, such as http://127.0.0.1:8083/v1/rerank), TABLEHUNT_RERANK_MODEL
 * and TABLEHUNT_RERANK_KEY.
 *
 * @returns null when no URL is set
 */
export function findRelevanceEndpoint(
  environment: Readonly<Record<string, string | undefined>>,
  clock: Clock,
): RelevanceModel | null {
  const { TABLEHUNT_RERANK_URL: url } = environment
  const name = relevanceEndpointName(environment)
  if (name === null || url === undefined) return null
  const model = environment.TABLEHUNT_RERANK_MODEL ?? 'rerank'
  const service = { name, url, key: environment.TABLEHUNT_RERANK_KEY ?? null, clock }
  return async (query, texts, signal) => {
    const body = { model, query, documents: texts, top_n: texts.length }
    const { results } = await postJson(service, body, answerSchema, signal)
    const scores: number[] = texts.map(() => Number.NEGATIVE_INFINITY)
    if (results.length === 0 || new Set(results.map(({ index }) => index)).size < results.length)
      throw new ProviderError('bad-response', `${service.name}: no results, or two for one text`, {
        retryable: false,
      })
    for (const result of results) {
      const score = result.relevance_score ?? result.score
      if (score === undefined || result.index < 0 || result.index >= texts.length) {
        throw new ProviderError('bad-response', `${service.name}: a result without a place or a score`, {
          retryable: false,
        })
      }
      scores[result.index] = score
    }
    return scores
  }
}
