import { z } from 'zod/v4'

const positive = z.number().int().positive()
const size = positive.nullish().catch(null)
const modelList = z.object({
  data: z.array(
    z.looseObject({
      id: z.string(),
      max_model_len: size,
      context_length: size,
      context_window: size,
      max_context_length: size,
    }),
  ),
})
const llamaProps = z.looseObject({
  default_generation_settings: z.looseObject({ n_ctx: size }).nullish(),
  n_ctx: size,
  chat_template_caps: z.looseObject({ supports_tools: z.boolean().nullish() }).nullish(),
})
const ollamaShow = z.looseObject({
  parameters: z.string().nullish(),
  model_info: z.record(z.string(), z.unknown()).nullish(),
  capabilities: z.array(z.string()).nullish(),
})

/** What a server reports about a model. A property that it does not report is null. */
export interface ServerLimits {
  /** In tokens. */
  readonly contextWindow: number | null
  readonly nativeTools: boolean | null
  /** Why the server could not be asked, such as ECONNREFUSED or HTTP 404. */
  readonly failure?: string | null
}

interface ServerReply {
  readonly body: unknown
  readonly failure: string | null
}

/**
 * Asks a server with OpenAI's API for the limits of a model. vLLM, SGLang, OpenRouter and others report the context
 * window at `GET {base}/models`. llama.cpp reports the context it was started with at `/props`. Never rejects:
 * `failure` says why a server could not be asked.
 */
export async function askServer(baseUrl: string, model: string, key: string | null): Promise<ServerLimits> {
  const headers: Record<string, string> = key === null ? {} : { authorization: `Bearer ${key}` }
  const { body, failure } = await getJson(`${baseUrl}/models`, { headers })
  const list = modelList.safeParse(body)
  if (list.success) {
    const entries = list.data.data
    const entry =
      entries.find(candidate => candidate.id === model) ?? (entries.length === 1 ? entries[0] : undefined)
    const contextWindow =
      entry?.max_model_len ?? entry?.context_length ?? entry?.context_window ?? entry?.max_context_length
    if (contextWindow !== undefined && contextWindow !== null) return { contextWindow, nativeTools: null }
  }
  const properties = await getJson(`${baseUrl.replace(/\/v1$/, '')}/props`, { headers })
  const props = llamaProps.safeParse(properties.body)
  if (!props.success) return { contextWindow: null, nativeTools: null, failure }
  return {
    contextWindow: props.data.default_generation_settings?.n_ctx ?? props.data.n_ctx ?? null,
    nativeTools: props.data.chat_template_caps?.supports_tools ?? null,
    failure,
  }
}

/**
 * Asks Ollama's own API for the limits of a model. The context window is `num_ctx` of the model file, or otherwise the
 * length for which the model was trained. Never rejects.
 */
export async function askOllama(baseUrl: string, model: string): Promise<ServerLimits> {
  const init = { method: 'POST', body: JSON.stringify({ model }) }
  const { body, failure } = await getJson(`${baseUrl}/api/show`, init)
  const show = ollamaShow.safeParse(body)
  if (!show.success) return { contextWindow: null, nativeTools: null, failure }
  const configured = /^num_ctx\s+(\d+)/m.exec(show.data.parameters ?? '')?.[1]
  const trained = Object.entries(show.data.model_info ?? {}).find(([key]) => key.endsWith('.context_length'))
  const window = configured === undefined ? positive.safeParse(trained?.[1]).data : Number(configured)
  return { contextWindow: window ?? null, nativeTools: show.data.capabilities?.includes('tools') ?? null }
}

/** Returns the JSON of an answer, or why there is none. */
async function getJson(url: string, init: RequestInit): Promise<ServerReply> {
  try {
    const response = await fetch(url, { ...init, redirect: 'manual', signal: AbortSignal.timeout(5_000) })
    if (!response.ok) return { body: null, failure: `HTTP ${response.status}` }
    return { body: await response.json(), failure: null }
  } catch (error) {
    return { body: null, failure: describeFailure(error) }
  }
}

function describeFailure(error: unknown): string {
  const cause = error instanceof Error ? error.cause : null
  if (cause instanceof Error && 'code' in cause) return String(cause.code)
  if (cause instanceof Error && cause.message !== '') return cause.message
  return error instanceof SyntaxError ? 'no JSON in its answer' : 'no answer in time'
}
