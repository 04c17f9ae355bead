import type { AIMessage, BaseMessage } from '@langchain/core/messages'
import { ProviderError } from '../core/errors.ts'
import { longestTimerMs } from '../core/runtime.ts'
import { createCheckedFetch, type Fetch } from './checked-fetch.ts'
import { langChainProvider } from './langchain-provider.ts'
import type { LangChainRecipe, NewTransport, RequestSettings } from './langchain-recipe.ts'
import { setUsage } from './message-usage.ts'
import type { ModelProvider } from './model-source.ts'
import { type CompletionFacts, readCompletion, requireWhole, usageFrom } from './openai-answer.ts'
import { askServer } from './server-limits.ts'

// OpenAI's reasoning models answer 400 to any temperature or top_p of ours.
const reasoningModel = /^(?:o\d|gpt-5(?!-chat))/

/** Chat completions of OpenAI and of every server that speaks its API (vLLM, SGLang, Ollama, llama.cpp, OpenRouter). */
function openAiFields(settings: RequestSettings, fetch: Fetch | null): Record<string, unknown> {
  const takesSampling = settings.baseUrl !== null || !reasoningModel.test(settings.model)
  return {
    model: settings.model,
    // The client insists on a key; servers without one ignore it.
    apiKey: settings.key ?? 'none',
    configuration: {
      baseURL: settings.baseUrl ?? 'https://api.openai.com/v1',
      ...(fetch !== null && { fetch }),
    },
    // Ours is the only time limit: the client's own would end long answers after ten minutes.
    timeout: longestTimerMs,
    streaming: false,
    useResponsesApi: false,
    ...(takesSampling && settings.temperature !== null && { temperature: settings.temperature }),
    ...(takesSampling && settings.topP !== null && { topP: settings.topP }),
    ...(settings.maxOutputTokens !== null && { maxTokens: settings.maxOutputTokens }),
    modelKwargs: {
      seed: settings.seed,
      ...(settings.reasoningEffort !== null && { reasoning_effort: settings.reasoningEffort }),
    },
  }
}

async function openAiTransport(name: string, wantsReasoning: boolean): Promise<NewTransport> {
  const [{ AIMessage }, fetchFor] = await Promise.all([
    import('@langchain/core/messages'),
    createCheckedFetch(name),
  ])
  return messages => {
    let facts: CompletionFacts | null = null
    let failure: ProviderError | null = null
    const checked = fetchFor(body => {
      facts = readCompletion(name, body, () => new AIMessage(''))
    })
    const fetch: Fetch = async (input, init) => {
      try {
        return await checked(input, init)
      } catch (error) {
        if (error instanceof ProviderError) failure = error
        throw error
      }
    }
    return {
      // OpenAI's client makes a timeout of its own of whatever speaks of one.
      failure: () => failure,
      fetch: wantsReasoning ? (input, init) => fetch(input, withReasoning(init, messages)) : fetch,
      finish: answer => {
        if (facts === null) return
        addFacts(answer, facts)
        requireWhole(name, facts, answer)
      },
    }
  }
}

/** The request with the reasoning that led to each tool call, which LangChain leaves out. */
function withReasoning(init: RequestInit | undefined, messages: readonly BaseMessage[]): RequestInit {
  const body = JSON.parse(String(init?.body)) as { messages: Record<string, unknown>[] }
  const thoughts = messages
    .filter(message => message.type === 'ai')
    .map(message => message.additional_kwargs.reasoning_content)
  const said = body.messages.filter(message => message.role === 'assistant')
  for (const [index, message] of said.entries())
    if (message.tool_calls !== undefined && typeof thoughts[index] === 'string')
      message.reasoning_content = thoughts[index]
  return { ...init, body: JSON.stringify(body) }
}

function addFacts(answer: AIMessage, facts: CompletionFacts): void {
  if (facts.brokenCalls.length > 0)
    answer.invalid_tool_calls = [...(answer.invalid_tool_calls ?? []), ...facts.brokenCalls]
  if (facts.refusal !== null) answer.additional_kwargs.refusal = facts.refusal
  if (facts.reasoning !== null) answer.additional_kwargs.reasoning_content = facts.reasoning
  setUsage(answer, usageFrom(facts.usage))
}

/**
 * A provider that speaks OpenAI's chat completions.
 *
 * @example
 * import { definePlugin, openAiProvider } from 'tablehunt'
 *
 * const gateway = openAiProvider({
 *   summary: 'the gateway of our company',
 *   keyVariable: 'GATEWAY_API_KEY',
 *   defaultUrl: 'http://127.0.0.1:8000/v1',
 * })
 * export default definePlugin({ models: { gateway } })
 */
export function openAiProvider({
  wantsReasoning = false,
  ...recipe
}: Pick<LangChainRecipe, 'summary' | 'keyVariable' | 'urlVariables' | 'defaultUrl'> & {
  /** It refuses tool calls that come back without the reasoning that led to them. */
  readonly wantsReasoning?: boolean
}): ModelProvider {
  return langChainProvider({
    ...recipe,
    package: '@langchain/openai',
    className: 'ChatOpenAI',
    fields: openAiFields,
    transport: name => openAiTransport(name, wantsReasoning),
    ask: askServer,
  })
}
