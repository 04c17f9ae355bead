import { ConfigError, ProviderError, ToolError } from '../../src/core/errors.ts'
import { isServerMissing } from '../../src/system/service-failures.ts'
import { lenientTool } from '../langchain-tool.ts'
import { maxAnswerChars } from '../page/show-passages.ts'
import type { ToolEnvironment, ToolFactory } from '../tool.ts'
import type { McpCharge } from './mcp-charge.ts'
import { printMcpResult } from './mcp-result.ts'
import { isConnectionLost, type McpOffer, type McpSession, mcpErrorCode, mcpErrors } from './mcp-session.ts'

/** A tool of a server and how an agent calls it. */
interface OfferedTool {
  /** The name for the agent. */
  readonly name: string
  readonly tool: McpOffer
  readonly session: McpSession
  readonly charge: McpCharge
}

/** Creates the tool of an MCP server for an agent. Long answers are cut as those of our own tools. */
export function mcpTool(offered: OfferedTool): ToolFactory {
  const { name, tool } = offered
  return environment =>
    lenientTool({
      name,
      description: tool.description ?? tool.title ?? tool.name,
      schema: tool.inputSchema,
      async run(input: unknown) {
        const text = await callServer(offered, input, environment)
        const left = text.length - maxAnswerChars
        if (left <= 0) return [text, { truncated: false, observations: [] }]
        const shown = `${text.slice(0, maxAnswerChars)}\n[${left} more characters left out]`
        return [shown, { truncated: true, observations: [] }]
      },
    })
}

async function callServer(
  { name, tool, session, charge }: OfferedTool,
  input: unknown,
  environment: ToolEnvironment,
): Promise<string> {
  if (charge !== 'none') environment.charge(charge === 'fetch' ? 'fetchCalls' : 'searchCalls', `mcp: ${name}`)
  const result = await session.call(tool.name, input, environment.signal).catch((error: unknown) => {
    environment.signal.throwIfAborted()
    throw callFailure(name, session.server.name, error)
  })
  const text = printMcpResult(result)
  if (result.isError === true) throw new ToolError('bad-input', text === '' ? `${name} failed` : text)
  return text === '' ? '(an empty answer)' : text
}

/**
 * Returns what a failed call means. Wrong arguments are the model's mistake. A server that is lost, or no longer has the tool,
 * ends the attempt: an agent without a tool that it was given is not scored.
 */
function callFailure(name: string, server: string, error: unknown): Error {
  const message = error instanceof Error ? error.message : String(error)
  const code = mcpErrorCode(error)
  const said = `${name}: its MCP server failed: ${message}`
  const isToolGone =
    code === mcpErrors.unknownMethod || /\b(?:unknown tool|tool\b.{0,80}\bnot found)\b/i.test(message)
  if (code === mcpErrors.wrongInput && !isToolGone)
    return new ToolError('bad-input', message, { cause: error })
  if (code === 401 || code === 403)
    return new ProviderError('auth', said, { retryable: false, fatalService: `MCP server ${server}` })
  if (isToolGone || error instanceof ConfigError || isConnectionLost(error)) {
    const fatalService = isServerMissing(message) ? `MCP server ${server}` : null
    return new ProviderError('unavailable', said, { retryable: false, fatalService, cause: error })
  }
  const isTimeout = /timed out/i.test(message)
  return new ToolError(isTimeout ? 'timeout' : 'network', said, { infrastructure: true, cause: error })
}
