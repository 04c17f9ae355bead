import type { AIMessage, BaseMessage } from '@langchain/core/messages'
import { ConfigError, ProviderError } from '../core/errors.ts'
import type { ModelCallOptions, ModelHandle, ModelServer, TokenPrice } from '../core/model.ts'
import { registerSecret } from '../system/secret-values.ts'
import { defaultRequestTimeoutMs, smallerCap, withTimeLimit } from './call-limits.ts'
import { builtInPrices, findKnownModel } from './known-models.ts'
import { makerAdvice } from './maker-advice.ts'
import { readUsage, setUsage } from './message-usage.ts'
import { readFinishReason } from './model-answer.ts'
import { findLimits, unknownWindowError, withoutCredentials } from './model-limits.ts'
import { modelServers } from './model-server.ts'
import type { ModelOptions, ModelProvider, ModelSource, ModelSpec } from './model-source.ts'
import { isToolChoiceRefusal, isToolsRefusal, toProviderError } from './provider-errors.ts'
import type { ModelClient, ProviderRecipe, RequestSettings } from './provider-recipe.ts'
import type { RequestFields } from './request-fields.ts'
import { addressHint, checkUrl, throwIfAddressInName } from './spec.ts'
import { loadTokenCounter, type TokenCounter } from './token-count.ts'

/** Creates a model provider from a recipe. */
export function modelProvider(recipe: ProviderRecipe): ModelProvider {
  return {
    summary: recipe.summary,
    keyVariable: recipe.keyVariable,
    package: recipe.package,
    create: (spec, options) => createSource(recipe, spec, options),
  }
}

/** Everything that the requests of one model share. */
interface ModelContext {
  readonly recipe: ProviderRecipe
  readonly client: ModelClient
  readonly options: ModelOptions
  readonly settings: Omit<RequestSettings, 'seed' | 'maxOutputTokens'>
  readonly recordName: string
  readonly count: TokenCounter
  readonly price: TokenPrice | null
  /** Creates the server of an attempt; null when agents' requests are translated. */
  readonly newServer: ((seed: number) => ModelServer) | null
  /** Becomes false when the server refuses tools. Later attempts then describe their tools as text. */
  nativeTools: boolean
}

async function createSource(
  recipe: ProviderRecipe,
  spec: ModelSpec,
  options: ModelOptions,
): Promise<ModelSource> {
  const recordName = `${spec.provider}:${spec.name}`
  checkModelName(spec, recordName)
  const baseUrl = customUrl(recipe, spec, options)
  const key = readKey(recipe, recordName, baseUrl, options)
  registerSecret(key)
  const client = await recipe.loadClient(recordName)
  const limits = await findLimits({ recipe, model: spec.name, baseUrl, key, options, client })
  if (limits.contextWindow === null) throw unknownWindowError(recordName, baseUrl, limits)
  const address = { model: spec.name, baseUrl: baseUrl ?? recipe.defaultUrl ?? null }
  const settings = {
    ...address,
    key,
    ...chooseSampling(recipe, address, options),
    reasoningEffort: options.reasoningEffort ?? null,
    requestFields: checkRequestFields(recipe, recordName, options),
    contextWindow: limits.contextWindow,
  }
  const timeoutMs = options.requestTimeoutMs ?? defaultRequestTimeoutMs
  const context: ModelContext = {
    recipe,
    client,
    options,
    recordName,
    settings,
    count: await loadTokenCounter(),
    price:
      options.prices?.[recordName] ?? options.prices?.[spec.name] ?? findKnownModel(spec.name)?.price ?? null,
    newServer:
      recipe.server === undefined
        ? null
        : modelServers({ name: recordName, recipe: recipe.server, settings, timeoutMs }),
    nativeTools:
      options.toolProtocol === 'auto' ? (limits.nativeTools ?? true) : options.toolProtocol === 'native',
  }
  return {
    name: recordName,
    describe: () => describe(context),
    takesPdf: recipe.takesPdf ?? false,
    systemFirst: recipe.systemFirst ?? false,
    takesResponseSchema: recipe.takesResponseSchema ?? false,
    forAttempt: attempt => createHandle(context, attempt.seed),
  }
}

function checkModelName({ provider, name }: ModelSpec, recordName: string): void {
  if (name === '')
    throw new ConfigError(`'${provider}': name a model, as in ${provider}:NAME`, {
      code: 'missing-model-name',
    })
  throwIfAddressInName(name, recordName)
}

function chooseSampling(
  recipe: ProviderRecipe,
  address: Pick<RequestSettings, 'model' | 'baseUrl'>,
  { temperature, topP }: ModelOptions,
): Pick<RequestSettings, 'temperature' | 'topP'> {
  if (recipe.takesSampling?.(address) === false) return { temperature: null, topP: null }
  return { temperature: temperature ?? makerAdvice(address.model).temperature, topP: topP ?? null }
}

function checkRequestFields(
  recipe: ProviderRecipe,
  recordName: string,
  { requestFields = {} }: ModelOptions,
): RequestFields {
  if (Object.keys(requestFields).length > 0 && recipe.takesRequestFields !== true)
    throw new ConfigError(
      `${recordName}: ${recipe.package} accepts no additional request fields. Leave --request-field out, or use a server with OpenAI's API (openai:NAME@URL).`,
      { code: 'request-fields-not-supported' },
    )
  return requestFields
}

function customUrl(recipe: ProviderRecipe, spec: ModelSpec, options: ModelOptions): string | null {
  if (spec.url !== null) return spec.url
  if (options.baseUrl !== undefined) return checkUrl(options.baseUrl, '--base-url')
  for (const variable of recipe.urlVariables ?? []) {
    const url = options.env[variable]
    if (url !== undefined && url !== '') return checkUrl(url, variable)
  }
  return null
}

function readKey(
  recipe: ProviderRecipe,
  recordName: string,
  baseUrl: string | null,
  options: ModelOptions,
): string | null {
  if (recipe.keyVariable === null) return null
  const key = options.env[recipe.keyVariable]
  if (key !== undefined && key.trim() !== '') return key.trim()
  if (baseUrl !== null) return null
  throw new ConfigError(
    `${recordName} needs an API key. Set ${recipe.keyVariable}, or name a server of your own with --base-url URL.${addressHint(recordName)}`,
    { code: 'missing-key' },
  )
}

function describe(context: ModelContext): Record<string, unknown> {
  const { settings, options } = context
  return {
    name: context.recordName,
    package: context.recipe.package,
    baseUrl: settings.baseUrl === null ? null : withoutCredentials(settings.baseUrl),
    contextWindow: settings.contextWindow,
    temperature: settings.temperature,
    topP: settings.topP,
    maxOutputTokens: options.maxOutputTokens ?? null,
    reasoningEffort: settings.reasoningEffort,
    ...(Object.keys(settings.requestFields).length > 0 && { requestFields: settings.requestFields }),
    requestTimeoutMs: options.requestTimeoutMs ?? defaultRequestTimeoutMs,
    keptReasoning: makerAdvice(settings.model).keptReasoning,
    toolProtocol: context.nativeTools ? 'native' : 'text',
    seed: options.seed,
    price: context.price,
    tableDate: builtInPrices().date,
  }
}

function createHandle(context: ModelContext, seed: number): ModelHandle {
  return {
    name: context.recordName,
    contextWindow: context.settings.contextWindow,
    keptReasoning: makerAdvice(context.settings.model).keptReasoning,
    price: context.price,
    countTokens: context.count,
    ...(context.newServer === null ? {} : { server: context.newServer(seed) }),
    get nativeTools() {
      return context.nativeTools
    },
    async call(messages, options) {
      const timeoutMs = context.options.requestTimeoutMs ?? defaultRequestTimeoutMs
      return await withTimeLimit(context.recordName, timeoutMs, options.signal, signal =>
        request(context, seed, messages, { ...options, signal }),
      )
    },
  }
}

/** Sends one request, and once more without `tool_choice` to a server that does not support it. */
async function request(
  context: ModelContext,
  seed: number,
  messages: readonly BaseMessage[],
  options: ModelCallOptions,
): Promise<AIMessage> {
  const maxOutputTokens = smallerCap(options.maxOutputTokens, context.options.maxOutputTokens)
  try {
    const settings = { ...context.settings, seed, maxOutputTokens }
    return normaliseAnswer(context.recordName, await context.client.call(settings, messages, options))
  } catch (error) {
    const failure = toProviderError(context.recordName, error)
    if (options.toolChoice !== undefined && isToolChoiceRefusal(failure.message)) {
      const { toolChoice: _refused, ...withoutToolChoice } = options
      return await request(context, seed, messages, withoutToolChoice)
    }
    throw options.tools.length === 0 ? failure : recordToolsRefusal(context, failure)
  }
}

/**
 * Records that the server refuses tools, so that later attempts describe them as text, and returns the error for this
 * request. Returns any other failure unchanged.
 */
function recordToolsRefusal(context: ModelContext, failure: ProviderError): ProviderError {
  if (!isToolsRefusal(failure.message) || context.options.toolProtocol === 'native') return failure
  context.nativeTools = false
  return new ProviderError(
    'bad-response',
    `${failure.message} (this server does not support tools: --tool-protocol text describes them in the prompt)`,
    { retryable: false, answer: failure.answer, cause: failure },
  )
}

/** Gives the answers of all providers one form: OpenAI's finish reasons, usage only if it was reported, and no id. */
function normaliseAnswer(name: string, answer: AIMessage): AIMessage {
  const finishReason = readFinishReason(answer)
  if (finishReason !== null) answer.response_metadata.finish_reason = finishReason
  setUsage(answer, readUsage(answer))
  if (finishReason === 'content_filter') {
    throw new ProviderError('content-filter', `${name}: the provider's content filter stopped the answer`, {
      retryable: false,
      answer,
    })
  }
  // Some servers use one id for all completions. Code that merges messages by id would lose turns.
  delete answer.id
  return answer
}
