import { ConfigError } from '../../src/core/errors.ts'
import type { Clock } from '../../src/core/runtime.ts'

/** What an embedder is made of: the parts of `KIND:NAME@URL`, the environment and how it waits. */
export interface EmbedderSettings {
  readonly kind: string
  /** The model's name; '' where none was given. */
  readonly model: string
  readonly url: string | null
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly clock: Clock
}

/** Reads `hash`, `openai:bge-m3`, `openai:bge-m3@http://127.0.0.1:8082/v1`, `onnx:./folder`. */
export function parseEmbedder(text: string): Pick<EmbedderSettings, 'kind' | 'model' | 'url'> {
  const match = /^([a-z0-9-]+)(?::(.*?))?(?:@(https?:\/\/.+))?$/s.exec(text)
  if (match === null) throw new ConfigError(`'${text}': write KIND, KIND:NAME or KIND:NAME@URL`)
  return { kind: match[1]!, model: match[2] ?? '', url: match[3] ?? null }
}
