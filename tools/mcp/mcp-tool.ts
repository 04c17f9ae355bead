import type { Client } from '@modelcontextprotocol/sdk/client/index.js'
import type { Tool } from '@modelcontextprotocol/sdk/types.js'
import { ToolError } from '../../src/core/errors.ts'
import { lenientTool } from '../langchain-tool.ts'
import { maxAnswerChars } from '../page/show-passages.ts'
import type { ToolEnvironment, ToolFactory } from '../tool.ts'
import type { McpCharge } from './mcp-charge.ts'

const callTimeoutMs = 120_000

/** Creates the tool of an MCP server for an agent. Long answers are cut as those of our own tools. */
export function mcpTool(given: {
  /** The name for the agent. */
  readonly name: string
  readonly tool: Tool
  readonly client: Client
  readonly charge: McpCharge
}): ToolFactory {
  const { name, tool } = given
  return environment =>
    lenientTool({
      name,
      description: tool.description ?? tool.title ?? tool.name,
      schema: tool.inputSchema as Record<string, unknown>,
      async run(input: unknown) {
        const text = await callServer(given, input, environment)
        const left = text.length - maxAnswerChars
        if (left <= 0) return [text, { truncated: false, observations: [] }]
        const shown = `${text.slice(0, maxAnswerChars)}\n[${left} more characters left out]`
        return [shown, { truncated: true, observations: [] }]
      },
    })
}

async function callServer(
  { name, tool, client, charge }: Parameters<typeof mcpTool>[0],
  input: unknown,
  environment: ToolEnvironment,
): Promise<string> {
  if (charge !== 'none') environment.charge(charge === 'fetch' ? 'fetchCalls' : 'searchCalls', `mcp: ${name}`)
  const result = await client
    .callTool({ name: tool.name, arguments: input as Record<string, unknown> }, undefined, {
      signal: environment.signal,
      timeout: callTimeoutMs,
    })
    .catch((error: unknown) => {
      environment.signal.throwIfAborted()
      throw serverFailure(name, error)
    })
  const content = Array.isArray(result.content) ? (result.content as Content[]) : []
  const text = content.map(textOf).join('\n')
  if (result.isError === true) throw new ToolError('bad-input', text === '' ? `${name} failed` : text)
  return text === '' ? '(an empty answer)' : text
}

interface Content {
  readonly type: string
  readonly text?: string
  readonly resource?: { readonly text?: string; readonly uri?: string }
}

function textOf({ type, text, resource }: Content): string {
  return text ?? resource?.text ?? `[${type} left out]`
}

function serverFailure(name: string, error: unknown): ToolError {
  const message = error instanceof Error ? error.message : String(error)
  const isTimeout = /timed out/i.test(message)
  return new ToolError(isTimeout ? 'timeout' : 'network', `${name}: its MCP server failed: ${message}`, {
    infrastructure: true,
    cause: error,
  })
}
