import type { AIMessage, BaseMessage } from '@langchain/core/messages'
import { ConfigError, ProviderError } from '../core/errors.ts'
import type { ModelCallOptions, ModelHandle, TokenPrice } from '../core/model.ts'
import { builtInPrices } from '../core/price-table.ts'
import { defaultRequestTimeoutMs, smallerCap, withTimeLimit } from './call-limits.ts'
import { type ChatModelClass, loadChatModelClass } from './chat-model.ts'
import { finishReasonOf } from './finish-reason.ts'
import type { LangChainRecipe, NewTransport, RequestSettings } from './langchain-recipe.ts'
import { setUsage, usageOf } from './message-usage.ts'
import type { ModelOptions, ModelProvider, ModelSource, ModelSpec } from './model-source.ts'
import { findKnownModel } from './model-table.ts'
import { toProviderError } from './provider-errors.ts'
import { saysChoiceRefused, saysToolsRefused } from './refused-tools.ts'
import type { ServerLimits } from './server-limits.ts'
import { checkedUrl, requireNoAddress, unlikeAddress } from './spec.ts'
import { loadTokenCounter, type TokenCounter } from './token-count.ts'

/** Makes a registry line of a recipe. */
export function langChainProvider(recipe: LangChainRecipe): ModelProvider {
  return {
    summary: recipe.summary,
    keyVariable: recipe.keyVariable,
    package: recipe.package,
    create: (spec, options) => createSource(recipe, spec, options),
  }
}

interface Ground {
  readonly recipe: LangChainRecipe
  readonly chatModel: ChatModelClass
  readonly options: ModelOptions
  readonly settings: Omit<RequestSettings, 'seed' | 'maxOutputTokens'>
  readonly recordName: string
  readonly count: TokenCounter
  readonly price: TokenPrice | null
  readonly newTransport: NewTransport | null
  /** Mutable: a server that refuses tools is remembered for the attempts that follow. */
  nativeTools: boolean
}

async function createSource(
  recipe: LangChainRecipe,
  spec: ModelSpec,
  options: ModelOptions,
): Promise<ModelSource> {
  const recordName = `${spec.provider}:${spec.name}`
  if (spec.name === '') throw new ConfigError(`'${spec.provider}': name a model, as in ${spec.provider}:NAME`)
  requireNoAddress(spec.name, recordName)
  const baseUrl = customUrl(recipe, spec, options)
  const key = readKey(recipe, recordName, baseUrl, options)
  const chatModel = await loadChatModelClass(spec.provider, recipe.package, recipe.className)
  const said = await limits(recipe, spec.name, baseUrl, key, options, chatModel)
  if (said.contextWindow === null) throw unknownWindow(recordName, baseUrl, said)
  const ground: Ground = {
    recipe,
    chatModel,
    options,
    recordName,
    settings: {
      model: spec.name,
      baseUrl: baseUrl ?? recipe.defaultUrl ?? null,
      key,
      temperature: options.temperature ?? null,
      topP: options.topP ?? null,
      reasoningEffort: options.reasoningEffort ?? null,
      contextWindow: said.contextWindow,
    },
    count: await loadTokenCounter(),
    price: findPrice(recordName, spec.name, options),
    newTransport: (await recipe.transport?.(recordName)) ?? null,
    nativeTools:
      options.toolProtocol === 'auto' ? (said.nativeTools ?? true) : options.toolProtocol === 'native',
  }
  return {
    name: recordName,
    describe: () => describe(ground),
    forAttempt: attempt => handle(ground, attempt.seed),
  }
}

function customUrl(recipe: LangChainRecipe, spec: ModelSpec, options: ModelOptions): string | null {
  if (spec.url !== null) return spec.url
  if (options.baseUrl !== undefined) return checkedUrl(options.baseUrl, '--base-url')
  for (const variable of recipe.urlVariables ?? []) {
    const url = options.env[variable]
    if (url !== undefined && url !== '') return checkedUrl(url, variable)
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
    `${recordName} needs an API key: set ${recipe.keyVariable}, or name a server of your own with --base-url URL${unlikeAddress(recordName)}`,
  )
}

/** Window and tools: the flag, then the dated table and the package's own profile, then the server. */
async function limits(
  recipe: LangChainRecipe,
  model: string,
  baseUrl: string | null,
  key: string | null,
  options: ModelOptions,
  chatModel: ChatModelClass,
): Promise<ServerLimits> {
  const profile = baseUrl === null ? readProfile(recipe, model, key, chatModel) : null
  const known =
    options.contextWindow ?? findKnownModel(model)?.contextWindow ?? profile?.contextWindow ?? null
  if (known !== null) return { contextWindow: known, nativeTools: profile?.nativeTools ?? null }
  const server = baseUrl ?? recipe.defaultUrl
  const said = server === undefined ? null : await recipe.ask?.(server, model, key)
  return said ?? { contextWindow: null, nativeTools: null }
}

function readProfile(
  recipe: LangChainRecipe,
  model: string,
  key: string | null,
  chatModel: ChatModelClass,
): ServerLimits {
  const settings = {
    model,
    baseUrl: null,
    key,
    temperature: null,
    topP: null,
    maxOutputTokens: null,
    reasoningEffort: null,
    seed: 0,
    contextWindow: 0,
  }
  const { profile } = new chatModel(recipe.fields(settings, null))
  return { contextWindow: profile.maxInputTokens ?? null, nativeTools: profile.toolCalling ?? null }
}

function unknownWindow(recordName: string, baseUrl: string | null, said: ServerLimits): ConfigError {
  const server = baseUrl === null ? null : withoutCredentials(baseUrl)
  if (server !== null && typeof said.failure === 'string' && !/^HTTP|^no JSON/.test(said.failure)) {
    const fix = `Start the server, or correct its address (/v1 included)`
    return new ConfigError(
      `${recordName}: no server answers at ${server} (${said.failure}). ${fix}. With --context-window N (tokens) the run begins without asking it.${unlikeAddress(recordName)}`,
      { code: 'server-not-reached' },
    )
  }
  const why = typeof said.failure === 'string' ? ` (${said.failure}: is that its address, /v1 included?)` : ''
  const asked = server === null ? '' : ` and ${server} does not say${why}`
  return new ConfigError(
    `${recordName}: its context window is not in our table${asked}; pass --context-window N (tokens)${unlikeAddress(recordName)}`,
  )
}

function findPrice(recordName: string, name: string, options: ModelOptions): TokenPrice | null {
  return options.prices?.[recordName] ?? options.prices?.[name] ?? findKnownModel(name)?.price ?? null
}

function describe(ground: Ground): Record<string, unknown> {
  const { settings, options } = ground
  return {
    name: ground.recordName,
    package: ground.recipe.package,
    baseUrl: settings.baseUrl === null ? null : withoutCredentials(settings.baseUrl),
    contextWindow: settings.contextWindow,
    temperature: settings.temperature,
    topP: settings.topP,
    maxOutputTokens: options.maxOutputTokens ?? null,
    reasoningEffort: settings.reasoningEffort,
    requestTimeoutMs: options.requestTimeoutMs ?? defaultRequestTimeoutMs,
    toolProtocol: ground.nativeTools ? 'native' : 'text',
    seed: options.seed,
    price: ground.price,
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

function handle(ground: Ground, seed: number): ModelHandle {
  return {
    name: ground.recordName,
    contextWindow: ground.settings.contextWindow,
    price: ground.price,
    countTokens: ground.count,
    get nativeTools() {
      return ground.nativeTools
    },
    async call(messages, options) {
      const timeoutMs = ground.options.requestTimeoutMs ?? defaultRequestTimeoutMs
      return await withTimeLimit(ground.recordName, timeoutMs, options.signal, signal =>
        request(ground, seed, messages, { ...options, signal }),
      )
    },
  }
}

/** One request by a model built for it alone: a cap given at call time would not be sent. */
async function request(
  ground: Ground,
  seed: number,
  messages: readonly BaseMessage[],
  options: ModelCallOptions,
): Promise<AIMessage> {
  const maxOutputTokens = smallerCap(options.maxOutputTokens, ground.options.maxOutputTokens)
  const transport = ground.newTransport?.(messages) ?? null
  const model = new ground.chatModel({
    ...ground.recipe.fields({ ...ground.settings, seed, maxOutputTokens }, transport?.fetch ?? null),
    maxRetries: 0,
  })
  try {
    const runnable = options.tools.length === 0 ? model : bound(model, options)
    const answer = (await runnable.invoke([...messages], { signal: options.signal })) as AIMessage
    transport?.finish(answer)
    return complete(ground.recordName, answer)
  } catch (error) {
    const failure = transport?.failure() ?? toProviderError(ground.recordName, error)
    if (options.toolChoice !== undefined && saysChoiceRefused(failure.message)) {
      const { toolChoice: _refused, ...asTheModelLikes } = options
      return await request(ground, seed, messages, asTheModelLikes)
    }
    throw options.tools.length === 0 ? failure : refusedTools(ground, failure)
  }
}

/** The first request with tools is the probe: a server that refuses them is remembered and gets its tools as text from then on. */
function refusedTools(ground: Ground, failure: ProviderError): ProviderError {
  if (!saysToolsRefused(failure.message) || ground.options.toolProtocol === 'native') return failure
  ground.nativeTools = false
  return new ProviderError(
    'bad-response',
    `${failure.message} (this server takes no tools: --tool-protocol text offers them as text)`,
    { retryable: false, answer: failure.answer, cause: failure },
  )
}

function bound(
  model: InstanceType<ChatModelClass>,
  { tools, toolChoice }: ModelCallOptions,
): Pick<InstanceType<ChatModelClass>, 'invoke'> {
  if (model.bindTools === undefined) {
    throw new ProviderError('bad-response', 'this chat model takes no tools: use --tool-protocol text', {
      retryable: false,
    })
  }
  // The tools stay bound on a last turn, since providers want those that the conversation has called.
  const choice = toolChoice === undefined ? {} : { tool_choice: toolChoice }
  return model.bindTools([...tools], choice) as unknown as Pick<InstanceType<ChatModelClass>, 'invoke'>
}

/** Brings an answer of any provider into one shape: finish_reason in OpenAI's words, usage only where it was told, no id. */
function complete(name: string, answer: AIMessage): AIMessage {
  const finishReason = finishReasonOf(answer)
  if (finishReason !== null) answer.response_metadata.finish_reason = finishReason
  setUsage(answer, usageOf(answer))
  if (finishReason === 'content_filter') {
    throw new ProviderError('content-filter', `${name}: the provider's content filter stopped the answer`, {
      retryable: false,
      answer,
    })
  }
  // Some servers give every completion one id; whoever merges messages by id would lose turns.
  delete answer.id
  return answer
}
