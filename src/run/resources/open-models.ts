import type { RunConfig } from '../../config.ts'
import { ConfigError } from '../../core/errors.ts'
import type { ModelSource } from '../../models/model-source.ts'
import type { PriceTable } from '../../models/price-table.ts'
import { createModel } from '../../models/registry.ts'
import { type DollarCapOptions, requirePrice } from './prices.ts'

/** The options that choose the models and their parameters. */
export type ModelOptions = DollarCapOptions &
  Pick<
    RunConfig,
    | 'baseUrl'
    | 'contextWindow'
    | 'maxOutputTokens'
    | 'model'
    | 'reasoningEffort'
    | 'requestTimeout'
    | 'seed'
    | 'temperature'
    | 'toolProtocol'
    | 'topP'
  >

/**
 * Opens the models under test, by their names in records. Sends no request that costs money.
 *
 * @throws ConfigError [duplicate-model, unknown-price] and those of `createModel`
 */
export async function openModels(
  config: ModelOptions,
  prices: PriceTable,
  env: NodeJS.ProcessEnv,
): Promise<Map<string, ModelSource>> {
  const optional = {
    baseUrl: config.baseUrl,
    contextWindow: config.contextWindow,
    topP: config.topP,
    maxOutputTokens: config.maxOutputTokens,
    reasoningEffort: config.reasoningEffort,
    prices: prices.models,
  }
  const given = Object.fromEntries(Object.entries(optional).filter(([, value]) => value !== null))
  const models = new Map<string, ModelSource>()
  for (const spec of config.model) {
    const source = await createModel(spec, {
      ...given,
      temperature: config.temperature,
      requestTimeoutMs: config.requestTimeout,
      toolProtocol: config.toolProtocol,
      seed: config.seed,
      env,
    })
    if (models.has(source.name))
      throw new ConfigError(`--model: '${source.name}' is named twice. Remove one of the two.`, {
        code: 'duplicate-model',
      })
    requirePrice(config, source.name, source.forAttempt(placeholderAttempt).price)
    models.set(source.name, source)
  }
  return models
}

/**
 * Opens the model of --reader-model. Returns null without one.
 *
 * @throws ConfigError [reader-without-goal-reading, unknown-price] and those of `createModel`
 */
export async function openReaderModel(
  config: ModelOptions & Pick<RunConfig, 'goalReading' | 'readerModel'>,
  prices: PriceTable,
  env: NodeJS.ProcessEnv,
): Promise<ModelSource | null> {
  const { goalReading, readerModel } = config
  if (readerModel === null) return null
  if (!goalReading)
    throw new ConfigError(`--reader-model ${readerModel}: no page is read for a goal. Add --goal-reading.`, {
      code: 'reader-without-goal-reading',
    })
  // The context window that the operator gives is that of the model under test.
  const [source] = (
    await openModels({ ...config, contextWindow: null, model: [readerModel] }, prices, env)
  ).values()
  return source!
}

/** The attempt to pass when only facts about a model are needed, such as its price. */
export const placeholderAttempt = { taskId: '', setting: '', trial: 0, seed: 0 }
