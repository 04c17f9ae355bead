import { BadRequestError } from '../../src/models/dialects/dialect.ts'
import { gemini } from '../../src/models/dialects/gemini.ts'
import { messages } from '../../src/models/dialects/messages.ts'
import { isObject } from '../../src/text/json.ts'
import { answerMcpRequest } from './mcp-http.ts'
import type { McpTools } from './mcp-server.ts'
import { modelRoute, parseBody } from './model-requests.ts'
import { type GatewayRoute, sendJson } from './route.ts'
import { braveRoute, jinaReaderRoute, searxngRoute, serperRoute, tavilyRoute } from './search-apis.ts'
import type { GatewaySession } from './session.ts'

/** Serves the tools by MCP. */
const mcpRoute: GatewayRoute = {
  variables: base => ({ TABLEHUNT_MCP_URL: `${base}/mcp` }),
  matches: (_method, path) => path === '/mcp' || path === '/mcp/',
  async answer({ incoming, response, body }, session) {
    await answerMcpRequest(
      { incoming, response, body, countMessage: session.countRequest },
      listTools(session),
    )
  },
}

function listTools(session: GatewaySession): McpTools {
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

/** The only name in lists of models. Requests may name any other. */
const modelName = 'model'

/** The list of models in one form that OpenAI's, Anthropic's and Google's clients read. */
const modelListRoute: GatewayRoute = {
  variables: () => ({}),
  matches: (method, path) => method === 'GET' && /^\/v1(?:beta)?\/models(?:\/.+)?$/.test(path),
  async answer({ path, response }) {
    const named = /\/models\/(.+)$/.exec(path)?.[1]
    const entry = describeModel(named ?? modelName)
    if (named !== undefined) return sendJson(response, 200, entry)
    const names = { first_id: modelName, last_id: modelName }
    sendJson(response, 200, { object: 'list', data: [entry], has_more: false, ...names, models: [entry] })
  },
}

function describeModel(name: string): Record<string, unknown> {
  return {
    id: name,
    object: 'model',
    created: 0,
    owned_by: 'tablehunt',
    type: 'model',
    display_name: name,
    created_at: '1970-01-01T00:00:00Z',
    name: `models/${name}`,
    displayName: name,
    supportedGenerationMethods: ['generateContent'],
  }
}

const geminiCount = /^(\/v1(?:beta)?\/models\/.+):countTokens$/

/**
 * Estimates the tokens of a request without a model call. The answer has Anthropic's or Google's form. It is not
 * charged.
 */
const countTokensRoute: GatewayRoute = {
  variables: () => ({}),
  matches: (method, path) =>
    method === 'POST' && (path === '/v1/messages/count_tokens' || geminiCount.test(path)),
  async answer({ path, response, body }, session) {
    const isGemini = geminiCount.test(path)
    const dialect = isGemini ? gemini : messages
    try {
      const sent = parseBody(await body())
      const inner = isObject(sent.generateContentRequest) ? sent.generateContentRequest : sent
      const tokens = session.countTokens(dialect.read(inner, path))
      sendJson(response, 200, isGemini ? { totalTokens: tokens } : { input_tokens: tokens })
    } catch (error) {
      if (!(error instanceof BadRequestError)) throw error
      sendJson(response, 400, dialect.error(400, error.message, 'invalid_request'))
    }
  },
}

/** All routes of the gateway. A new route is a file and a line here. */
export const gatewayRoutes: readonly GatewayRoute[] = [
  modelRoute,
  modelListRoute,
  countTokensRoute,
  mcpRoute,
  serperRoute,
  searxngRoute,
  tavilyRoute,
  braveRoute,
  jinaReaderRoute,
]
