import { z } from 'zod'

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
}

const silent: ServerLimits = { contextWindow: null, nativeTools: null }

/**
 * Asks an OpenAI-compatible server: `GET {base}/models` (vLLM, SGLang, OpenRouter and others name the window there), then
 * llama.cpp's `/props` (the context it was started with). Never rejects: an unreachable server says nothing.
 */
export async function askServer(baseUrl: string, model: string, key: string | null): Promise<ServerLimits> {
  const headers: Record<string, string> = key === null ? {} : { authorization: `Bearer ${key}` }
  const list = modelList.safeParse(await getJson(`${baseUrl}/models`, { headers }))
  if (list.success) {
    const entries = list.data.data
    const entry = entries.find(one => one.id === model) ?? (entries.length === 1 ? entries[0] : undefined)
    const said =
      entry?.max_model_len ?? entry?.context_length ?? entry?.context_window ?? entry?.max_context_length
    if (said !== undefined && said !== null) return { contextWindow: said, nativeTools: null }
  }
  const props = llamaProps.safeParse(await getJson(`${baseUrl.replace(/\/v1$/, '')}/props`, { headers }))
  if (!props.success) return silent
  return {
    contextWindow: props.data.default_generation_settings?.n_ctx ?? props.data.n_ctx ?? null,
    nativeTools: props.data.chat_template_caps?.supports_tools ?? null,
  }
}

/** Asks Ollama's own API: the model file's num_ctx, else the length that the model was trained for. Never rejects. */
export async function askOllama(baseUrl: string, model: string): Promise<ServerLimits> {
  const body = JSON.stringify({ model })
  const show = ollamaShow.safeParse(await getJson(`${baseUrl}/api/show`, { method: 'POST', body }))
  if (!show.success) return silent
  const configured = /^num_ctx\s+(\d+)/m.exec(show.data.parameters ?? '')?.[1]
  const trained = Object.entries(show.data.model_info ?? {}).find(([key]) => key.endsWith('.context_length'))
  const window = configured === undefined ? positive.safeParse(trained?.[1]).data : Number(configured)
  return {
    contextWindow: window ?? null,
    nativeTools: show.data.capabilities?.includes('tools') ?? null,
  }
}

async function getJson(url: string, init: RequestInit): Promise<unknown> {
  try {
    const response = await fetch(url, { ...init, redirect: 'manual', signal: AbortSignal.timeout(5_000) })
    return response.ok ? await response.json() : null
  } catch {
    // A server that is down or answers no JSON says nothing: the caller asks the user for the flag.
    return null
  }
}
