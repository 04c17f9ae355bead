import type { AIMessage } from '@langchain/core/messages'
import { createCheckedFetch, type Fetch } from './checked-fetch.ts'
import { type LangChainRecipe, langChainProvider, type RequestSettings } from './langchain-provider.ts'
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
    timeout: 2_147_483_647,
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

async function openAiTransport(name: string): ReturnType<NonNullable<LangChainRecipe['transport']>> {
  const [{ AIMessage }, fetchFor] = await Promise.all([
    import('@langchain/core/messages'),
    createCheckedFetch(name),
  ])
  return () => {
    let facts: CompletionFacts | null = null
    const fetch = fetchFor(body => {
      facts = readCompletion(name, body, () => new AIMessage(''))
    })
    return {
      fetch,
      finish: answer => {
        if (facts === null) return
        addFacts(answer, facts)
        requireWhole(name, facts, answer)
      },
    }
  }
}

function addFacts(answer: AIMessage, facts: CompletionFacts): void {
  if (facts.brokenCalls.length > 0)
    answer.invalid_tool_calls = [...(answer.invalid_tool_calls ?? []), ...facts.brokenCalls]
  if (facts.refusal !== null) answer.additional_kwargs.refusal = facts.refusal
  if (facts.reasoning !== null) answer.additional_kwargs.reasoning_content = facts.reasoning
  setUsage(answer, usageFrom(facts.usage))
}

/** A provider that speaks OpenAI's chat completions. */
export function openAiProvider(
  recipe: Pick<LangChainRecipe, 'summary' | 'keyVariable' | 'urlVariables' | 'defaultUrl'>,
): ModelProvider {
  return langChainProvider({
    ...recipe,
    package: '@langchain/openai',
    className: 'ChatOpenAI',
    fields: openAiFields,
    transport: openAiTransport,
    ask: askServer,
  })
}
