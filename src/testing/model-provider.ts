import { deepEqual, equal, ok, rejects } from 'node:assert/strict'
import { HumanMessage } from '@langchain/core/messages'
import { ConfigError, ProviderError } from '../core/errors.ts'
import type { ModelOptions } from '../models/model-source.ts'
import { createModel, modelProviders } from '../models/registry.ts'
import type { Check } from './contract.ts'

/**
 * A model that a provider is tested with.
 *
 * @example
 * import type { ModelProviderSample } from 'tablehunt/testing'
 *
 * const provider: ModelProviderSample = {
 *   model: 'small@http://127.0.0.1:8000/v1',
 *   failingModel: 'small@http://127.0.0.1:8001/v1',
 * }
 */
export interface ModelProviderSample {
  /** The part of `--model` after the provider's name: `NAME`, `NAME@URL`, or '' for a provider with one model. */
  readonly model: string
  /**
   * A model whose call fails, such as one of a server that answers 401. Absent when its calls cannot fail.
   */
  readonly failingModel?: string
  /** Options of the model, such as `temperature`. When absent, the defaults apply. */
  readonly options?: Partial<ModelOptions>
}

const key = 'secret-key-1'

/** Returns the checks that every model provider must pass. */
export function modelProviderContract(name: string, sample: ModelProviderSample): readonly Check[] {
  const { keyVariable } = modelProviders.get(name)
  const env = keyVariable === null ? {} : { [keyVariable]: key }
  const open = async (model: string) =>
    await createModel(model === '' ? name : `${name}:${model}`, { ...options, env, ...sample.options })
  return [
    {
      name: 'has a name for records without an address, and describes itself without secrets',
      async run() {
        const source = await open(sample.model)
        ok(source.name.startsWith(name), `${source.name} does not begin with ${name}`)
        ok(!source.name.includes('://'), `${source.name} contains an address`)
        ok(!JSON.stringify(source.describe()).includes(key), 'the description contains the key')
        equal(source.forAttempt(attempt).name, source.name)
      },
    },
    {
      name: 'answers a message with text, each attempt from its own beginning',
      async run() {
        const source = await open(sample.model)
        const first = await call(source)
        ok(typeof first === 'string')
        deepEqual(await call(source), first)
      },
    },
    {
      name: 'counts the tokens of a text on this machine',
      async run() {
        const { countTokens } = (await open(sample.model)).forAttempt(attempt)
        ok(countTokens('two words and more') > countTokens('two'))
      },
    },
    ...(sample.failingModel === undefined ? [] : [failureCheck(open, sample.failingModel)]),
    ...(keyVariable === null ? [] : [missingKeyCheck(name, keyVariable)]),
  ]
}

type Open = (model: string) => ReturnType<typeof createModel>

function failureCheck(open: Open, model: string): Check {
  return {
    name: 'reports a failed call as one of its provider',
    async run() {
      await rejects(call(await open(model)), error => error instanceof ProviderError)
    },
  }
}

/** For a provider with a key. */
export function missingKeyCheck(name: string, keyVariable: string): Check {
  return {
    name: 'says which variable to set when its key is missing',
    async run() {
      await rejects(
        createModel(`${name}:any-model`, options),
        error => error instanceof ConfigError && error.message.includes(keyVariable),
      )
    },
  }
}

const options: ModelOptions = { toolProtocol: 'auto', seed: 1, env: {}, contextWindow: 8_000 }
const attempt = { taskId: 't', setting: 'offline', trial: 0, seed: 1 }

async function call(source: Awaited<ReturnType<Open>>): Promise<string> {
  const { signal } = new AbortController()
  const handle = source.forAttempt(attempt)
  const answer = await handle.call([new HumanMessage('Hello')], { tools: [], maxOutputTokens: null, signal })
  return answer.text
}
