import type { AIMessage, BaseMessage } from '@langchain/core/messages'
import { ProviderError } from '../core/errors.ts'
import { longestTimerMs } from '../core/runtime.ts'
import { createCheckedFetch, type Fetch } from './checked-fetch.ts'
import { langChainProvider } from './langchain-provider.ts'
import type { CreateTransport, LangChainRecipe, RequestSettings } from './langchain-recipe.ts'
import { reasoningFieldsOf } from './message-reasoning.ts'
import { setUsage } from './message-usage.ts'
import type { ServerRecipe } from './model-server.ts'
import type { ModelProvider } from './model-source.ts'
import { type CompletionFacts, readCompletion, throwIfBrokenOff } from './openai-answer.ts'
import { askServer } from './server-limits.ts'

const openAiUrl = 'https://api.openai.com/v1'

// OpenAI's reasoning models refuse a temperature or top_p with HTTP 400.
const reasoningModel = /^(?:o\d|gpt-5(?!-chat))/

/** Returns the fields for OpenAI and servers with its API, such as vLLM, SGLang, Ollama, llama.cpp and OpenRouter. */
function openAiFields(settings: RequestSettings, fetch: Fetch | null): Record<string, unknown> {
  const { temperature, topP } = settings
  return {
    model: settings.model,
    // The client requires a key. Servers that need none ignore it.
    apiKey: settings.key ?? 'none',
    configuration: {
      baseURL: settings.baseUrl ?? openAiUrl,
      ...(fetch !== null && { fetch }),
    },
    // `withTimeLimit` is the only time limit. The client's own limit would end long answers after ten minutes.
    timeout: longestTimerMs,
    streaming: false,
    useResponsesApi: false,
    ...(temperature !== null && { temperature }),
    ...(topP !== null && { topP }),
    ...(settings.maxOutputTokens !== null && { maxTokens: settings.maxOutputTokens }),
    modelKwargs: {
      seed: settings.seed,
      ...(settings.reasoningEffort !== null && { reasoning_effort: settings.reasoningEffort }),
      ...settings.requestFields,
    },
  }
}

async function openAiTransport(name: string): Promise<CreateTransport> {
  const [{ AIMessage }, fetchFor] = await Promise.all([
    import('@langchain/core/messages'),
    createCheckedFetch(name),
  ])
  return (messages, { responseSchema }) => {
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
      // OpenAI's client replaces every error that mentions a timeout by its own.
      failure: () => failure,
      fetch: (input, init) => fetch(input, withSchema(withReasoning(init, messages), responseSchema)),
      finish: answer => {
        if (facts === null) return
        addFacts(answer, facts)
        throwIfBrokenOff(name, facts, answer)
      },
    }
  }
}

/** Adds the reasoning of earlier messages to a request, in the fields in which it came. LangChain leaves it out. */
function withReasoning(
  init: RequestInit | undefined,
  messages: readonly BaseMessage[],
): RequestInit | undefined {
  const reasoning = messages.filter(message => message.type === 'ai').map(reasoningFieldsOf)
  if (reasoning.every(fields => Object.keys(fields).length === 0)) return init
  const body = JSON.parse(String(init?.body)) as { messages: Record<string, unknown>[] }
  const answers = body.messages.filter(message => message.role === 'assistant')
  for (const [index, message] of answers.entries()) Object.assign(message, reasoning[index])
  return { ...init, body: JSON.stringify(body) }
}

/**
 * Adds the schema of the answer to a request. OpenAI's client would throw an error for answers that are cut off or not
 * JSON, instead of returning them.
 */
function withSchema(
  init: RequestInit | undefined,
  schema: Readonly<Record<string, unknown>> | undefined,
): RequestInit | undefined {
  if (schema === undefined) return init
  const json_schema = { name: 'answer', strict: true, schema }
  const body = { ...JSON.parse(String(init?.body)), response_format: { type: 'json_schema', json_schema } }
  return { ...init, body: JSON.stringify(body) }
}

function addFacts(answer: AIMessage, facts: CompletionFacts): void {
  if (facts.invalidCalls.length > 0)
    answer.invalid_tool_calls = [...(answer.invalid_tool_calls ?? []), ...facts.invalidCalls]
  if (facts.refusal !== null) answer.additional_kwargs.refusal = facts.refusal
  Object.assign(answer.additional_kwargs, facts.reasoning)
  setUsage(answer, facts.usage)
}

/**
 * OpenAI itself also answers the Responses API. Other servers with that path differ too much in what they understand of
 * it, so agents' responses are translated for them.
 */
const openAiServer: ServerRecipe = {
  dialects: ({ baseUrl }) => (isOpenAi(baseUrl) ? ['chat-completions', 'responses'] : ['chat-completions']),
  url: ({ dialect }, { baseUrl }) =>
    `${baseUrl ?? openAiUrl}/${dialect === 'responses' ? 'responses' : 'chat/completions'}`,
  headers: ({ key }) => (key === null ? {} : { authorization: `Bearer ${key}` }),
}

function isOpenAi(baseUrl: string | null): boolean {
  return baseUrl === null || new URL(baseUrl).host === new URL(openAiUrl).host
}

/**
 * Creates a provider with OpenAI's chat completions API.
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
export function openAiProvider(
  recipe: Pick<LangChainRecipe, 'summary' | 'keyVariable' | 'takesPdf' | 'urlVariables' | 'defaultUrl'>,
): ModelProvider {
  return langChainProvider({
    ...recipe,
    package: '@langchain/openai',
    className: 'ChatOpenAI',
    fields: openAiFields,
    takesRequestFields: true,
    takesResponseSchema: true,
    takesSampling: ({ model, baseUrl }) => baseUrl !== null || !reasoningModel.test(model),
    transport: openAiTransport,
    server: openAiServer,
    askServer,
  })
}
