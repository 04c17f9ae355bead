import { existsSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { ConfigError } from '../../src/core/errors.ts'
import { sha256OfPath } from '../../src/system/hash.ts'
import { optionalParts, requirePackages } from '../../src/system/optional-packages.ts'
import { readFirstLine } from '../../src/text/plain-text.ts'
import type { Embedder, EmbedderSettings } from './embedder.ts'
import { checkVectors } from './served-embedders.ts'

/** The parts of @huggingface/transformers that Tablehunt uses. Users install the package themselves. */
interface Transformers {
  readonly env: { allowRemoteModels: boolean; localModelPath: string }
  pipeline(task: 'feature-extraction', model: string, options: object): Promise<Extractor>
}
type Extractor = (
  texts: readonly string[],
  options: { pooling: 'cls' | 'mean'; normalize: boolean },
) => Promise<{ tolist(): number[][] }>

/**
 * Creates an embedder that runs a model on this machine with ONNX Runtime. `onnx:FOLDER` needs no network;
 * `onnx:Xenova/bge-m3` is loaded from the Hugging Face hub. BGE, GTE and Snowflake models are pooled by their first
 * token, all others by the mean. E5 models receive their prefixes `query: ` and `passage: `.
 *
 * @throws ConfigError `missing-package` when the package is not installed, and `model-not-loaded` when the model
 *   cannot be loaded at the first use
 */
export async function onnxEmbedder(settings: EmbedderSettings): Promise<Embedder> {
  const { model } = settings
  const transformers = await loadTransformers()
  const local = existsSync(model)
  if (local) {
    transformers.env.allowRemoteModels = false
    transformers.env.localModelPath = dirname(resolve(model))
  }
  const id = local ? basename(resolve(model)) : model
  let extractor: Promise<Extractor> | null = null
  const isE5 = /(?:^|[/_-])e5(?:[/_-]|$)/i.test(id)
  const pooling = /bge|gte-|snowflake/i.test(id) ? 'cls' : 'mean'
  const name = `onnx:${id}`

  async function embed(
    texts: readonly string[],
    prefix: string,
    signal: AbortSignal,
  ): Promise<Float32Array[]> {
    signal.throwIfAborted()
    extractor ??= openModel(transformers, id, model, local && isQuantised(model) ? { dtype: 'q8' } : {})
    const prefixed = isE5 ? texts.map(text => `${prefix}: ${text}`) : texts
    const answer = await (await extractor)(prefixed, { pooling, normalize: true })
    return checkVectors(name, answer.tolist(), texts.length)
  }
  return {
    name,
    // Another folder may have the same name, and the weights in this one may change. The name decides prefix and pooling.
    identity: [name, local ? await sha256OfPath(model) : 'hub', isE5 ? 'passage:' : '', pooling].join(':'),
    worthKeeping: true,
    batchSize: 16,
    embedChunks: async (texts, signal) => await embed(texts, 'passage', signal),
    embedQuery: async (text, signal) => (await embed([text], 'query', signal))[0]!,
  }
}

async function loadTransformers(): Promise<Transformers> {
  const [packageName] = optionalParts.onnx.packages
  try {
    return (await import(packageName)) as Transformers
  } catch (error) {
    requirePackages(optionalParts.onnx)
    throw error
  }
}

/** Whether a folder contains the 8-bit weights and no others. */
function isQuantised(folder: string): boolean {
  const has = (file: string): boolean => existsSync(join(folder, 'onnx', file))
  return has('model_quantized.onnx') && !has('model.onnx')
}

async function openModel(
  transformers: Transformers,
  id: string,
  source: string,
  options: object,
): Promise<Extractor> {
  try {
    return await transformers.pipeline('feature-extraction', id, options)
  } catch (error) {
    throw new ConfigError(
      `--embedder onnx:${source}: the model cannot be loaded (${readFirstLine(error)}). Name a folder or a hub model that contains ONNX weights.`,
      { code: 'model-not-loaded', cause: error },
    )
  }
}
