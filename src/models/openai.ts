import { openAiReasoningModel } from './maker-advice.ts'
import { modelProvider } from './model-provider.ts'
import type { ServerRecipe } from './model-server.ts'
import type { ModelProvider } from './model-source.ts'
import { askServer } from './server-limits.ts'

const openAiUrl = 'https://api.openai.com/v1'

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

/** What differs between the providers with OpenAI's API. */
interface OpenAiRecipe {
  readonly summary: string
  readonly keyVariable: string | null
  /** The URL of the provider. Absent: OpenAI's. */
  readonly defaultUrl?: string
  /** Environment variables that may contain the URL of a server. The first one that is set is used. */
  readonly urlVariables?: readonly string[]
  /** Whether requests can contain PDF files. Absent: no. */
  readonly takesPdf?: boolean
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
export function openAiProvider(recipe: OpenAiRecipe): ModelProvider {
  return modelProvider({
    ...recipe,
    package: null,
    takesRequestFields: true,
    takesResponseSchema: true,
    takesSampling: ({ model, baseUrl }) => baseUrl !== null || !openAiReasoningModel.test(model),
    // Loaded with the first model, because most commands send no requests.
    loadClient: async recordName => (await import('./openai-client.ts')).openAiClient(recordName, openAiUrl),
    server: openAiServer,
    askServer,
  })
}
