import type { StructuredToolInterface } from '@langchain/core/tools'
import type { Server } from '@modelcontextprotocol/sdk/server/index.js'
import type { CallToolResult, Tool } from '@modelcontextprotocol/sdk/types.js'
import { toolSchema } from '../../src/models/tool-schema.ts'
import { packageVersion } from '../../src/system/paths.ts'
import { isObject } from '../../src/text/json.ts'

/** The result of a tool call, as an MCP client receives it. */
interface McpToolResult {
  readonly text: string
  /** Whether the call failed or was refused. Clients show the text to the model either way. */
  readonly isError: boolean
  /** The same content as structured data; null when there is only the text. */
  readonly structured: Readonly<Record<string, unknown>> | null
}

/** The tools that an MCP server offers. */
export interface McpTools {
  readonly tools: readonly StructuredToolInterface[]
  call(name: string, args: Readonly<Record<string, unknown>>): Promise<McpToolResult>
}

/** Creates an MCP server for one client or, without sessions, for one request. */
export async function createMcpServer(offered: McpTools): Promise<Server> {
  const [{ Server }, { CallToolRequestSchema, ListToolsRequestSchema }] = await Promise.all([
    import('@modelcontextprotocol/sdk/server/index.js'),
    import('@modelcontextprotocol/sdk/types.js'),
  ])
  const server = new Server({ name: 'tablehunt', version: packageVersion }, { capabilities: { tools: {} } })
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: offered.tools.map(describeTool) }))
  server.setRequestHandler(CallToolRequestSchema, async ({ params }): Promise<CallToolResult> => {
    const { text, isError, structured } = await offered.call(params.name, params.arguments ?? {})
    return {
      content: [{ type: 'text', text }],
      isError,
      ...(structured === null ? {} : { structuredContent: structured }),
    }
  })
  return server
}

function describeTool(tool: StructuredToolInterface): Tool {
  return {
    name: tool.name,
    description: tool.description,
    inputSchema: clientSchema(toolSchema(tool)),
    annotations: { readOnlyHint: true, openWorldHint: true },
  }
}

/**
 * Rewrites optional arguments. Some clients read `anyOf: [{ type }, { type: 'null' }]` as a required string. All tested
 * clients accept `{ type, nullable: true }` outside `required`.
 */
function clientSchema(schema: unknown): Tool['inputSchema'] {
  const { properties = {}, required = [] } = schema as {
    properties?: Record<string, unknown>
    required?: string[]
  }
  const optional = new Set<string>()
  const rewritten = Object.entries(properties).map(([name, property]) => {
    const plain = withoutNull(property)
    if (plain !== property) optional.add(name)
    return [name, plain]
  })
  return {
    type: 'object',
    properties: Object.fromEntries(rewritten),
    required: required.filter(name => !optional.has(name)),
  }
}

function withoutNull(property: unknown): object {
  if (!isObject(property) || !Array.isArray(property.anyOf)) return property as object
  const [only, ...otherTypes] = property.anyOf.filter(type => !isObject(type) || type.type !== 'null')
  if (otherTypes.length > 0 || !isObject(only)) return property
  const { anyOf: _alternatives, ...rest } = property
  return { ...only, ...rest, nullable: true }
}
