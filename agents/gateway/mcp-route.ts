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
    const { StreamableHTTPServerTransport } = await import(
      '@modelcontextprotocol/sdk/server/streamableHttp.js'
    )
    const server = await createMcpServer(toolsOf(session))
    const transport = new StreamableHTTPServerTransport({ enableJsonResponse: true })
    response.on('close', () => void server.close())
    // The SDK's own types do not agree under exactOptionalPropertyTypes.
    await server.connect(transport as Parameters<typeof server.connect>[0])
    await transport.handleRequest(incoming, response, JSON.parse(await body()))
  },
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
