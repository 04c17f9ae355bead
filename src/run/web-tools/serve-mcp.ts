import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { answerMcpRequest } from '../../../agents/gateway/mcp-http.ts'
import { createMcpServer, type McpTools } from '../../../agents/gateway/mcp-server.ts'
import { sendJson } from '../../../agents/gateway/route.ts'
import { createTools, optionalTools, tools } from '../../../tools/registry.ts'
import { runToolInput } from '../../../tools/run-tool-input.ts'
import { closeServer, listenOnLocalhost, readBodyWithin } from '../../system/listen.ts'
import { openStandaloneWeb } from './standalone-tools.ts'

/** Calls share their downloads. After this many, downloads are forgotten, so that a server can run for weeks. */
const callsPerStore = 200
/** Longer bodies are refused. */
const mostBodyBytes = 1_000_000

/** The tools of the online setting outside a run. The caller closes them. */
export interface StandaloneTools extends McpTools {
  close(): Promise<void>
}

/**
 * Opens the tools on the web that the options name.
 *
 * @param options as those of `run`
 * @throws ConfigError those of the options
 */
export async function openStandaloneTools(
  options: Readonly<Record<string, unknown>>,
  tell: (line: string) => void,
): Promise<StandaloneTools> {
  const web = await openStandaloneWeb(options, true, tell)
  let environment = web.createEnvironment()
  let calls = 0
  const names = web.config.tools ?? tools.names().filter(name => !optionalTools().includes(name))
  return {
    tools: await createTools(names, environment),
    async call(name, args) {
      if (!names.includes(name)) {
        const text = `unknown tool '${name}'. The tools are ${names.join(', ')}.`
        return { text, isError: true, structured: null }
      }
      if (++calls % callsPerStore === 0) environment = web.createEnvironment()
      const { ok, text, truncated } = await runToolInput(name, JSON.stringify(args), environment)
      return { text, isError: !ok, structured: ok ? { text, truncated } : null }
    },
    close: () => web.close(),
  }
}

/** Serves tools over standard input and output until the client closes them. Nothing else may be written to standard output. */
export async function serveMcpOnStdio(offered: McpTools, ended: AbortSignal): Promise<void> {
  const { StdioServerTransport } = await import('@modelcontextprotocol/sdk/server/stdio.js')
  const server = await createMcpServer(offered)
  const closed = new Promise<void>(resolve => {
    server.onclose = resolve
    process.stdin.once('end', resolve)
    process.stdin.once('close', resolve)
    ended.addEventListener('abort', () => resolve(), { once: true })
  })
  await server.connect(new StdioServerTransport())
  await closed
  await server.close()
}

/** An MCP server over HTTP. */
export interface McpHttpServer {
  /** The address for clients, which ends in `/mcp`. */
  readonly url: string
  close(): Promise<void>
}

/**
 * Serves tools over streamable HTTP on 127.0.0.1.
 *
 * @param port 0 chooses a free one
 * @throws ConfigError [port-not-available]
 */
export async function serveMcpOnHttp(offered: McpTools, port: number): Promise<McpHttpServer> {
  const server = createServer((incoming, response) => {
    answer(incoming, response, offered).catch(() => response.destroy())
  })
  const url = `http://127.0.0.1:${await listenOnLocalhost(server, port)}/mcp`
  return {
    url,
    close: () => closeServer(server),
  }
}

async function answer(incoming: IncomingMessage, response: ServerResponse, offered: McpTools): Promise<void> {
  const [path] = (incoming.url ?? '/').split('?')
  if (!isLocal(incoming))
    return sendJson(response, 403, { error: 'only programs on this machine may connect' })
  if (path !== '/mcp' && path !== '/mcp/') return sendJson(response, 404, { error: 'the address is /mcp' })
  await answerMcpRequest({ incoming, response, body: () => readBody(incoming) }, offered)
}

/** Whether a request is not one that a page in a browser sends to a name that it made point to this machine. */
function isLocal({ headers }: IncomingMessage): boolean {
  const isLoopback = (url: string): boolean =>
    URL.canParse(url) && ['127.0.0.1', 'localhost', '[::1]'].includes(new URL(url).hostname)
  return isLoopback(`http://${headers.host}`) && (headers.origin === undefined || isLoopback(headers.origin))
}

async function readBody(incoming: IncomingMessage): Promise<string> {
  const text = await readBodyWithin(incoming, mostBodyBytes)
  if (text === null) throw new Error('the body is too long')
  return text
}
