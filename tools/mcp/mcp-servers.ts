import type { Client } from '@modelcontextprotocol/sdk/client/index.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import type { Tool } from '@modelcontextprotocol/sdk/types.js'
import { createRedactor } from '../../logs/redact.ts'
import { commandWithoutSecrets, urlWithoutSecrets } from '../../logs/redact-command.ts'
import { ConfigError } from '../../src/core/errors.ts'
import { harmlessEnvironment } from '../../src/system/harmless-environment.ts'
import { canonicalJson, sha256 } from '../../src/system/hash.ts'
import { packageVersion } from '../../src/system/paths.ts'
import type { ToolFactory } from '../tool.ts'
import type { McpCharge } from './mcp-charge.ts'
import { mcpTool } from './mcp-tool.ts'

/** A server of `--mcp`. `${NAME}` in its command or address is replaced by the variable NAME when it is connected. */
export type McpServerAddress =
  | { readonly name: string; readonly command: readonly string[] }
  | { readonly name: string; readonly url: string }

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

const connectTimeoutMs = 30_000

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
  const clients: Client[] = []
  const close = async (): Promise<void> =>
    void (await Promise.allSettled(clients.map(client => client.close())))
  const tools: ToolFactory[] = []
  const facts: Record<string, McpServerFacts> = {}
  try {
    for (const server of servers) {
      const { client, offered } = await connect(server, env)
      clients.push(client)
      const own: string[] = []
      for (const tool of offered) {
        const name = freeName(tool.name, server.name, names)
        names.add(name)
        own.push(name)
        tools.push(mcpTool({ name, tool, client, charge }))
      }
      facts[server.name] = { tools: own, sha256: sha256(canonicalJson(offered)), reproducible: false }
    }
  } catch (error) {
    await close()
    throw error
  }
  return { tools, facts, close }
}

async function connect(
  server: McpServerAddress,
  env: NodeJS.ProcessEnv,
): Promise<{ client: Client; offered: Tool[] }> {
  const { address, secrets } = withVariables(server, env)
  const { Client } = await import('@modelcontextprotocol/sdk/client/index.js')
  const client = new Client({ name: 'tablehunt', version: packageVersion })
  const words: string[] = []
  try {
    await client.connect(await transportTo(address, words), { timeout: connectTimeoutMs })
    const { tools } = await client.listTools(undefined, { timeout: connectTimeoutMs })
    if (tools.length > 0) return { client, offered: tools }
    throw new Error('it offers no tools')
  } catch (error) {
    await client.close().catch(() => undefined)
    throw failedServer(server, error, { words: words.join(''), secrets })
  }
}

/** @param words receives what a program writes to standard error */
async function transportTo(server: McpServerAddress, words: string[]): Promise<Transport> {
  if ('url' in server) {
    const { StreamableHTTPClientTransport } = await import(
      '@modelcontextprotocol/sdk/client/streamableHttp.js'
    )
    // The SDK's own types do not agree under exactOptionalPropertyTypes.
    return new StreamableHTTPClientTransport(new URL(server.url)) as Transport
  }
  const { StdioClientTransport } = await import('@modelcontextprotocol/sdk/client/stdio.js')
  const [command = '', ...args] = server.command
  const transport = new StdioClientTransport({ command, args, env: harmlessEnvironment(), stderr: 'pipe' })
  transport.stderr?.on('data', (chunk: Buffer) => {
    if (words.length < 20) words.push(chunk.toString('utf8'))
  })
  return transport
}

/**
 * Replaces `${NAME}` by the variables of the environment.
 *
 * @returns the address to connect to, and the parts of it that messages must not contain
 * @throws ConfigError `mcp-server-failed` when a variable is not set
 */
function withVariables(
  server: McpServerAddress,
  env: NodeJS.ProcessEnv,
): { readonly address: McpServerAddress; readonly secrets: readonly string[] } {
  const secrets: string[] = []
  const filled = (text: string): string =>
    text.replace(/\$\{(\w+)\}/g, (_all, name: string) => {
      const value = env[name]
      if (value === undefined || value === '')
        throw new ConfigError(`--mcp ${shownAddress(server)}: the variable ${name} is not set. Set it.`, {
          code: 'mcp-server-failed',
        })
      secrets.push(value)
      return value
    })
  const address =
    'url' in server
      ? { ...server, url: filled(server.url) }
      : { ...server, command: server.command.map(filled) }
  const written = 'url' in server ? [server.url] : server.command
  const shown = 'url' in server ? [urlWithoutSecrets(server.url)] : commandWithoutSecrets(server.command)
  return { address, secrets: [...secrets, ...written.filter((word, index) => word !== shown[index])] }
}

function shownAddress(server: McpServerAddress): string {
  return 'url' in server ? urlWithoutSecrets(server.url) : commandWithoutSecrets(server.command).join(' ')
}

function failedServer(
  server: McpServerAddress,
  error: unknown,
  { words, secrets }: { readonly words: string; readonly secrets: readonly string[] },
): ConfigError {
  const where = shownAddress(server)
  const { text } = createRedactor(secrets)
  const why = text(error instanceof Error ? error.message : String(error))
  const said = words.trim() === '' ? '' : ` It wrote: ${text(words.trim()).slice(-500)}`
  return new ConfigError(
    `--mcp ${where}: ${why}.${said} Check that the server starts by itself and speaks MCP.`,
    { code: 'mcp-server-failed', cause: error },
  )
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
