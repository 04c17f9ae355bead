import type { IncomingMessage, ServerResponse } from 'node:http'
import { createMcpServer, type McpTools } from './mcp-server.ts'
import { sendJson } from './route.ts'

/** A request to an MCP server. */
interface McpHttpRequest {
  readonly incoming: IncomingMessage
  readonly response: ServerResponse
  body(): Promise<string>
  /** Called for each further message of a batch. */
  readonly countMessage?: () => void
}

/** The most messages in one request. */
const mostInBatch = 50

/**
 * Answers one request of MCP over streamable HTTP, without sessions and with plain JSON. All tested clients accept this.
 * Refusals and failures of tools are results, because clients repeat requests or give up after HTTP errors.
 */
export async function answerMcpRequest(request: McpHttpRequest, tools: McpTools): Promise<void> {
  const { incoming, response } = request
  if (incoming.method !== 'POST') {
    response.setHeader('allow', 'POST')
    return sendJson(response, 405, { error: 'this MCP server has no sessions: send POST requests' })
  }
  const messages = parseJson(await request.body())
  if (messages === undefined) return sendJson(response, 400, rpcError(-32_700, 'the body is not JSON'))
  if (Array.isArray(messages) && messages.length > mostInBatch)
    return sendJson(response, 400, rpcError(-32_600, `send at most ${mostInBatch} messages at a time`))
  for (let more = [messages].flat().length; more > 1; more--) request.countMessage?.()
  acceptJson(incoming)
  const { StreamableHTTPServerTransport } = await import('@modelcontextprotocol/sdk/server/streamableHttp.js')
  const server = await createMcpServer(tools)
  const transport = new StreamableHTTPServerTransport({ enableJsonResponse: true })
  response.on('close', () => void server.close())
  // The SDK's own types do not agree under exactOptionalPropertyTypes.
  await server.connect(transport as Parameters<typeof server.connect>[0])
  await transport.handleRequest(incoming, response, messages)
}

const rpcError = (code: number, message: string) => ({ jsonrpc: '2.0', id: null, error: { code, message } })

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Simple clients accept one content type, or name none. All of them can read JSON. */
function acceptJson({ headers, rawHeaders }: IncomingMessage): void {
  headers.accept = 'application/json, text/event-stream'
  const at = rawHeaders.findIndex((name, index) => index % 2 === 0 && name.toLowerCase() === 'accept')
  if (at < 0) rawHeaders.push('accept', headers.accept)
  else rawHeaders[at + 1] = headers.accept
}
