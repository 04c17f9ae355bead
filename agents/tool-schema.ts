import type { StructuredToolInterface } from '@langchain/core/tools'
import { toJsonSchema } from '@langchain/core/utils/json_schema'
import type { ModelHandle } from '../src/core/model.ts'

const schemas = new WeakMap<object, unknown>()

/** A tool's input as JSON schema; worked out once for each schema. */
export function toolSchema(tool: StructuredToolInterface): unknown {
  const schema = tool.schema as object
  const known = schemas.get(schema)
  if (known !== undefined) return known
  const json: unknown = toJsonSchema(schema as Parameters<typeof toJsonSchema>[0])
  schemas.set(schema, json)
  return json
}

/** What the tools' descriptions add to a request, as text to count. */
export function toolsText(tools: readonly StructuredToolInterface[]): string {
  return tools.map(tool => `${tool.name} ${tool.description} ${JSON.stringify(toolSchema(tool))}`).join('\n')
}

/** Local tokens that bound tools add to each request. */
export function tokensOfTools(model: ModelHandle, tools: readonly StructuredToolInterface[]): number {
  return tools.length === 0 ? 0 : model.countTokens(toolsText(tools))
}
