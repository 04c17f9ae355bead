import { ConfigError, ProviderError, ToolError } from '../../src/core/errors.ts'
import { canonicalJson, sha256 } from '../../src/system/hash.ts'
import { isServerMissing } from '../../src/system/service-failures.ts'
import { lenientTool } from '../langchain-tool.ts'
import { maxAnswerChars } from '../page/passages.ts'
import type { ToolEnvironment, ToolFactory } from '../tool.ts'
import type { McpCharge } from './mcp-charge.ts'
import { printMcpResult } from './mcp-result.ts'
import {
  findMcpErrorCode,
  isConnectionLost,
  type McpOffer,
  type McpServerAddress,
  type McpSession,
  mcpErrors,
  openMcpSession,
} from './mcp-session.ts'

export type { McpServerAddress } from './mcp-session.ts'

/** What the manifest says about a server: its name, its tools and a hash of their schemas. Its answers are not recorded. */
interface McpServerFacts {
  readonly tools: readonly string[]
  readonly sha256: string
  readonly reproducible: false
}

/** The connected servers of a run. */
export interface McpServers {
  /** A factory for each tool of the servers, in order. */
  readonly tools: readonly ToolFactory[]
  readonly facts: Readonly<Record<string, McpServerFacts>>
  close(): Promise<void>
}

/**
 * Connects to MCP servers and lists their tools. A tool whose name is in use gets the name of its server as a prefix. A
 * program gets only variables such as PATH and HOME, and none of our keys.
 *
 * @param taken names of the other tools
 * @param env the variables that `${NAME}` in an address names
 * @throws ConfigError `mcp-server-failed`
 */
export async function connectMcpServers(
  servers: readonly McpServerAddress[],
  {
    taken,
    charge,
    env = {},
  }: { readonly taken: readonly string[]; readonly charge: McpCharge; readonly env?: NodeJS.ProcessEnv },
): Promise<McpServers> {
  const names = new Set(taken)
  const sessions: McpSession[] = []
  const close = async (): Promise<void> =>
    void (await Promise.allSettled(sessions.map(session => session.close())))
  const tools: ToolFactory[] = []
  const facts: Record<string, McpServerFacts> = {}
  try {
    for (const server of servers) {
      const session = await openMcpSession(server, env)
      sessions.push(session)
      const toolNames: string[] = []
      for (const tool of session.tools) {
        const name = findFreeName(tool.name, server.name, names)
        names.add(name)
        toolNames.push(name)
        tools.push(createMcpTool({ name, tool, session, charge }))
      }
      facts[server.name] = {
        tools: toolNames,
        sha256: sha256(canonicalJson(session.tools)),
        reproducible: false,
      }
    }
  } catch (error) {
    await close()
    throw error
  }
  return { tools, facts, close }
}

/** Model services accept letters, digits, `_` and `-`, at most 64 of them. */
function findFreeName(name: string, server: string, usedNames: ReadonlySet<string>): string {
  const cleanName = (text: string): string => text.replace(/[^\w-]/g, '_').slice(0, 64)
  const candidates = [cleanName(name), cleanName(`${server}_${name}`)]
  const free = candidates.find(candidate => !usedNames.has(candidate))
  if (free !== undefined) return free
  for (let number = 2; ; number++) {
    const numbered = cleanName(`${server}_${number}_${name}`)
    if (!usedNames.has(numbered)) return numbered
  }
}

/** A tool of a server and how an agent calls it. */
interface OfferedTool {
  /** The name for the agent. */
  readonly name: string
  readonly tool: McpOffer
  readonly session: McpSession
  readonly charge: McpCharge
}

/** Creates the tool of an MCP server for an agent. Long answers are cut as those of our own tools. */
function createMcpTool(offered: OfferedTool): ToolFactory {
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
  const code = findMcpErrorCode(error)
  const text = `${name}: its MCP server failed: ${message}`
  const isToolGone =
    code === mcpErrors.unknownMethod || /\b(?:unknown tool|tool\b.{0,80}\bnot found)\b/i.test(message)
  if (code === mcpErrors.wrongInput && !isToolGone)
    return new ToolError('bad-input', message, { cause: error })
  if (code === 401 || code === 403)
    return new ProviderError('auth', text, { retryable: false, fatalService: `MCP server ${server}` })
  if (isToolGone || error instanceof ConfigError || isConnectionLost(error)) {
    const fatalService = isServerMissing(message) ? `MCP server ${server}` : null
    return new ProviderError('unavailable', text, { retryable: false, fatalService, cause: error })
  }
  const isTimeout = /timed out/i.test(message)
  return new ToolError(isTimeout ? 'timeout' : 'network', text, { infrastructure: true, cause: error })
}
