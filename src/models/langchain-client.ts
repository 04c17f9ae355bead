import type { BaseChatModel } from '@langchain/core/language_models/chat_models'
import type { AIMessage, BaseMessage } from '@langchain/core/messages'
import { ConfigError, ProviderError } from '../core/errors.ts'
import type { ModelCallOptions } from '../core/model.ts'
import { requirePackages } from '../system/optional-packages.ts'
import { modelProvider } from './model-provider.ts'
import type { ModelProvider } from './model-source.ts'
import type { ModelClient, ProviderRecipe, RequestSettings } from './provider-recipe.ts'

/** A provider whose client is a chat model class of a LangChain package. */
interface LangChainRecipe extends Omit<ProviderRecipe, 'loadClient'> {
  readonly package: string
  readonly className: string
  /** Returns the constructor fields for one request. All of them are sent. */
  fields(settings: RequestSettings): Record<string, unknown>
  /** Rewrites messages for LangChain's class. Absent: they are sent as they are. */
  messages?(messages: readonly BaseMessage[]): Promise<BaseMessage[]>
}

/** Creates a provider whose requests a LangChain package sends. */
export function langChainProvider(recipe: LangChainRecipe): ModelProvider {
  return modelProvider({ ...recipe, loadClient: recordName => loadLangChainClient(recipe, recordName) })
}

async function loadLangChainClient(recipe: LangChainRecipe, recordName: string): Promise<ModelClient> {
  const provider = recordName.slice(0, recordName.indexOf(':'))
  const chatModel = await loadChatModelClass(provider, recipe.package, recipe.className)
  return {
    async readProfile(settings) {
      const { profile } = new chatModel(recipe.fields(settings))
      return { contextWindow: profile.maxInputTokens ?? null, nativeTools: profile.toolCalling ?? null }
    },
    async call(settings, messages, options) {
      // Each request has a model of its own, because LangChain does not send a cap that is passed at call time.
      const model = new chatModel({ ...recipe.fields(settings), maxRetries: 0 })
      const runnable = options.tools.length === 0 ? model : bindTools(model, options)
      const sent = (await recipe.messages?.(messages)) ?? [...messages]
      return (await runnable.invoke(sent, { signal: options.signal })) as AIMessage
    },
  }
}

function bindTools(model: BaseChatModel, { tools, toolChoice }: ModelCallOptions): BaseChatModel {
  if (model.bindTools === undefined) {
    throw new ProviderError('bad-response', 'this chat model has no tool calls: use --tool-protocol text', {
      retryable: false,
    })
  }
  // The last turn also sends the tools, because providers require those that the conversation has called.
  const choice = toolChoice === undefined ? {} : { tool_choice: toolChoice }
  return model.bindTools([...tools], choice) as unknown as BaseChatModel
}

/** The constructor of a LangChain chat model. */
type ChatModelClass = new (fields: Record<string, unknown>) => BaseChatModel

/**
 * Imports the chat model class of a provider.
 *
 * @throws ConfigError `missing-package` when the package is not installed, and `outdated-package` when it does not
 *   export the class
 */
async function loadChatModelClass(
  provider: string,
  packageName: string,
  className: string,
): Promise<ChatModelClass> {
  requirePackages({ use: `'${provider}:' models`, packages: [packageName] })
  const loaded = (await import(packageName)) as Record<string, unknown>
  const chatModel = loaded[className]
  if (typeof chatModel !== 'function') {
    throw new ConfigError(
      `'${provider}:' models need ${className}, which the installed ${packageName} does not export. Run: npm install ${packageName}@latest`,
      { code: 'outdated-package' },
    )
  }
  return chatModel as ChatModelClass
}
