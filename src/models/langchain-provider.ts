import type { AIMessage, BaseMessage } from '@langchain/core/messages'
import { ConfigError, ProviderError } from '../core/errors.ts'
import type { ModelCallOptions, ModelHandle, ModelServer, TokenPrice } from '../core/model.ts'
import { defaultRequestTimeoutMs, smallerCap, withTimeLimit } from './call-limits.ts'
import { type ChatModelClass, loadChatModelClass } from './chat-model.ts'
import { finishReasonOf } from './finish-reason.ts'
import { builtInPrices, findKnownModel } from './known-models.ts'
import type { CreateTransport, LangChainRecipe, RequestSettings } from './langchain-recipe.ts'
import { makerAdvice } from './maker-advice.ts'
import { setUsage, usageOf } from './message-usage.ts'
import { modelServers } from './model-server.ts'
import type { ModelOptions, ModelProvider, ModelSource, ModelSpec } from './model-source.ts'
import { isToolChoiceRefusal, isToolsRefusal, toProviderError } from './provider-errors.ts'
import type { RequestFields } from './request-fields.ts'
import type { ServerLimits } from './server-limits.ts'
import { addressHint, checkUrl, throwIfAddressInName } from './spec.ts'
import { loadTokenCounter, type TokenCounter } from './token-count.ts'

/** Creates a model provider from a recipe. */
export function langChainProvider(recipe: LangChainRecipe): ModelProvider {
  return {
    summary: recipe.summary,
    keyVariable: recipe.keyVariable,
    package: recipe.package,
    create: (spec, options) => createSource(recipe, spec, options),
  }
}

/** Everything that the requests of one model share. */
interface ModelContext {
  readonly recipe: LangChainRecipe
  readonly chatModel: ChatModelClass
  readonly options: ModelOptions
  readonly settings: Omit<RequestSettings, 'seed' | 'maxOutputTokens'>
  readonly recordName: string
  readonly count: TokenCounter
  readonly price: TokenPrice | null
  readonly newTransport: CreateTransport | null
  /** Creates the server of an attempt; null when agents' requests are translated. */
  readonly newServer: ((seed: number) => ModelServer) | null
  /** Becomes false when the server refuses tools. Later attempts then describe their tools as text. */
  nativeTools: boolean
}

async function createSource(
  recipe: LangChainRecipe,
  spec: ModelSpec,
  options: ModelOptions,
): Promise<ModelSource> {
  const recordName = `${spec.provider}:${spec.name}`
  if (spec.name === '')
    throw new ConfigError(`'${spec.provider}': name a model, as in ${spec.provider}:NAME`, {
      code: 'missing-model-name',
    })
  throwIfAddressInName(spec.name, recordName)
  const baseUrl = customUrl(recipe, spec, options)
  const key = readKey(recipe, recordName, baseUrl, options)
  const chatModel = await loadChatModelClass(spec.provider, recipe.package, recipe.className)
  const { contextWindow = null } = options
  const limits = await findLimits({ recipe, model: spec.name, baseUrl, key, contextWindow, chatModel })
  if (limits.contextWindow === null) throw unknownWindowError(recordName, baseUrl, limits)
  const address = { model: spec.name, baseUrl: baseUrl ?? recipe.defaultUrl ?? null }
  const settings = {
    ...address,
    key,
    ...samplingOf(recipe, address, options),
    reasoningEffort: options.reasoningEffort ?? null,
    requestFields: fieldsOf(recipe, recordName, options),
    contextWindow: limits.contextWindow,
  }
  const timeoutMs = options.requestTimeoutMs ?? defaultRequestTimeoutMs
  const context: ModelContext = {
    recipe,
    chatModel,
    options,
    recordName,
    settings,
    count: await loadTokenCounter(),
    price: findPrice(recordName, spec.name, options),
    newTransport: (await recipe.transport?.(recordName)) ?? null,
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

function samplingOf(
  recipe: LangChainRecipe,
  address: Pick<RequestSettings, 'model' | 'baseUrl'>,
  { temperature, topP }: ModelOptions,
): Pick<RequestSettings, 'temperature' | 'topP'> {
  if (recipe.takesSampling?.(address) === false) return { temperature: null, topP: null }
  return { temperature: temperature ?? makerAdvice(address.model).temperature, topP: topP ?? null }
}

function fieldsOf(
  recipe: LangChainRecipe,
  recordName: string,
  { requestFields = {} }: ModelOptions,
): RequestFields {
  if (Object.keys(requestFields).length > 0 && recipe.takesRequestFields !== true)
    throw new ConfigError(
      `${recordName}: ${recipe.className} of ${recipe.package} accepts no additional request fields. Leave --request-field out, or use a server with OpenAI's API (openai:NAME@URL).`,
      { code: 'request-fields-not-supported' },
    )
  return requestFields
}

function customUrl(recipe: LangChainRecipe, spec: ModelSpec, options: ModelOptions): string | null {
  if (spec.url !== null) return spec.url
  if (options.baseUrl !== undefined) return checkUrl(options.baseUrl, '--base-url')
  for (const variable of recipe.urlVariables ?? []) {
    const url = options.env[variable]
    if (url !== undefined && url !== '') return checkUrl(url, variable)
  }
  return null
}

function readKey(
  recipe: LangChainRecipe,
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

interface LimitsInput {
  readonly recipe: LangChainRecipe
  readonly model: string
  readonly baseUrl: string | null
  readonly key: string | null
  /** The user's own number of tokens; null when there is none. */
  readonly contextWindow: number | null
  readonly chatModel: ChatModelClass
}

/**
 * Finds the context window and the support of tools. The order is the flag, the built-in table, the profile in the
 * provider's package and the server.
 */
async function findLimits(input: LimitsInput): Promise<ServerLimits> {
  const { recipe, model, baseUrl, key } = input
  const profile = baseUrl === null ? readProfile(input) : null
  const contextWindow =
    input.contextWindow ?? findKnownModel(model)?.contextWindow ?? profile?.contextWindow ?? null
  if (contextWindow !== null) return { contextWindow, nativeTools: profile?.nativeTools ?? null }
  const server = baseUrl ?? recipe.defaultUrl
  const limits = server === undefined ? null : await recipe.askServer?.(server, model, key)
  return limits ?? { contextWindow: null, nativeTools: null }
}

function readProfile({ recipe, model, key, chatModel }: LimitsInput): ServerLimits {
  const settings = {
    model,
    baseUrl: null,
    key,
    temperature: null,
    topP: null,
    maxOutputTokens: null,
    reasoningEffort: null,
    requestFields: {},
    seed: 0,
    contextWindow: 0,
  }
  const { profile } = new chatModel(recipe.fields(settings, null))
  return { contextWindow: profile.maxInputTokens ?? null, nativeTools: profile.toolCalling ?? null }
}

function unknownWindowError(
  recordName: string,
  baseUrl: string | null,
  { failure = null }: ServerLimits,
): ConfigError {
  const server = baseUrl === null ? null : withoutCredentials(baseUrl)
  const hint = addressHint(recordName)
  if (server !== null && failure !== null && !/^HTTP|^no JSON/.test(failure)) {
    const fix = 'Start the server, or correct its address (/v1 included)'
    return new ConfigError(
      `${recordName}: no server answers at ${server} (${failure}). ${fix}. With --context-window N (tokens) the run begins without asking it.${hint}`,
      { code: 'server-not-reached' },
    )
  }
  const cause = failure === null ? '' : ` (${failure}: is that its address, /v1 included?)`
  const asked = server === null ? '' : `, and ${server} does not report it${cause}`
  return new ConfigError(
    `${recordName}: the context window is not in the built-in table${asked}. Pass --context-window N (tokens).${hint}`,
    { code: 'unknown-context-window' },
  )
}

function findPrice(recordName: string, name: string, options: ModelOptions): TokenPrice | null {
  return options.prices?.[recordName] ?? options.prices?.[name] ?? findKnownModel(name)?.price ?? null
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

function withoutCredentials(url: string): string {
  const parsed = new URL(url)
  parsed.username = ''
  parsed.password = ''
  parsed.search = ''
  return parsed.href
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

/**
 * Sends one request with a model of its own, because LangChain does not send a cap that is passed at call
 * time.
 */
async function request(
  context: ModelContext,
  seed: number,
  messages: readonly BaseMessage[],
  options: ModelCallOptions,
): Promise<AIMessage> {
  const maxOutputTokens = smallerCap(options.maxOutputTokens, context.options.maxOutputTokens)
  const transport = context.newTransport?.(messages, options) ?? null
  const model = new context.chatModel({
    ...context.recipe.fields({ ...context.settings, seed, maxOutputTokens }, transport?.fetch ?? null),
    maxRetries: 0,
  })
  try {
    const runnable = options.tools.length === 0 ? model : bindTools(model, options)
    const sent = (await context.recipe.messages?.(messages)) ?? [...messages]
    const answer = (await runnable.invoke(sent, { signal: options.signal })) as AIMessage
    transport?.finish(answer)
    return normaliseAnswer(context.recordName, answer)
  } catch (error) {
    const failure = transport?.failure() ?? toProviderError(context.recordName, error)
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

function bindTools(
  model: InstanceType<ChatModelClass>,
  { tools, toolChoice }: ModelCallOptions,
): Pick<InstanceType<ChatModelClass>, 'invoke'> {
  if (model.bindTools === undefined) {
    throw new ProviderError('bad-response', 'this chat model has no tool calls: use --tool-protocol text', {
      retryable: false,
    })
  }
  // The last turn also sends the tools, because providers require those that the conversation has called.
  const choice = toolChoice === undefined ? {} : { tool_choice: toolChoice }
  return model.bindTools([...tools], choice) as unknown as Pick<InstanceType<ChatModelClass>, 'invoke'>
}

/** Gives the answers of all providers one form: OpenAI's finish reasons, usage only if it was reported, and no id. */
function normaliseAnswer(name: string, answer: AIMessage): AIMessage {
  const finishReason = finishReasonOf(answer)
  if (finishReason !== null) answer.response_metadata.finish_reason = finishReason
  setUsage(answer, usageOf(answer))
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
