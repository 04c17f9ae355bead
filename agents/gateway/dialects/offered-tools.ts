import { DynamicStructuredTool } from '@langchain/core/tools'
import type { OfferedTool } from './dialect.ts'

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
