import type { StructuredToolInterface } from '@langchain/core/tools'
import type { ModelHandle } from '../src/core/model.ts'
import { toolSchema } from '../tools/tool-schema.ts'

/** Returns the descriptions of tools as text, to count their tokens. */
export function toolsText(tools: readonly StructuredToolInterface[]): string {
  return tools.map(tool => `${tool.name} ${tool.description} ${JSON.stringify(toolSchema(tool))}`).join('\n')
}

/** Returns the local tokens that bound tools add to each request. */
export function tokensOfTools(model: ModelHandle, tools: readonly StructuredToolInterface[]): number {
  return tools.length === 0 ? 0 : model.countTokens(toolsText(tools))
}
