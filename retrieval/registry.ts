import { ConfigError } from '../src/core/errors.ts'
import { Registry } from '../src/core/registry.ts'
import { type Clock, systemClock } from '../src/core/runtime.ts'
import { optionalParts, requirePackages } from '../src/system/optional-packages.ts'
import type { Embedder, EmbedderSettings } from './embeddings/embedder.ts'
import { type Retriever, rerankedPassages } from './retrievers/retriever.ts'
import type { VectorStore } from './stores/vector-store.ts'

/** Settings that a vector store is opened with. */
export interface StoreSettings {
  /** The folder for an index on disk. */
  readonly cacheFolder: string
  /** The URL of the user's own Chroma server; null to start one. */
  readonly chromaUrl: string | null
}

interface RetrievalPart<T> {
  /** One line for --help. */
  readonly summary: string
  /** Loads the module when it is first used. */
  readonly load: T
}

/**
 * An embedder: turns chunks and queries into vectors.
 *
 * @example
 * import { definePlugin, type EmbedderEntry } from 'tablehunt'
 *
 * const vectorOf = (text: string): Float32Array => Float32Array.of(text.length, text.split(' ').length)
 * const lengths: EmbedderEntry = {
 *   summary: 'characters and words, to try the path',
 *   example: null,
 *   load: async () => ({
 *     name: 'lengths',
 *     worthKeeping: false,
 *     batchSize: 64,
 *     embedChunks: async texts => texts.map(vectorOf),
 *     embedQuery: async text => vectorOf(text),
 *   }),
 * }
 * export default definePlugin({ embedders: { lengths } })
 */
export interface EmbedderEntry extends RetrievalPart<(settings: EmbedderSettings) => Promise<Embedder>> {
  /** An example of a complete name, such as `ollama:bge-m3`. Null when the kind has no models to choose from. */
  readonly example: string | null
}
/**
 * A vector store: finds the chunks nearest to a query.
 *
 * @example
 * import type { VectorStoreEntry } from 'tablehunt'
 *
 * const empty: VectorStoreEntry = {
 *   summary: 'finds nothing',
 *   load: async () => ({ nearest: async () => [], close: async () => undefined }),
 * }
 */
export type VectorStoreEntry = RetrievalPart<(settings: StoreSettings) => Promise<VectorStore>>
/**
 * A retriever: splits documents into chunks and ranks them for a query.
 *
 * @example
 * import type { RetrieverEntry } from 'tablehunt'
 *
 * const nothing: RetrieverEntry = {
 *   summary: 'returns no chunks',
 *   load: async () => ({
 *     k: 1,
 *     usesVectors: false,
 *     splitter: { name: 'none', split: async () => [] },
 *     rank: async () => [],
 *   }),
 * }
 */
export interface RetrieverEntry extends RetrievalPart<() => Promise<Retriever>> {
  /** Number of passages that a relevance model rates for each query. Absent when the retriever needs no such model. */
  readonly ratedPassages?: number
}

/** All kinds of embedders. */
export const embedders = new Registry<EmbedderEntry>({
  kind: 'embedder',
  calls: 2,
  builtIn: {
    hash: {
      summary: 'words and character n-grams hashed to 512 dimensions, no model (the embedded default)',
      example: null,
      load: async () => (await import('./embeddings/hash.ts')).hashEmbedder(),
    },
    openai: {
      summary: 'any OpenAI-compatible endpoint: openai:bge-m3@http://127.0.0.1:8082/v1',
      example: 'openai:bge-m3@http://127.0.0.1:8082/v1',
      load: async settings => (await import('./embeddings/served-embedders.ts')).openaiEmbedder(settings),
    },
    ollama: {
      summary: 'a model of Ollama: ollama:bge-m3',
      example: 'ollama:bge-m3',
      load: async settings => (await import('./embeddings/served-embedders.ts')).ollamaEmbedder(settings),
    },
    onnx: {
      summary: 'a model run here by @huggingface/transformers: onnx:FOLDER or onnx:Xenova/bge-m3',
      example: 'onnx:Xenova/bge-m3',
      load: async settings => await (await import('./embeddings/onnx.ts')).onnxEmbedder(settings),
    },
  },
})

async function openChroma({ cacheFolder, chromaUrl }: StoreSettings): Promise<VectorStore> {
  requirePackages(optionalParts.chroma)
  const { chromaStore } = await import('./stores/chroma.ts')
  const { externalChroma, ownChroma } = await import('./stores/chroma-connection.ts')
  return chromaStore(chromaUrl === null ? ownChroma(`${cacheFolder}/chroma`) : externalChroma(chromaUrl))
}

/** All vector stores. */
export const vectorStores = new Registry<VectorStoreEntry>({
  kind: 'vector store',
  calls: 2,
  builtIn: {
    exact: {
      summary: 'every chunk compared, recall 1, nothing on disk (the default)',
      load: async () => (await import('./stores/exact.ts')).exactStore(),
    },
    chroma: {
      summary: "Chroma's server on this machine, an approximate index kept on disk",
      load: openChroma,
    },
  },
})

/** All retrievers. */
export const retrievers = new Registry<RetrieverEntry>({
  kind: 'retriever',
  calls: 2,
  builtIn: {
    aoe: {
      summary: "AOE's published baseline: 250 nearest chunks, at most 50 per document",
      load: async () => (await import('./retrievers/built-in-retrievers.ts')).aoeRetriever(),
    },
    bm25: {
      summary: 'words alone, Chinese by characters and pairs; no vectors',
      load: async () => (await import('./retrievers/built-in-retrievers.ts')).bm25Retriever(),
    },
    hybrid: {
      summary: 'dense search and BM25 fused by reciprocal ranks',
      load: async () => (await import('./retrievers/built-in-retrievers.ts')).hybridRetriever(),
    },
    'per-document': {
      summary: 'dense search in each document, the documents taking turns',
      load: async () => (await import('./retrievers/built-in-retrievers.ts')).perDocumentRetriever(),
    },
    'table-aware': {
      summary: 'hybrid over chunks of whole table rows with their header',
      load: async () => (await import('./retrievers/built-in-retrievers.ts')).tableAwareRetriever(),
    },
    mmr: {
      summary: 'maximal marginal relevance: near the query, unlike what was chosen',
      load: async () => (await import('./retrievers/built-in-retrievers.ts')).mmrRetriever(),
    },
    rerank: {
      summary: 'hybrid, its 100 best put in order by the model, or by the endpoint of TABLEHUNT_RERANK_URL',
      ratedPassages: rerankedPassages,
      load: async () => (await import('./retrievers/built-in-retrievers.ts')).rerankRetriever(),
    },
  },
})

/** The parts of an embedder's name, `KIND:NAME@URL`. */
export type EmbedderName = Pick<EmbedderSettings, 'kind' | 'model' | 'url'>

/**
 * Reads the name of an embedder, such as `hash`, `openai:bge-m3@http://127.0.0.1:8082/v1` or `onnx:./folder`.
 *
 * @throws ConfigError `invalid-embedder-name` when the text has another form
 */
export function parseEmbedderName(text: string): EmbedderName {
  const match = /^([a-z0-9-]+)(?::(.*?))?(?:@(https?:\/\/.+))?$/s.exec(text)
  if (match === null)
    throw new ConfigError(
      `'${text}' is not the name of an embedder. Write KIND, KIND:NAME or KIND:NAME@URL.`,
      { code: 'invalid-embedder-name' },
    )
  return { kind: match[1]!, model: match[2] ?? '', url: match[3] ?? null }
}

/**
 * Finds the entry of an embedder by its name.
 *
 * @throws ConfigError `invalid-embedder-name`, `unknown-embedder`, `missing-embedder-model` when the kind needs the
 *   name of a model, and `unexpected-embedder-model` when the kind has no models
 */
export function findEmbedder(text: string): { readonly entry: EmbedderEntry } & EmbedderName {
  const name = parseEmbedderName(text)
  const { kind, model, url } = name
  const entry = embedders.get(kind)
  if (entry.example === null && (model !== '' || url !== null))
    throw new ConfigError(`'${text}': ${kind} has no models to choose from. Write ${kind} alone.`, {
      code: 'unexpected-embedder-model',
    })
  if (entry.example !== null && model === '')
    throw new ConfigError(`'${text}': name a model, such as ${entry.example}`, {
      code: 'missing-embedder-model',
    })
  return { ...name, entry }
}

/**
 * Opens an embedder by its name.
 *
 * @throws ConfigError as `findEmbedder`, and when its key or package is missing
 */
export async function loadEmbedder(
  text: string,
  environment: EmbedderSettings['environment'],
  clock: Clock = systemClock,
): Promise<Embedder> {
  const { entry, ...named } = findEmbedder(text)
  return await entry.load({ ...named, environment, clock })
}
