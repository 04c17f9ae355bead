import type { Client } from '@modelcontextprotocol/sdk/client/index.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { z } from 'zod/v4'
import { createRedactor } from '../../logs/redact.ts'
import { commandWithoutSecrets, registerCommand, urlWithoutSecrets } from '../../logs/redact-command.ts'
import { ConfigError } from '../../src/core/errors.ts'
import { harmlessEnvironment } from '../../src/system/harmless-environment.ts'
import { packageVersion } from '../../src/system/paths.ts'
import { registerAddress, registerSecret } from '../../src/system/secret-values.ts'
import { isObject } from '../../src/text/json.ts'
import { type McpResult, mcpResultSchema } from './mcp-result.ts'

/** A server of `--mcp`. `${NAME}` in its command or address is replaced by the variable NAME when it is connected. */
export type McpServerAddress =
  | { readonly name: string; readonly command: readonly string[] }
  | { readonly name: string; readonly url: string }

/** A tool as a server offers it. Its output schema is not used, so that a wrong one does no harm. */
export type McpOffer = z.output<typeof offerSchema>

/** A connection to a server, which is opened again when it is lost. */
export interface McpSession {
  readonly server: McpServerAddress
  /** The tools of all pages of its list, each name once. */
  readonly tools: readonly McpOffer[]
  /**
   * Calls a tool. When the session or the program is lost, it connects once more and repeats the call.
   *
   * @throws the error of the SDK, or ConfigError `mcp-server-failed` when the server cannot be reached again
   */
  call(tool: string, input: unknown, signal: AbortSignal): Promise<McpResult>
  close(): Promise<void>
}

const connectTimeoutMs = 30_000
const callTimeoutMs = 120_000
const mostPages = 200

const offerSchema = z.looseObject({
  name: z.string(),
  title: z.string().optional().catch(undefined),
  description: z.string().optional().catch(undefined),
  inputSchema: z.unknown().transform(
    (schema): Readonly<Record<string, unknown>> => ({
      properties: {},
      ...(isObject(schema) ? schema : {}),
      type: 'object',
    }),
  ),
})
const pageSchema = z.looseObject({ tools: z.array(offerSchema), nextCursor: z.string().nullish() })

/**
 * Connects to a server and lists its tools.
 *
 * @throws ConfigError `mcp-server-failed`
 */
export async function openMcpSession(server: McpServerAddress, env: NodeJS.ProcessEnv): Promise<McpSession> {
  const target = withVariables(server, env)
  const first = await connect(server, target, listTools)
  let current: Promise<Client> = Promise.resolve(first.client)
  const reconnect = async (lost: Client): Promise<Client> => {
    // Calls that lost the same connection share the next one.
    const latest = await current.catch(() => lost)
    if (latest !== lost) return latest
    current = connect(server, target, async () => null).then(({ client }) => client)
    await lost.close().catch(() => undefined)
    return await current
  }
  return {
    server,
    tools: first.result,
    async call(name, input, signal) {
      const send = async (client: Client): Promise<McpResult> =>
        await client.request(
          { method: 'tools/call', params: { name, arguments: input as Record<string, unknown> } },
          mcpResultSchema,
          { signal, timeout: callTimeoutMs },
        )
      const client = await current.catch(() => first.client)
      try {
        return await send(client)
      } catch (error) {
        if (signal.aborted || !isConnectionLost(error)) throw error
        return await send(await reconnect(client))
      }
    },
    close: async () => await (await current.catch(() => first.client)).close(),
  }
}

/** Reads all pages. A cursor that comes a second time ends the list. */
async function listTools(client: Client): Promise<McpOffer[]> {
  const offers = new Map<string, McpOffer>()
  const cursors = new Set<string>()
  let cursor: string | null = null
  do {
    const params = cursor === null ? {} : { params: { cursor } }
    const page: z.output<typeof pageSchema> = await client.request(
      { method: 'tools/list', ...params },
      pageSchema,
      { timeout: connectTimeoutMs },
    )
    for (const tool of page.tools) if (!offers.has(tool.name)) offers.set(tool.name, tool)
    cursor = page.nextCursor ?? null
    if (cursor !== null && cursors.has(cursor)) break
    if (cursor !== null) cursors.add(cursor)
  } while (cursor !== null && cursors.size < mostPages)
  if (offers.size === 0) throw new Error('it offers no tools')
  return [...offers.values()]
}

/** The codes of JSON-RPC errors that this program tells apart. */
export const mcpErrors = { connectionClosed: -32_000, unknownMethod: -32_601, wrongInput: -32_602 } as const

/** Returns the code of an error of the SDK: that of JSON-RPC, or an HTTP status; null for other errors. */
export function findMcpErrorCode(error: unknown): number | null {
  return error instanceof Error && 'code' in error && typeof error.code === 'number' ? error.code : null
}

/**
 * Whether a server may answer after a new connection: its program ended, it cannot be reached, or it has forgotten the
 * session (status 404 by the specification; some servers answer 400 or a JSON-RPC error that says so).
 */
export function isConnectionLost(error: unknown): boolean {
  const code = findMcpErrorCode(error)
  if (code === mcpErrors.wrongInput) return false
  const message = error instanceof Error ? error.message : String(error)
  if (code === mcpErrors.connectionClosed || code === 404 || (code !== null && code >= 500 && code <= 599))
    return true
  if (
    /\bsession\b.{0,40}\b(?:not found|unknown|expired|invalid|terminated|missing)\b|\b(?:no|invalid|unknown|expired) (?:\w+ )?session\b/i.test(
      message,
    )
  )
    return true
  return code === null && /not connected|fetch failed|terminated|EPIPE|ECONNRE/i.test(message)
}

async function connect<T>(
  server: McpServerAddress,
  address: McpServerAddress,
  prepare: (client: Client) => Promise<T>,
): Promise<{ client: Client; result: T }> {
  const { Client } = await import('@modelcontextprotocol/sdk/client/index.js')
  const client = new Client({ name: 'tablehunt', version: packageVersion })
  const words: string[] = []
  try {
    await client.connect(await createTransport(address, words), { timeout: connectTimeoutMs })
    return { client, result: await prepare(client) }
  } catch (error) {
    await client.close().catch(() => undefined)
    throw failedServer(server, error, words.join('').trim())
  }
}

/** @param words receives what a program writes to standard error */
async function createTransport(server: McpServerAddress, words: string[]): Promise<Transport> {
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
 * Replaces `${NAME}` by the variables of the environment. Their values, and what looks like a key in the address, are
 * registered as secrets.
 *
 * @throws ConfigError `mcp-server-failed` when a variable is not set
 */
function withVariables(server: McpServerAddress, env: NodeJS.ProcessEnv): McpServerAddress {
  const filled = (text: string): string =>
    text.replace(/\$\{(\w+)\}/g, (_all, name: string) => {
      const value = env[name]
      if (value === undefined || value === '')
        throw new ConfigError(`--mcp ${formatAddress(server)}: the variable ${name} is not set. Set it.`, {
          code: 'mcp-server-failed',
        })
      registerSecret(value)
      return value
    })
  const address =
    'url' in server
      ? { ...server, url: filled(server.url) }
      : { ...server, command: server.command.map(filled) }
  if ('url' in address) registerAddress(address.url)
  else registerCommand(address.command)
  return address
}

function formatAddress(server: McpServerAddress): string {
  return 'url' in server ? urlWithoutSecrets(server.url) : commandWithoutSecrets(server.command).join(' ')
}

function failedServer(server: McpServerAddress, error: unknown, words: string): ConfigError {
  const where = formatAddress(server)
  const { text } = createRedactor([])
  const why = text(messageWithCode(error))
  const output = words === '' ? '' : ` It wrote: ${text(words).slice(-500)}`
  return new ConfigError(
    `--mcp ${where}: ${why}.${output} Check that the server starts by itself and speaks MCP.`,
    { code: 'mcp-server-failed', cause: error },
  )
}

/** Returns the message of an error, with the code of what caused it, such as ECONNREFUSED. */
function messageWithCode(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { cause } = error
  return cause instanceof Error && 'code' in cause
    ? `${error.message} (${String(cause.code)})`
    : error.message
}
