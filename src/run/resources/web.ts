import { benchmarks } from '../../../tasks/registry.ts'
import type { SearchProvider } from '../../../tools/search/provider.ts'
import { searchServices } from '../../../tools/search/registry.ts'
import { settingsOf } from '../../../tools/search/settings.ts'
import { urlWithoutSecrets } from '../../../tools/web/canonical-request.ts'
import type { CorpusEntry } from '../../../tools/web/corpus.ts'
import type { CorpusInput } from '../../../tools/web/corpus-input.ts'
import type { ReplayTransport } from '../../../tools/web/replay.ts'
import type { Transport } from '../../../tools/web/transport.ts'
import type { RunConfig } from '../../config.ts'
import { ConfigError } from '../../core/errors.ts'
import type { Gates } from './gates.ts'

export interface SearchService {
  readonly service: string
  /** The address that the operator gave it, without secrets; null: its own. */
  readonly baseUrl: string | null
}

/** The web of a run: what carries requests, what answers searches, and what is known of the addresses. */
export interface Web {
  readonly transport: Transport
  readonly search: SearchProvider
  /** Of the web itself, for the manifest; null for the live one. */
  readonly hash: string | null
  /** Sealed webs only: its documents and where they stand. */
  readonly entries: readonly CorpusEntry[] | null
  /** Which service answers searches, or did when a replayed web was recorded; absent: none that has a name. */
  readonly searched?: SearchService
  readonly notice: string
  close(): Promise<void>
}

export interface WebInput {
  readonly config: Pick<
    RunConfig,
    'benchmark' | 'web' | 'search' | 'seed' | 'record' | 'replay' | 'faults' | 'block' | 'allowHost'
  >
  readonly env: NodeJS.ProcessEnv
  /** Where requests to the live web wait when a host refuses them; absent: nowhere. */
  readonly gates?: Gates
  /** Whether searches are to be expected, so that a missing key is told before anything is spent. */
  readonly searches: boolean
  /** What a sealed web is made of; read only when one is. */
  corpus(): Promise<CorpusInput>
}

/**
 * Opens the web that --web names, with faults and a recording around it where asked for. ConfigError for an unknown
 * mode, an empty corpus, a folder without a recording, or a missing search key.
 */
export async function openWeb(input: WebInput): Promise<Web> {
  const web = await openMode(input)
  try {
    return await wrap(web, input.config)
  } catch (error) {
    await web.close()
    throw error
  }
}

/** Faults next to the web itself, the recording around both, so that a replay brings the faults again. */
async function wrap(web: Web, { faults, record, seed }: WebInput['config']): Promise<Web> {
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
    transport = await createRecordingTransport(transport, { folder: record, entries, search: searched })
    notice += `, recorded in ${record}`
  }
  return { ...web, transport, notice }
}

async function openMode(input: WebInput): Promise<Web> {
  const { web } = input.config
  if (web === 'live') return await openLive(input)
  if (web === 'sealed' || web.startsWith('sealed:')) return await openSealed(input)
  if (web.startsWith('replay:')) return await openReplay(input, web.slice('replay:'.length))
  throw new Error(`no web '${web}'`)
}

/** The service that --search names; asked for its key at once where searches are to be expected, else at the first. */
function searchOf({ config, env, searches }: WebInput): SearchProvider {
  const entry = searchServices.get(config.search)
  const create = (): SearchProvider => entry.create(settingsOf(entry, env))
  if (searches) return create()
  return { name: config.search, search: (request, call) => create().search(request, call) }
}

async function openLive(input: WebInput): Promise<Web> {
  const { createLiveTransport } = await import('../../../tools/web/live.ts')
  const { createBlockList, parseBlockRule } = await import('../../../tools/web/block-list.ts')
  const search = searchOf(input)
  const { gatedTransport } = await import('../../../tools/web/gated.ts')
  const { parseAllowedHost } = await import('../../../tools/web/allowed-hosts.ts')
  const { allowHost, benchmark, block } = input.config
  const rules = [...benchmarks.get(benchmark).answerHosts, ...block]
  const transport = createLiveTransport({
    blockList: createBlockList(rules.map(parseBlockRule)),
    allowedHosts: allowHost.map(parseAllowedHost),
  })
  return {
    transport: input.gates === undefined ? transport : gatedTransport(transport, input.gates),
    search,
    hash: null,
    entries: null,
    searched: givenService(input),
    notice: `web: live, searched by ${input.config.search}${allowHost.length === 0 ? '' : `, allowed: ${allowHost.join(', ')}`}`,
    close: () => transport.close(),
  }
}

/** `8 documents (4 of them altered look-alikes, see --twins)`: what a sealed web serves. */
function sealedContents(items: readonly { readonly entry: { readonly twinOf: string | null } }[]): string {
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
  const served = await serveCorpus(corpus)
  return {
    transport: served.transport,
    search: searchServices.get('serper').create({ apiKey: 'sealed', baseUrl: served.searchUrl }),
    hash: corpus.hash,
    entries: corpus.items.map(item => item.entry),
    notice: `web: sealed, ${sealedContents(corpus.items)} served on this machine`,
    close: () => served.close(),
  }
}

/** A recording in place of the web. Strict: no network at all and no key; auto: what it lacks is fetched and kept. */
async function openReplay(input: WebInput, folder: string): Promise<Web> {
  const { createReplayTransport } = await import('../../../tools/web/replay.ts')
  const live = input.config.replay === 'auto' ? await openLive(input) : null
  const transport = await createReplayTransport({
    folder,
    ...(live === null ? {} : { live: live.transport }),
  })
  const searched = live?.searched ?? recordedService(transport) ?? givenService(input)
  return {
    transport,
    search: live?.search ?? (await recordedSearch(transport, searched)),
    hash: null,
    entries: transport.entries,
    ...(transport.entries === null && { searched }),
    notice: `web: replayed from ${folder}, ${input.config.replay}`,
    close: async () => await live?.close(),
  }
}

/** --search's service, at the address that the operator gave. */
function givenService({ config, env }: WebInput): SearchService {
  const { baseUrl } = settingsOf(searchServices.get(config.search), env)
  return {
    service: config.search,
    baseUrl: baseUrl === null ? null : urlWithoutSecrets(baseUrl, 'service'),
  }
}

/** Null where the recording does not say. */
function recordedService({ search }: ReplayTransport): SearchService | null {
  if (search === null) return null
  const { service, baseUrl } = search
  if (!searchServices.has(service))
    throw new ConfigError(`--web: the recording's search service '${service}' is unknown to this version`)
  return { service, baseUrl }
}

/** The search service as the recording knows it; nothing is sent, so no key is needed. */
async function recordedSearch(
  { entries }: ReplayTransport,
  { service, baseUrl }: SearchService,
): Promise<SearchProvider> {
  if (entries === null) return searchServices.get(service).create({ apiKey: 'replayed', baseUrl })
  const { sealedSearchUrl } = await import('../../../tools/web/sealed.ts')
  return searchServices.get('serper').create({ apiKey: 'replayed', baseUrl: sealedSearchUrl })
}
