import type { z } from 'zod/v4'
import type { ToolKind } from '../src/core/usage.ts'
import type { ToolEntry } from './registry.ts'
import type { ToolArtifact, ToolEnvironment } from './tool.ts'

/** A tool that a plug-in adds. */
export interface ToolDefinition<Schema extends z.ZodObject> {
  /** Its key in `tools`. */
  readonly name: string
  /** Tells the model when to call the tool and what it returns. */
  readonly description: string
  /** The schema of its input. The model sees the descriptions of the fields. */
  readonly schema: Schema
  /** `search` or `fetch`: its failures are counted as such. By default they count as neither. */
  readonly kind?: ToolKind
  /**
   * Answers one call.
   *
   * @returns the text for the model, optionally with the data that traces and discovery use
   * @throws ToolError for a failure that the model should be told about
   */
  run(input: z.output<Schema>, environment: ToolEnvironment): Promise<string | [string, ToolArtifact]>
}

/**
 * Defines a tool for a plug-in. LangChain is loaded when the tool is first used.
 *
 * @example
 * import { definePlugin, defineTool, z } from 'tablehunt'
 *
 * const to_euro = defineTool({
 *   name: 'to_euro',
 *   description: 'Converts an amount of US dollars to euros.',
 *   schema: z.object({ amount: z.number() }),
 *   run: async ({ amount }) => `${amount * 0.9} EUR`,
 * })
 * export default definePlugin({ tools: { to_euro } })
 */
export function defineTool<Schema extends z.ZodObject>(definition: ToolDefinition<Schema>): ToolEntry {
  const { name, description, schema, kind = null } = definition
  return {
    summary: description,
    kind,
    async create() {
      const { langChainTool } = await import('./langchain-tool.ts')
      return environment =>
        langChainTool({
          name,
          description,
          schema,
          async run(input) {
            const answer = await definition.run(input, environment)
            return typeof answer === 'string' ? [answer, { truncated: false, observations: [] }] : answer
          },
        })
    },
  }
}
