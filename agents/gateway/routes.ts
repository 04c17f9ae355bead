import { mcpRoute } from './mcp-route.ts'
import { countTokensRoute, modelListRoute } from './model-facts.ts'
import { modelRoute } from './model-requests.ts'
import type { GatewayRoute } from './route.ts'
import { braveRoute } from './search-apis/brave.ts'
import { jinaReaderRoute } from './search-apis/jina-reader.ts'
import { searxngRoute } from './search-apis/searxng.ts'
import { serperRoute } from './search-apis/serper.ts'
import { tavilyRoute } from './search-apis/tavily.ts'

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
