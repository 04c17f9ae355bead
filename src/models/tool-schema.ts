import type { StructuredToolInterface } from '@langchain/core/tools'
import { toJsonSchema } from '@langchain/core/utils/json_schema'
import type { ModelHandle } from '../core/model.ts'

const schemas = new WeakMap<object, unknown>()

/** Returns the JSON Schema of a tool's input. The result is cached. */
export function toolSchema({ schema }: { readonly schema: unknown }): unknown {
  const cached = schemas.get(schema as object)
  if (cached !== undefined) return cached
  const json: unknown = toJsonSchema(schema as Parameters<typeof toJsonSchema>[0])
  schemas.set(schema as object, json)
  return json
}

/** Returns the descriptions of tools as text, to count their tokens. */
export function toolsText(tools: readonly StructuredToolInterface[]): string {
  return tools.map(tool => `${tool.name} ${tool.description} ${JSON.stringify(toolSchema(tool))}`).join('\n')
}

/** Returns the local tokens that bound tools add to each request. */
export function tokensOfTools(model: ModelHandle, tools: readonly StructuredToolInterface[]): number {
  return tools.length === 0 ? 0 : model.countTokens(toolsText(tools))
}
