import { canonicalJson, sha256 } from '../../src/system/hash.ts'
import type { ToolFactory } from '../tool.ts'
import type { McpCharge } from './mcp-charge.ts'
import { type McpServerAddress, type McpSession, openMcpSession } from './mcp-session.ts'
import { mcpTool } from './mcp-tool.ts'

export type { McpServerAddress } from './mcp-session.ts'

/** What the manifest says about a server: its name, its tools and a hash of their schemas. Its answers are not recorded. */
export interface McpServerFacts {
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
      const own: string[] = []
      for (const tool of session.tools) {
        const name = freeName(tool.name, server.name, names)
        names.add(name)
        own.push(name)
        tools.push(mcpTool({ name, tool, session, charge }))
      }
      facts[server.name] = { tools: own, sha256: sha256(canonicalJson(session.tools)), reproducible: false }
    }
  } catch (error) {
    await close()
    throw error
  }
  return { tools, facts, close }
}

/** Model services accept letters, digits, `_` and `-`, at most 64 of them. */
function freeName(name: string, server: string, taken: ReadonlySet<string>): string {
  const plain = (text: string): string => text.replace(/[^\w-]/g, '_').slice(0, 64)
  const candidates = [plain(name), plain(`${server}_${name}`)]
  const free = candidates.find(one => !taken.has(one))
  if (free !== undefined) return free
  for (let number = 2; ; number++) {
    const numbered = plain(`${server}_${number}_${name}`)
    if (!taken.has(numbered)) return numbered
  }
}
