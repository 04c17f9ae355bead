import { ToolMessage } from '@langchain/core/messages'
import {
  DynamicStructuredTool,
  type StructuredToolInterface,
  ToolInputParsingException,
} from '@langchain/core/tools'
import type { z } from 'zod/v4'
import { zodProblemsOf } from '../src/core/zod-problems.ts'
import { describeArguments, readLeniently } from './lenient-input.ts'
import type { ToolArtifact } from './tool.ts'
import { toolSchema } from './tool-schema.ts'

/** The definition of a LangChain tool. */
export interface LangChainToolDefinition<Schema extends z.ZodObject> {
  readonly name: string
  readonly description: string
  readonly schema: Schema
  /** The text for the agent, and what traces and discovery measures use. */
  run(input: z.output<Schema>): Promise<[string, ToolArtifact]>
}

/** A tool whose input is described by a zod schema, or by the JSON Schema of an MCP server. */
interface AnyToolDefinition {
  readonly name: string
  readonly description: string
  readonly schema: z.ZodObject | Readonly<Record<string, unknown>>
  run(input: unknown): Promise<[string, ToolArtifact]>
}

/**
 * Creates a LangChain tool that returns content and artifact. Unlike LangChain's `tool()`, it creates no run tree
 * and no asynchronous context for each call. These are not needed here and cost more than a short call itself.
 *
 * The tool reads its arguments leniently (`readLeniently`). Its answer names the arguments that it ignored.
 */
export function langChainTool<Schema extends z.ZodObject>(
  definition: LangChainToolDefinition<Schema>,
): StructuredToolInterface {
  return lenientTool({ ...definition, run: async input => await definition.run(input as z.output<Schema>) })
}

/** Creates such a tool without the type of its input. */
export function lenientTool({ name, description, schema, run }: AnyToolDefinition): StructuredToolInterface {
  const tool: StructuredToolInterface = new DynamicStructuredTool({
    name,
    description,
    schema: schema as z.ZodObject,
    responseFormat: 'content_and_artifact',
    func: async (input: unknown) => await run(input),
  })
  const strict = tool.call.bind(tool) as Call
  const lenient: Call = async (given, ...rest) => {
    const { input, ignored } = readLeniently(toolSchema(tool), given)
    const answer = await strict(input, ...rest).catch((error: unknown) => {
      const isWrong = error instanceof ToolInputParsingException
      throw isWrong ? wrongInput(name, problemsOf(schema, input), tool, given) : error
    })
    return withIgnored(answer, ignored, tool)
  }
  tool.call = lenient as typeof tool.call
  return tool
}

/** LangChain's `call`: the arguments, the configuration and the tags. */
type Call = (given: unknown, ...rest: readonly unknown[]) => Promise<unknown>

/** Describes what is wrong with arguments that LangChain refused. */
function problemsOf(schema: AnyToolDefinition['schema'], input: unknown): string[] {
  const parsed = isZod(schema) ? schema.safeParse(input) : null
  return parsed?.success === false
    ? zodProblemsOf(parsed.error, 'the arguments')
    : ['the arguments do not fit the schema']
}

function isZod(schema: AnyToolDefinition['schema']): schema is z.ZodObject {
  return typeof schema.safeParse === 'function'
}

function wrongInput(
  name: string,
  problems: readonly string[],
  tool: StructuredToolInterface,
  given: unknown,
) {
  const takes = describeArguments(toolSchema(tool))
  const message = `${problems.join('; ')}. ${name} takes ${takes}.`
  return new ToolInputParsingException(message, JSON.stringify(given))
}

/** Adds a line that names the ignored arguments to an answer. */
function withIgnored(answer: unknown, ignored: readonly string[], tool: StructuredToolInterface): unknown {
  if (ignored.length === 0) return answer
  const named = `Ignored argument${ignored.length === 1 ? '' : 's'}: ${ignored.join(', ')}.`
  const line = `[${named} ${tool.name} takes ${describeArguments(toolSchema(tool))}.]`
  if (typeof answer === 'string') return `${answer}\n\n${line}`
  if (ToolMessage.isInstance(answer) && typeof answer.content === 'string')
    answer.content = `${answer.content}\n\n${line}`
  return answer
}
