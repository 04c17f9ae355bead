import type { IncomingMessage } from 'node:http'
import { createMcpServer, type McpTools } from './mcp-server.ts'
import { type GatewayRoute, sendJson } from './route.ts'
import type { GatewaySession } from './session.ts'

/**
 * The tools by MCP over streamable HTTP, without sessions and with plain JSON answers: every client that was tried works
 * with it. Refusals and failures are results, because clients repeat or give up on HTTP errors.
 */
export const mcpRoute: GatewayRoute = {
  variables: base => ({ TABLEHUNT_MCP_URL: `${base}/mcp` }),
  matches: (_method, path) => path === '/mcp' || path === '/mcp/',
  async answer({ method, incoming, response, body }, session) {
    if (method !== 'POST') {
      response.setHeader('allow', 'POST')
      return sendJson(response, 405, { error: 'this MCP server has no sessions: send POST requests' })
    }
    const messages = parsedJson(await body())
    if (messages === undefined) return sendJson(response, 400, rpcError(-32_700, 'the body is not JSON'))
    if (Array.isArray(messages) && messages.length > mostInBatch)
      return sendJson(response, 400, rpcError(-32_600, `send at most ${mostInBatch} messages at a time`))
    // Each further message of a batch counts as a request of its own.
    for (let more = [messages].flat().length; more > 1; more--) session.countRequest()
    acceptJson(incoming)
    const { StreamableHTTPServerTransport } = await import(
      '@modelcontextprotocol/sdk/server/streamableHttp.js'
    )
    const server = await createMcpServer(toolsOf(session))
    const transport = new StreamableHTTPServerTransport({ enableJsonResponse: true })
    response.on('close', () => void server.close())
    // The SDK's own types do not agree under exactOptionalPropertyTypes.
    await server.connect(transport as Parameters<typeof server.connect>[0])
    await transport.handleRequest(incoming, response, messages)
  },
}

const mostInBatch = 50

const rpcError = (code: number, message: string) => ({ jsonrpc: '2.0', id: null, error: { code, message } })

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Small clients name one content type or none. The answer is JSON for all of them. */
function acceptJson({ headers, rawHeaders }: IncomingMessage): void {
  headers.accept = 'application/json, text/event-stream'
  const at = rawHeaders.findIndex((name, index) => index % 2 === 0 && name.toLowerCase() === 'accept')
  if (at < 0) rawHeaders.push('accept', headers.accept)
  else rawHeaders[at + 1] = headers.accept
}

function toolsOf(session: GatewaySession): McpTools {
  return {
    tools: session.toolbox.tools,
    async call(name, args) {
      const { text, outcome, artifact } = await session.callTool(name, args)
      const isError = outcome !== 'answered'
      const structured = isError ? null : { text, truncated: artifact?.truncated ?? false }
      return { text, isError, structured }
    },
  }
}
