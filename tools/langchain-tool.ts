import { ToolMessage } from '@langchain/core/messages'
import {
  DynamicStructuredTool,
  type StructuredToolInterface,
  ToolInputParsingException,
} from '@langchain/core/tools'
import { Validator } from '@langchain/core/utils/json_schema'
import type { z } from 'zod/v4'
import { describeZodProblems } from '../src/core/zod-problems.ts'
import { toolSchema } from '../src/models/tool-schema.ts'
import { describeArguments, readLeniently } from './lenient-input.ts'
import type { ToolArtifact } from './tool.ts'

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
 * Creates a LangChain tool that returns content and artifact. Unlike LangChain's `tool()`, it creates no run tree, no
 * callbacks and no asynchronous context for each call. These are not needed here and cost more than a short call itself.
 *
 * The tool reads its arguments leniently (`readLeniently`). Its answer names the arguments that it ignored.
 */
export function langChainTool<Schema extends z.ZodObject>(
  definition: LangChainToolDefinition<Schema>,
): StructuredToolInterface {
  return lenientTool({ ...definition, run: input => definition.run(input as z.output<Schema>) })
}

/** Creates such a tool without the type of its input. */
export function lenientTool({ name, description, schema, run }: AnyToolDefinition): StructuredToolInterface {
  const tool: StructuredToolInterface = new DynamicStructuredTool({
    name,
    description,
    schema: schema as z.ZodObject,
    responseFormat: 'content_and_artifact',
    func: run,
  })
  const call: CallTool = async (args, config) => {
    const json = toolSchema(tool)
    const { input, ignored } = readLeniently(json, args)
    const { problems, data } = checkInput(schema, input)
    if (problems.length > 0) throw describeWrongInput(name, problems, json, args)
    const [text, artifact] = await run(data)
    const content = ignored.length === 0 ? text : `${text}\n\n${describeIgnored(name, ignored, json)}`
    const id = config?.toolCall?.id
    return id === undefined
      ? content
      : new ToolMessage({ status: 'success', content, artifact, tool_call_id: id, name })
  }
  tool.call = call as typeof tool.call
  return tool
}

/** LangChain's `call`, to which `invoke` passes the arguments and the tool call. */
type CallTool = (args: unknown, config?: { readonly toolCall?: { readonly id?: string } }) => Promise<unknown>

/** The arguments as the tool receives them, and what is wrong with them. */
interface CheckedInput {
  readonly data: unknown
  readonly problems: readonly string[]
}

function checkInput(schema: AnyToolDefinition['schema'], input: unknown): CheckedInput {
  if (isZod(schema)) {
    const { data, error } = schema.safeParse(input)
    return { data, problems: error === undefined ? [] : describeZodProblems(error, 'the arguments') }
  }
  return { data: input, problems: fitsSchema(schema, input) ? [] : ['the arguments do not fit the schema'] }
}

/** Whether the input fits a server's schema. What our validator cannot use is left to the server to check. */
function fitsSchema(schema: Readonly<Record<string, unknown>>, input: unknown): boolean {
  try {
    return new Validator(schema).validate(input).valid
  } catch {
    return true
  }
}

function isZod(schema: AnyToolDefinition['schema']): schema is z.ZodObject {
  return typeof schema.safeParse === 'function'
}

function describeWrongInput(name: string, problems: readonly string[], schema: unknown, args: unknown) {
  const message = `${problems.join('; ')}. ${name} takes ${describeArguments(schema)}.`
  return new ToolInputParsingException(message, JSON.stringify(args))
}

/** Returns the line that names the ignored arguments. */
function describeIgnored(name: string, ignored: readonly string[], schema: unknown): string {
  const named = `Ignored argument${ignored.length === 1 ? '' : 's'}: ${ignored.join(', ')}.`
  return `[${named} ${name} takes ${describeArguments(schema)}.]`
}
