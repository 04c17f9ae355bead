import { z } from 'zod/v4'
import type { Embedder, EmbedderSettings } from './embedder.ts'
import { checkedVectors } from './openai.ts'
import { type JsonService, joinUrl, postJson } from './service.ts'

const answerSchema = z.object({ embeddings: z.array(z.array(z.number()).min(1)) })

/**
 * Creates an embedder over Ollama's own API: `ollama:NAME` on this machine or `ollama:NAME@URL` elsewhere. Without a
 * URL, the environment variable OLLAMA_HOST names the server, in the forms that Ollama accepts.
 */
export function ollamaEmbedder(settings: EmbedderSettings): Embedder {
  const { model } = settings
  const name = `ollama:${model}`
  const url = joinUrl(settings.url ?? hostOf(settings.environment.OLLAMA_HOST), '/api/embed')
  const service: JsonService = { name, url, key: null, clock: settings.clock }
  const embed = async (texts: readonly string[], signal: AbortSignal): Promise<Float32Array[]> => {
    const { embeddings } = await postJson(service, { model, input: texts }, answerSchema, signal)
    return checkedVectors(name, embeddings, texts.length)
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
function hostOf(host: string | undefined): string {
  if (host === undefined || host === '') return 'http://127.0.0.1:11434'
  const url = /^https?:\/\//.test(host) ? host : `http://${host}`
  const withPort = /:\d+\/?$/.test(url) ? url : joinUrl(url, ':11434')
  return withPort.replace('//0.0.0.0', '//127.0.0.1')
}
