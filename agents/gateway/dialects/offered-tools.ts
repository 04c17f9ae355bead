import { DynamicStructuredTool } from '@langchain/core/tools'
import type { OfferedTool } from './dialect.ts'

/** Whether an agent's name for a tool means this tool. Agents may add a prefix, as in `mcp__tablehunt__web_search`. */
export function isNamedAs(offered: string, tool: string): boolean {
  return offered === tool || (offered.endsWith(tool) && /[^a-z0-9]$/i.test(offered.slice(0, -tool.length)))
}

/** The tools of an agent for LangChain's chat models. They are only described: the agent runs them itself. */
export function offeredAsTools(tools: readonly OfferedTool[]): DynamicStructuredTool[] {
  return tools.map(
    ({ name, description, parameters }) =>
      new DynamicStructuredTool({
        name,
        description,
        schema: parameters as never,
        func: async () => {
          throw new Error('the agent runs its tools itself')
        },
      }),
  )
}
