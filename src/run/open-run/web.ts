import { join } from 'node:path'
import { benchmarks } from '../../../tasks/registry.ts'
import type { SearchProvider } from '../../../tools/search/provider.ts'
import { readServiceSettings } from '../../../tools/search/provider.ts'
import { isSealedSearch, searchServices } from '../../../tools/search/registry.ts'
import { createSerperScholar } from '../../../tools/search/serper.ts'
import { normaliseUrl } from '../../../tools/web/canonical-request.ts'
import type { CorpusEntry } from '../../../tools/web/corpus.ts'
import type { CorpusInput } from '../../../tools/web/corpus-build.ts'
import { readSystemProxies } from '../../../tools/web/live.ts'
import type { ReplayTransport } from '../../../tools/web/replay.ts'
import type { Transport } from '../../../tools/web/transport.ts'
import { defaultUserAgent } from '../../../tools/web/transport.ts'
import type { CommandConfig } from '../../config.ts'
import { ConfigError } from '../../core/errors.ts'
import type { Gates } from './gates.ts'

/** A named search service. */
export interface SearchService {
  readonly service: string
  /** The address that the operator gave, without secrets; null for the service's default. */
  readonly baseUrl: string | null
}

/** The ways to a web: requests and searches. */
export interface WebAccess {
  readonly transport: Transport
  readonly search: SearchProvider
  /** The search for papers. Absent: none. */
  readonly scholar?: SearchProvider
}

/** The web of a run: its transport, its search service, and what is known about its pages. */
export interface Web extends WebAccess {
  /** The hash of a sealed web, for the manifest; null for other webs. */
  readonly hash: string | null
  /** The documents of a sealed web with their addresses; null for other webs. */
  readonly entries: readonly CorpusEntry[] | null
  /**
   * The search service, or the one with which a replayed web was recorded. Absent when there is no named
   * service.
   */
  readonly searched?: SearchService
  readonly notice: string
  close(): Promise<void>
}

/** The options that decide where searches and fetches go, with one search service. */
export type WebOptions = Omit<CommandConfig, 'search'> & { readonly search: string }

/**
 * Returns the options of one web for each search service. With several services, each has a recording of its own, in
 * a folder with its name.
 */
export function listWebOptions(config: CommandConfig): readonly WebOptions[] {
  const { search: services, record, web } = config
  if (services.length === 1) return [{ ...config, search: services[0]! }]
  return services.map(search => ({
    ...config,
    search,
    record: record === null ? null : join(record, search),
    web: web.startsWith('replay:') ? `replay:${join(web.slice('replay:'.length), search)}` : web,
  }))
}

/**
 * Returns the options of a web outside a run, which has one search service.
 *
 * @throws ConfigError `several-searches`
 */
export function withOneSearch(config: CommandConfig): WebOptions {
  const [search = '', ...furtherSearches] = config.search
  if (furtherSearches.length > 0)
    throw new ConfigError(
      `--search ${config.search.join(',')}: only 'run' compares services. Name one of them.`,
      { code: 'several-searches' },
    )
  return { ...config, search }
}

/** What opening a web needs. */
export interface WebInput {
  readonly config: WebOptions
  readonly env: NodeJS.ProcessEnv
  /** The rate gates of requests to the live web. When absent, requests do not wait. */
  readonly gates?: Partial<Gates>
  /** Whether searches are expected. A missing key is then an error at once, not at the first search. */
  readonly searches: boolean
  /** Returns the documents of a sealed web. Called only when one is built. */
  corpus(): Promise<CorpusInput>
}

/**
 * Opens the web that --web names, with the faults and the recording that the options ask for.
 *
 * @throws ConfigError for an empty corpus, a folder without a recording, or a missing search key
 */
export async function openWeb(input: WebInput): Promise<Web> {
  const web = await openMode(input)
  try {
    return await wrap(await blockPages(web, input.config), input.config)
  } catch (error) {
    await web.close()
    throw error
  }
}

/** Adds the rules of --block to a web without the live web's own guards. */
async function blockPages(web: Web, { block, web: mode }: WebOptions): Promise<Web> {
  if (mode === 'live' || block.length === 0) return web
  const { createBlockingTransport, createBlockList, parseBlockRule } = await import(
    '../../../tools/web/block-list.ts'
  )
  const blockList = createBlockList(block.map(parseBlockRule))
  return { ...web, transport: createBlockingTransport(web.transport, blockList) }
}

/** Adds faults to a web, and then records it: a replay repeats the faults. */
async function wrap(web: Web, { faults, record, seed, date }: WebOptions): Promise<Web> {
  let { transport, notice } = web
  if (faults !== null) {
    const { loadFaultProfile } = await import('../../../tools/web/fault-profile.ts')
    const { createFaultyTransport } = await import('../../../tools/web/faults.ts')
    transport = createFaultyTransport(transport, { profile: await loadFaultProfile(faults), seed })
    notice += `, faults: ${faults}`
  }
  if (record !== null) {
    const { createRecordingTransport } = await import('../../../tools/web/record.ts')
    const { entries, searched = null } = web
    transport = await createRecordingTransport(transport, {
      folder: record,
      entries,
      search: searched,
      date,
    })
    notice += `, recorded in ${record}`
  }
  return { ...web, transport, notice }
}

async function openMode(input: WebInput): Promise<Web> {
  const { web } = input.config
  if (web === 'live') return await openLive(input)
  if (web === 'sealed' || web.startsWith('sealed:')) return await openSealed(input)
  if (web.startsWith('replay:')) return await openReplay(input, web.slice('replay:'.length))
  throw new Error(`unknown web '${web}'`)
}

/** Returns the service that --search names. It checks its key at once when searches are expected, else at the first search. */
function openSearch({ config, env, searches }: WebInput): SearchProvider {
  const entry = searchServices.get(config.search)
  return createWhenUsed(config.search, searches, () => entry.create(readServiceSettings(entry, env)))
}

/** Returns the search for papers. It checks its key at once when the agent has scholar_search, else at the first search. */
function openScholar({ config, env }: WebInput): SearchProvider {
  const isExpected = config.tools?.includes('scholar_search') === true
  return createWhenUsed('serper-scholar', isExpected, () =>
    createSerperScholar(readServiceSettings(searchServices.get('serper'), env)),
  )
}

/** Creates a search service now when searches are expected, else with each search. */
function createWhenUsed(name: string, isExpected: boolean, create: () => SearchProvider): SearchProvider {
  return isExpected ? create() : { name, search: (request, call) => create().search(request, call) }
}

async function openLive(input: WebInput): Promise<Web> {
  const { createLiveTransport } = await import('../../../tools/web/live.ts')
  const { createBlockList, parseBlockRule } = await import('../../../tools/web/block-list.ts')
  const search = openSearch(input)
  const { gateTransport: gatedTransport } = await import('../../../tools/web/gated.ts')
  const { parseAllowedHost } = await import('../../../tools/web/address-guard.ts')
  const { allowHost, benchmark, block } = input.config
  const proxies = readSystemProxies(input.env)
  const rules = [...benchmarks.get(benchmark).answerHosts, ...block]
  const transport = createLiveTransport({
    blockList: createBlockList(rules.map(parseBlockRule)),
    allowedHosts: allowHost.map(parseAllowedHost),
    userAgent: composeUserAgent(input.config),
    proxies,
  })
  return {
    transport: input.gates === undefined ? transport : gatedTransport(transport, input.gates),
    search,
    scholar: openScholar(input),
    hash: null,
    entries: null,
    searched: wrapService(input),
    notice: `web: live, searched by ${input.config.search}${allowHost.length === 0 ? '' : `, allowed: ${allowHost.join(', ')}`}${proxies === null ? '' : ", through the system's proxy"}`,
    close: () => transport.close(),
  }
}

/** Returns the User-Agent for pages: a name, then the contact that sites such as SEC ask for; null for the default. */
function composeUserAgent({ userAgent, contact }: WebOptions): string | null {
  if (userAgent === null && contact === null) return null
  return [userAgent ?? defaultUserAgent, contact ?? ''].join(' ').trim()
}

/** Describes the contents of a sealed web: `8 documents (4 of them altered look-alikes, see --twins)`. */
function describeSealedWeb(items: readonly { readonly entry: { readonly twinOf: string | null } }[]): string {
  const twins = items.filter(({ entry }) => entry.twinOf !== null).length
  const note = twins === 0 ? '' : ` (${twins} of them altered look-alikes, see --twins)`
  return `${items.length} documents${note}`
}

async function openSealed(input: WebInput): Promise<Web> {
  const { serveCorpus } = await import('../../../tools/web/sealed.ts')
  const folder = input.config.web.slice('sealed:'.length)
  const corpus =
    folder === ''
      ? await (await import('../../../tools/web/corpus-build.ts')).buildCorpus(await input.corpus())
      : await (await import('../../../tools/web/corpus-folder.ts')).loadCorpus(folder)
  if (input.config.search === 'dense' && corpus.rankers?.dense === undefined)
    throw new ConfigError(
      `--search dense: the sealed web has no vectors. Build a corpus of a JSONL or Parquet file with web build --embedder, or leave dense out.`,
      { code: 'no-corpus-vectors' },
    )
  const served = await serveCorpus(corpus)
  return {
    transport: served.transport,
    search: makeSealedProvider(input.config.search, served.searchUrl),
    scholar: createSerperScholar({ apiKey: 'sealed', baseUrl: served.searchUrl }),
    hash: corpus.hash,
    entries: corpus.items.map(item => item.entry),
    notice: `web: sealed, ${describeSealedWeb(corpus.items)} served on this machine`,
    close: () => served.close(),
  }
}

/** Returns the search of a sealed web that --search names. The name of another service means the search by words. */
function makeSealedProvider(search: string, baseUrl: string): SearchProvider {
  const name = isSealedSearch(search) ? search : 'serper'
  return searchServices.get(name).create({ apiKey: 'sealed', baseUrl })
}

/** Opens a recording as a web. strict: no network and no key; auto: missing pages are fetched and recorded. */
async function openReplay(input: WebInput, folder: string): Promise<Web> {
  const { createReplayTransport } = await import('../../../tools/web/replay.ts')
  const live = input.config.replay === 'auto' ? await openLive(input) : null
  const transport = await createReplayTransport({
    folder,
    ...(live === null ? {} : { live: live.transport }),
  })
  const searched = live?.searched ?? findRecordedService(transport) ?? wrapService(input)
  return {
    transport,
    search: live?.search ?? (await openRecordedSearch(transport, searched)),
    scholar: live?.scholar ?? (await openRecordedScholar(transport, input)),
    hash: null,
    entries: transport.entries,
    ...(transport.entries === null && { searched }),
    notice: `web: replayed from ${folder}, ${input.config.replay}`,
    close: async () => await live?.close(),
  }
}

/** Returns the service of --search, with the address that the operator gave. */
function wrapService({ config, env }: WebInput): SearchService {
  const { baseUrl } = readServiceSettings(searchServices.get(config.search), env)
  return { service: config.search, baseUrl: baseUrl === null ? null : normaliseUrl(baseUrl, 'service') }
}

/** Returns the search service of a recording; null when it names none. */
function findRecordedService({ search }: ReplayTransport): SearchService | null {
  if (search === null) return null
  const { service, baseUrl } = search
  if (!searchServices.has(service))
    throw new ConfigError(
      `--web: the recording's search service '${service}' is unknown. Name its plug-in with --plugin, or use the version that made the recording.`,
      { code: 'unknown-search-service' },
    )
  return { service, baseUrl }
}

/** Returns the search service of a recording. It sends no requests, so it needs no key. */
async function openRecordedSearch(
  { entries }: ReplayTransport,
  { service, baseUrl }: SearchService,
): Promise<SearchProvider> {
  if (entries === null) return searchServices.get(service).create({ apiKey: 'replayed', baseUrl })
  const { sealedSearchUrl } = await import('../../../tools/web/sealed.ts')
  return makeSealedProvider(service, sealedSearchUrl)
}

/** Returns the search for papers of a recording. It sends no requests, so it needs no key. */
async function openRecordedScholar(
  { entries, search }: ReplayTransport,
  { env }: WebInput,
): Promise<SearchProvider> {
  // A recording with Serper names the address that it was made with.
  const recorded = search?.service === 'serper' ? search.baseUrl : null
  const baseUrl = recorded ?? readServiceSettings(searchServices.get('serper'), env).baseUrl
  if (entries === null) return createSerperScholar({ apiKey: 'replayed', baseUrl })
  const { sealedSearchUrl } = await import('../../../tools/web/sealed.ts')
  return createSerperScholar({ apiKey: 'replayed', baseUrl: sealedSearchUrl })
}
