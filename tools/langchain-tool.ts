import { DynamicStructuredTool, type StructuredToolInterface } from '@langchain/core/tools'
import type { z } from 'zod/v4'
import type { ToolArtifact } from './tool.ts'

/** What a tool of LangChain is made of. */
export interface LangChainToolDefinition<Schema extends z.ZodObject> {
  readonly name: string
  readonly description: string
  readonly schema: Schema
  /** The text for the agent, and what traces and discovery measures use. */
  run(input: z.output<Schema>): Promise<[string, ToolArtifact]>
}

/**
 * A LangChain tool of content and artifact. It differs from LangChain's `tool()` in what our tools have no use for: no
 * run tree and no asynchronous context for each call, which cost more than all else that a short call does.
 */
export function langChainTool<Schema extends z.ZodObject>(
  definition: LangChainToolDefinition<Schema>,
): StructuredToolInterface {
  const { name, description, schema, run } = definition
  return new DynamicStructuredTool({
    name,
    description,
    schema,
    responseFormat: 'content_and_artifact',
    func: async (input: z.output<Schema>) => await run(input),
  })
}
