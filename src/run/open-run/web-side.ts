import { readMcpServer } from '../../../agents/online-options.ts'
import { answersFromWeb } from '../../../agents/registry.ts'
import type { VersionedReader } from '../../../retrieval/document-reader.ts'
import type { McpServers } from '../../../tools/mcp/mcp-servers.ts'
import type { PageReader } from '../../../tools/page/page-reader.ts'
import type { PageRenderer } from '../../../tools/page/renderer.ts'
import { listOfferedTools, loadTools } from '../../../tools/registry.ts'
import type { SearchProvider } from '../../../tools/search/provider.ts'
import type { Transport } from '../../../tools/web/transport.ts'
import type { RunConfig } from '../../config.ts'
import type { PriceTable } from '../../models/known-models.ts'
import { installCommand, isInstalled, optionalParts } from '../../system/optional-packages.ts'
import type { CloseLater } from './close-all.ts'
import { readCorpusInput } from './corpus-input.ts'
import type { Gates } from './gates.ts'
import type { OpeningInput } from './opening-input.ts'
import { openPageReader, openRenderer } from './page-access.ts'
import { requirePrice, searchUsd } from './prices.ts'
import { listWebOptions, openWeb, type SearchService, type Web, type WebAccess } from './web.ts'

/** US dollars per call; null when unknown. */
interface WebPrices {
  readonly searchUsd: number | null
  readonly fetchUsd: number | null
}

/** What an attempt that searches with one service uses. */
export interface AttemptWeb {
  readonly shared: {
    readonly transport: Transport
    readonly search: SearchProvider
    readonly scholar: SearchProvider | null
  }
  readonly webPrices: WebPrices
}

/** The webs and the tools of a run. */
export interface WebSide {
  /** The web of the first search service. Null when no setting of the run searches the web. */
  readonly web: Web | null
  /** The further search services of a run with several. */
  readonly otherSearches: readonly SearchService[]
  /** Returns the web, and the price of a search, of an attempt with this search service. */
  searchedWeb(service: string | undefined): AttemptWeb
  /** The prices of the run: those of the most expensive search service. */
  readonly webPrices: WebPrices
  /** What the manifest says about the servers of --mcp; null without one. */
  readonly mcpFacts: McpServers['facts'] | null
  readonly tools: Awaited<ReturnType<typeof loadTools>>
}

/** The parts of the web side that other parts of the run need. */
interface OpenedWebSide extends WebSide {
  readonly renderer: PageRenderer | null
  readonly pageReader: PageReader
  /** The services that are paid for searches. */
  readonly paidSearches: readonly string[]
  /** Notices about web and browser, one line each. */
  readonly webNotices: readonly string[]
}

interface WebSideInput extends OpeningInput {
  /** The plug-ins of the run, which may offer tools. */
  readonly plugins: readonly string[]
  readonly gates: Gates
  readonly reader: VersionedReader
  readonly prices: PriceTable
}

/**
 * Opens browser, MCP servers and webs for the settings that search the web, and loads the tools.
 *
 * @throws ConfigError [invalid-mcp-server, mcp-server-failed, unknown-price] and those of `openWeb`
 */
export async function openWebSide(input: WebSideInput, closeLater: CloseLater): Promise<OpenedWebSide> {
  const { config, env, tell, prices } = input
  const searchesWeb = config.setting.some(answersFromWeb)
  const renderer = searchesWeb ? await openRenderer(config.browser, env, tell) : null
  closeLater(renderer)
  const toolNames = config.tools ?? listOfferedTools(input.plugins)
  const servers = searchesWeb ? await connectMcp(config, toolNames, env) : null
  closeLater(servers)
  // The web is opened last, because building a sealed web may take minutes and other problems are reported
  // first.
  const webs = searchesWeb ? await openSearchedWebs(input, closeLater) : new Map<string, PricedWeb>()
  const opened = [...webs.values()]
  const [first, ...furtherWebs] = opened
  const searchPrices = searchesWeb
    ? opened.map(({ usdOfSearch }) => usdOfSearch)
    : config.search.map(service => searchUsd(service, false, prices))
  const pricesWith = (usdOfSearch: number | null): WebPrices => ({
    searchUsd: usdOfSearch,
    fetchUsd: config.pageReader === 'own' ? 0 : null,
  })
  const registered = await loadTools(toolNames)
  return {
    renderer,
    pageReader: openPageReader(config, env),
    web: first?.web ?? null,
    otherSearches: furtherWebs.flatMap(({ web }) => web.searched ?? []),
    searchedWeb(service) {
      const { web, usdOfSearch = null } = (service === undefined ? first : webs.get(service)) ?? {}
      const { transport, search, scholar = null } = web ?? noWeb
      return { shared: { transport, search, scholar }, webPrices: pricesWith(usdOfSearch) }
    },
    webPrices: pricesWith(findDearest(searchPrices)),
    mcpFacts: servers?.facts ?? null,
    tools: environment => [
      ...registered(environment),
      ...(servers?.tools ?? []).map(create => create(environment)),
    ],
    paidSearches: opened.flatMap(({ paid }) => paid ?? []),
    webNotices:
      opened.length === 0
        ? []
        : [...opened.map(({ web }) => web.notice), writeBrowserNotice(renderer, config.browser)],
  }
}

const refuse = (): never => {
  throw new Error('a run without the online setting has no web')
}

/** The web of a run that searches no web. */
const noWeb: WebAccess = {
  transport: { name: 'none', send: refuse },
  search: { name: 'none', search: refuse },
}

interface PricedWeb {
  readonly web: Web
  /** US dollars for each search; null when unknown. */
  readonly usdOfSearch: number | null
  /** The service that is paid for searches; null when there is none. */
  readonly paid: string | null
}

/** Opens a web for each search service, by its name. */
async function openSearchedWebs(
  input: WebSideInput,
  closeLater: CloseLater,
): Promise<ReadonlyMap<string, PricedWeb>> {
  const { env, gates, prices } = input
  const webs = new Map<string, PricedWeb>()
  for (const config of listWebOptions(input.config)) {
    const corpus = () => readCorpusInput(input, input.reader)
    const web = input.web ?? (await openWeb({ config, env, gates, searches: true, corpus }))
    closeLater(web)
    const service = web.searched?.service ?? config.search
    const isSealed = web.entries !== null
    const usdOfSearch = searchUsd(service, isSealed, prices)
    requirePrice(input.config, `search:${service}`, usdOfSearch)
    webs.set(config.search, { web, usdOfSearch, paid: isSealed ? null : service })
  }
  return webs
}

/** Returns the price of the most expensive service; null when the price of one is unknown. */
function findDearest(prices: readonly (number | null)[]): number | null {
  return prices.includes(null) ? null : Math.max(0, ...prices.filter(price => price !== null))
}

/** Connects to the servers of --mcp; null without one. */
async function connectMcp(
  { mcp, mcpCharge }: RunConfig,
  toolNames: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<McpServers | null> {
  if (mcp.length === 0) return null
  const { connectMcpServers } = await import('../../../tools/mcp/mcp-servers.ts')
  return await connectMcpServers(mcp.map(readMcpServer), { taken: toolNames, charge: mcpCharge, env })
}

function writeBrowserNotice(renderer: PageRenderer | null, browser: string | null): string {
  const { packages } = optionalParts.browser
  const none = packages.every(isInstalled)
    ? 'none found'
    : `none without Playwright (${installCommand(packages)})`
  const without = browser === 'off' ? 'off' : none
  return `browser: ${renderer?.name ?? `${without}: pages are read over plain HTTP`}`
}
