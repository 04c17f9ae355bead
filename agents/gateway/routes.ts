import { countTokensRoute, modelListRoute } from './model-facts.ts'
import { modelRoute } from './model-requests.ts'
import type { GatewayRoute } from './route.ts'

/** Everything that the gateway serves. A new part is a file and a line here. */
export const gatewayRoutes: readonly GatewayRoute[] = [modelRoute, modelListRoute, countTokensRoute]
