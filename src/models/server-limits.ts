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

/** What a server says of a model; null: it does not say. */
export interface ServerLimits {
  readonly contextWindow: number | null
  readonly nativeTools: boolean | null
  /** Why it could not be asked, such as ECONNREFUSED or HTTP 404. */
  readonly failure?: string | null
}

interface Reply {
  readonly body: unknown
  readonly failure: string | null
}

/**
 * Asks an OpenAI-compatible server: `GET {base}/models` (vLLM, SGLang, OpenRouter and others name the window there), then
 * llama.cpp's `/props` (the context it was started with). Never rejects: an unreachable server says nothing.
 */
export async function askServer(baseUrl: string, model: string, key: string | null): Promise<ServerLimits> {
  const headers: Record<string, string> = key === null ? {} : { authorization: `Bearer ${key}` }
  const { body, failure } = await getJson(`${baseUrl}/models`, { headers })
  const list = modelList.safeParse(body)
  if (list.success) {
    const entries = list.data.data
    const entry = entries.find(one => one.id === model) ?? (entries.length === 1 ? entries[0] : undefined)
    const said =
      entry?.max_model_len ?? entry?.context_length ?? entry?.context_window ?? entry?.max_context_length
    if (said !== undefined && said !== null) return { contextWindow: said, nativeTools: null }
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

/** Asks Ollama's own API: the model file's num_ctx, else the length that the model was trained for. Never rejects. */
export async function askOllama(baseUrl: string, model: string): Promise<ServerLimits> {
  const asked = { method: 'POST', body: JSON.stringify({ model }) }
  const { body, failure } = await getJson(`${baseUrl}/api/show`, asked)
  const show = ollamaShow.safeParse(body)
  if (!show.success) return { contextWindow: null, nativeTools: null, failure }
  const configured = /^num_ctx\s+(\d+)/m.exec(show.data.parameters ?? '')?.[1]
  const trained = Object.entries(show.data.model_info ?? {}).find(([key]) => key.endsWith('.context_length'))
  const window = configured === undefined ? positive.safeParse(trained?.[1]).data : Number(configured)
  return {
    contextWindow: window ?? null,
    nativeTools: show.data.capabilities?.includes('tools') ?? null,
  }
}

/** A server that is down or answers no JSON says nothing of the model: the caller asks the user for the flag. */
async function getJson(url: string, init: RequestInit): Promise<Reply> {
  try {
    const response = await fetch(url, { ...init, redirect: 'manual', signal: AbortSignal.timeout(5_000) })
    if (!response.ok) return { body: null, failure: `HTTP ${response.status}` }
    return { body: await response.json(), failure: null }
  } catch (error) {
    return { body: null, failure: reasonOf(error) }
  }
}

function reasonOf(error: unknown): string {
  const cause = error instanceof Error ? error.cause : null
  if (cause instanceof Error && 'code' in cause) return String(cause.code)
  if (cause instanceof Error && cause.message !== '') return cause.message
  return error instanceof SyntaxError ? 'no JSON' : 'no answer in time'
}
