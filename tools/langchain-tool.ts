import { DynamicStructuredTool, type StructuredToolInterface } from '@langchain/core/tools'
import type { z } from 'zod/v4'
import type { ToolArtifact } from './tool.ts'

/** The definition of a LangChain tool. */
export interface LangChainToolDefinition<Schema extends z.ZodObject> {
  readonly name: string
  readonly description: string
  readonly schema: Schema
  /** The text for the agent, and what traces and discovery measures use. */
  run(input: z.output<Schema>): Promise<[string, ToolArtifact]>
}

/**
 * Creates a LangChain tool that returns content and artifact. Unlike LangChain's `tool()`, it creates no run tree
 * and no asynchronous context for each call. These are not needed here and cost more than a short call itself.
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
