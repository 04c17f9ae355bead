import { answerMcpRequest } from './mcp-http.ts'
import type { McpTools } from './mcp-server.ts'
import type { GatewayRoute } from './route.ts'
import type { GatewaySession } from './session.ts'

/** Serves the tools by MCP. */
export const mcpRoute: GatewayRoute = {
  variables: base => ({ TABLEHUNT_MCP_URL: `${base}/mcp` }),
  matches: (_method, path) => path === '/mcp' || path === '/mcp/',
  async answer({ incoming, response, body }, session) {
    await answerMcpRequest({ incoming, response, body, countMessage: session.countRequest }, toolsOf(session))
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
