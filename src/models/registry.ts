import { Registry } from '../core/registry.ts'
import { withoutNull } from '../text/json.ts'
import { langChainProvider } from './langchain-client.ts'
import type { ModelOptions, ModelProvider, ModelSource } from './model-source.ts'
import { openAiProvider } from './openai.ts'
import type { RequestSettings } from './provider-recipe.ts'
import { askOllama } from './server-limits.ts'
import { parseModelSpec } from './spec.ts'

/** The names by which a LangChain class takes the server's address and the cap of the output. */
interface ProviderFields {
  readonly url: string
  readonly outputCap: string
}

/** Returns the fields that every LangChain class takes. Settings without a value are left out. */
function baseFields(
  { model, temperature, topP, baseUrl, maxOutputTokens }: RequestSettings,
  { url, outputCap }: ProviderFields,
): Record<string, unknown> {
  return withoutNull({ model, temperature, topP, [url]: baseUrl, [outputCap]: maxOutputTokens })
}

/** Some classes refuse to be created without a key, which a server at a custom address does not need. */
function keyField({ key }: RequestSettings): { readonly apiKey: string } {
  return { apiKey: key ?? 'none' }
}

/** All model providers, by the name before the colon of `--model PROVIDER:NAME`. */
export const modelProviders = new Registry<ModelProvider>({
  kind: 'model provider',
  // The levels are create, forAttempt and call.
  calls: 3,
  builtIn: {
    extractive: {
      summary: 'rules without a language model, key or network: shows how a run works and is not a baseline',
      keyVariable: null,
      package: null,
      create: async (spec, options) =>
        (await import('./extractive/extractive-source.ts')).createExtractive(spec, options),
    },
    scripted: {
      summary: 'scripted:FILE plays the turns of a JSON Lines file',
      keyVariable: null,
      package: null,
      create: async (spec, options) => (await import('./scripted.ts')).createScripted(spec, options),
    },
    openai: openAiProvider({
      summary: 'OpenAI, and with --base-url any server that speaks its API (vLLM, SGLang, llama.cpp, Ollama)',
      keyVariable: 'OPENAI_API_KEY',
      urlVariables: ['OPENAI_BASE_URL', 'OPENAI_API_BASE'],
      takesPdf: true,
    }),
    openrouter: openAiProvider({
      summary: 'OpenRouter',
      keyVariable: 'OPENROUTER_API_KEY',
      defaultUrl: 'https://openrouter.ai/api/v1',
      takesPdf: true,
    }),
    anthropic: langChainProvider({
      summary: 'Anthropic',
      package: '@langchain/anthropic',
      className: 'ChatAnthropic',
      // Loaded with the first request, because most commands do not need LangChain's messages.
      messages: async messages => (await import('./anthropic-messages.ts')).withAnthropicFiles(messages),
      keyVariable: 'ANTHROPIC_API_KEY',
      urlVariables: ['ANTHROPIC_BASE_URL'],
      takesPdf: true,
      takesRequestFields: true,
      fields: settings => ({
        ...baseFields(settings, { url: 'anthropicApiUrl', outputCap: 'maxTokens' }),
        ...keyField(settings),
        // The default of LangChain's package is too small for long tables.
        maxTokens: settings.maxOutputTokens ?? 8_192,
        invocationKwargs: settings.requestFields,
      }),
      server: {
        dialects: () => ['messages'],
        url: (_request, { baseUrl }) => `${baseUrl ?? 'https://api.anthropic.com'}/v1/messages`,
        headers: ({ key }) => (key === null ? {} : { 'x-api-key': key }),
      },
    }),
    'google-genai': langChainProvider({
      summary: 'Google Gemini by API key',
      package: '@langchain/google-genai',
      className: 'ChatGoogleGenerativeAI',
      systemFirst: true,
      keyVariable: 'GOOGLE_API_KEY',
      takesPdf: true,
      fields: settings => ({
        ...baseFields(settings, { url: 'baseUrl', outputCap: 'maxOutputTokens' }),
        ...keyField(settings),
      }),
      server: {
        dialects: () => ['gemini'],
        url({ isStreamed }, { baseUrl, model }) {
          const method = isStreamed ? 'streamGenerateContent?alt=sse' : 'generateContent'
          return `${baseUrl ?? 'https://generativelanguage.googleapis.com'}/v1beta/models/${model}:${method}`
        },
        headers: ({ key }) => (key === null ? {} : { 'x-goog-api-key': key }),
      },
    }),
    'google-vertexai': langChainProvider({
      summary: 'Google Vertex AI by application default credentials',
      package: '@langchain/google-vertexai',
      className: 'ChatVertexAI',
      systemFirst: true,
      keyVariable: null,
      takesPdf: true,
      fields: settings => baseFields(settings, { url: 'endpoint', outputCap: 'maxOutputTokens' }),
    }),
    ollama: langChainProvider({
      summary: 'Ollama by its own API',
      package: '@langchain/ollama',
      className: 'ChatOllama',
      keyVariable: null,
      urlVariables: ['OLLAMA_BASE_URL'],
      defaultUrl: 'http://127.0.0.1:11434',
      fields: settings => ({
        ...baseFields(settings, { url: 'baseUrl', outputCap: 'numPredict' }),
        // Without this option, Ollama cuts long prompts without a message.
        numCtx: settings.contextWindow,
        seed: settings.seed,
      }),
      askServer: askOllama,
    }),
    mistralai: langChainProvider({
      summary: 'Mistral AI',
      package: '@langchain/mistralai',
      className: 'ChatMistralAI',
      keyVariable: 'MISTRAL_API_KEY',
      fields: settings => ({
        ...baseFields(settings, { url: 'serverURL', outputCap: 'maxTokens' }),
        ...keyField(settings),
        randomSeed: settings.seed,
      }),
    }),
    groq: langChainProvider({
      summary: 'Groq',
      package: '@langchain/groq',
      className: 'ChatGroq',
      keyVariable: 'GROQ_API_KEY',
      fields: settings => ({
        ...baseFields(settings, { url: 'baseUrl', outputCap: 'maxTokens' }),
        ...keyField(settings),
      }),
    }),
    deepseek: openAiProvider({
      summary: 'DeepSeek',
      keyVariable: 'DEEPSEEK_API_KEY',
      defaultUrl: 'https://api.deepseek.com/v1',
    }),
    xai: openAiProvider({ summary: 'xAI', keyVariable: 'XAI_API_KEY', defaultUrl: 'https://api.x.ai/v1' }),
    together: openAiProvider({
      summary: 'Together AI',
      keyVariable: 'TOGETHER_AI_API_KEY',
      defaultUrl: 'https://api.together.xyz/v1',
    }),
    fireworks: openAiProvider({
      summary: 'Fireworks AI',
      keyVariable: 'FIREWORKS_API_KEY',
      defaultUrl: 'https://api.fireworks.ai/inference/v1',
    }),
    cerebras: openAiProvider({
      summary: 'Cerebras',
      keyVariable: 'CEREBRAS_API_KEY',
      defaultUrl: 'https://api.cerebras.ai/v1',
    }),
    bedrock: langChainProvider({
      summary: 'AWS Bedrock (Converse) by AWS credentials',
      package: '@langchain/aws',
      className: 'ChatBedrockConverse',
      systemFirst: true,
      keyVariable: null,
      takesRequestFields: true,
      fields: settings => ({
        ...baseFields(settings, { url: 'endpointHost', outputCap: 'maxTokens' }),
        ...(Object.keys(settings.requestFields).length > 0 && {
          additionalModelRequestFields: settings.requestFields,
        }),
      }),
    }),
  },
})

/**
 * Creates the model that `PROVIDER:NAME` or `PROVIDER:NAME@URL` names.
 *
 * @throws ConfigError `unknown-model-provider`, `missing-package`, `missing-key` (never for a model with a URL),
 *   `unknown-context-window`, `server-not-reached`, `invalid-url` or a code of the provider
 */
export async function createModel(spec: string, options: ModelOptions): Promise<ModelSource> {
  const parsed = parseModelSpec(spec, modelProviders.names())
  return await modelProviders.get(parsed.provider).create(parsed, options)
}
