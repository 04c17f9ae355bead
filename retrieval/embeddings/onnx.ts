import { existsSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { ConfigError } from '../../src/core/errors.ts'
import { firstLineOf } from '../../src/core/first-line.ts'
import { sha256OfPath } from '../../src/core/hash.ts'
import type { Embedder } from './embedder.ts'
import { checkedVectors } from './openai.ts'
import type { EmbedderSettings } from './settings.ts'

/** The parts of @huggingface/transformers that we use; the package is the user's to install. */
interface Transformers {
  readonly env: { allowRemoteModels: boolean; localModelPath: string }
  pipeline(task: 'feature-extraction', model: string, options: object): Promise<Extractor>
}
type Extractor = (
  texts: readonly string[],
  options: { pooling: 'cls' | 'mean'; normalize: boolean },
) => Promise<{ tolist(): number[][] }>

const packageName = '@huggingface/transformers'

/**
 * A model run on this machine by ONNX Runtime: `onnx:FOLDER`, which needs no network, or `onnx:Xenova/bge-m3` from the
 * hub. BGE models are pooled by their first token, others by the mean; E5 models get their prefixes.
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
    return checkedVectors(name, answer.tolist(), texts.length)
  }
  return {
    name,
    // Other folders may have the same name, and the weights in this one may change. The name decides how vectors are made.
    ...(local && { identity: `${name}:${await sha256OfPath(model)}` }),
    worthKeeping: true,
    batchSize: 16,
    embedChunks: async (texts, signal) => await embed(texts, 'passage', signal),
    embedQuery: async (text, signal) => (await embed([text], 'query', signal))[0]!,
  }
}

async function loadTransformers(): Promise<Transformers> {
  try {
    const loaded: Transformers = await import(packageName)
    return loaded
  } catch (error) {
    throw new ConfigError(
      `--embedder onnx needs a package that is not installed: npm install ${packageName}`,
      {
        cause: error,
      },
    )
  }
}

/** A folder that holds the 8-bit weights alone. */
function isQuantised(folder: string): boolean {
  const has = (file: string): boolean => existsSync(join(folder, 'onnx', file))
  return has('model_quantized.onnx') && !has('model.onnx')
}

async function openModel(
  transformers: Transformers,
  id: string,
  asked: string,
  options: object,
): Promise<Extractor> {
  try {
    return await transformers.pipeline('feature-extraction', id, options)
  } catch (error) {
    const why = firstLineOf(error)
    throw new ConfigError(`--embedder onnx:${asked}: the model cannot be loaded (${why})`, { cause: error })
  }
}
