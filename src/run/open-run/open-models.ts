import type { RunConfig } from '../../config.ts'
import { ConfigError } from '../../core/errors.ts'
import type { Question } from '../../core/task.ts'
import type { PriceTable } from '../../models/known-models.ts'
import type { ModelSource } from '../../models/model-source.ts'
import { createModel } from '../../models/registry.ts'
import { parseRequestFields } from '../../models/request-fields.ts'
import { withoutNull } from '../../text/json.ts'
import type { PromptSets } from '../plan/prompt-sets.ts'
import { requirePrice } from './prices.ts'

/**
 * Opens the models under test, by their names in records. Sends no request that costs money.
 *
 * @throws ConfigError [duplicate-model, unknown-price] and those of `createModel`
 */
export async function openModels(
  config: RunConfig,
  prices: PriceTable,
  env: NodeJS.ProcessEnv,
): Promise<Map<string, ModelSource>> {
  const options = withoutNull({
    baseUrl: config.baseUrl,
    contextWindow: config.contextWindow,
    temperature: config.temperature,
    topP: config.topP,
    maxOutputTokens: config.maxOutputTokens,
    reasoningEffort: config.reasoningEffort,
    prices: prices.models,
  })
  const models = new Map<string, ModelSource>()
  for (const spec of config.model) {
    const source = await createModel(spec, {
      ...options,
      requestFields: parseRequestFields(config.requestField),
      requestTimeoutMs: config.requestTimeout,
      toolProtocol: config.toolProtocol,
      seed: config.seed,
      env,
    })
    if (models.has(source.name))
      throw new ConfigError(`--model: '${source.name}' is named twice. Remove one of the two.`, {
        code: 'duplicate-model',
      })
    requireStructuredOutput(config, source)
    requirePdf(config, source)
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
  config: RunConfig,
  prices: PriceTable,
  env: NodeJS.ProcessEnv,
): Promise<ModelSource | null> {
  const { goalReading, readerModel } = config
  if (readerModel === null) return null
  if (!goalReading)
    throw new ConfigError(`--reader-model ${readerModel}: no page is read for a goal. Add --goal-reading.`, {
      code: 'reader-without-goal-reading',
    })
  // Options of the model under test, such as its context window and its request fields, do not apply to the reader.
  const defaults = {
    contextWindow: null,
    temperature: 0,
    topP: null,
    reasoningEffort: null,
    requestField: [],
  }
  const plain = { structuredOutput: ['off' as const], documentInput: ['text' as const] }
  const [source] = (
    await openModels({ ...config, ...defaults, ...plain, model: [readerModel] }, prices, env)
  ).values()
  return source!
}

/** Refuses models whose requests cannot contain a JSON Schema, when an arm needs it. */
function requireStructuredOutput({ structuredOutput }: RunConfig, source: ModelSource): void {
  if (!structuredOutput.includes('on') || source.takesResponseSchema === true) return
  throw new ConfigError(
    `--structured-output: requests to ${source.name} cannot contain a JSON Schema. Leave the option out, or use a server with OpenAI's API (openai:NAME@URL).`,
    { code: 'structured-output-not-supported' },
  )
}

/** Refuses models whose requests cannot contain PDF files, when an arm needs it. */
function requirePdf({ documentInput }: RunConfig, source: ModelSource): void {
  if (!documentInput.includes('pdf') || source.takesPdf === true) return
  throw new ConfigError(
    `--document-input pdf: requests to ${source.name} cannot contain PDF files. Use --document-input text, or a provider that reads PDFs (openai, openrouter, anthropic, google-genai, google-vertexai).`,
    { code: 'pdf-not-supported' },
  )
}

/**
 * Refuses models that take system messages only at the beginning, when prompts send earlier answers as system messages.
 *
 * @throws ConfigError [system-message-not-supported]
 */
export function requireLaterSystemMessages(
  models: ReadonlyMap<string, ModelSource>,
  prompts: PromptSets,
  questions: readonly Question[],
): void {
  const model = [...models.values()].find(source => source.systemFirst === true)
  if (model === undefined) return
  for (const [name, set] of prompts) {
    const question = questions.find(
      candidate => candidate.turns !== undefined && set.earlierAnswersAs?.(candidate) === 'system',
    )
    if (question !== undefined)
      throw new ConfigError(
        `prompts ${name}: ${question.taskId}: earlier answers are sent as system messages, and ${model.name} takes these only at the beginning. Write earlierAnswers: assistant, or use another model.`,
        { code: 'system-message-not-supported' },
      )
  }
}

/** The attempt to pass when only facts about a model are needed, such as its price. */
export const placeholderAttempt = { taskId: '', setting: '', trial: 0, seed: 0 }
