import type { SearchProvider } from '../../tools/search/provider.ts'
import { searchProviders } from '../../tools/search/registry.ts'
import type { CorpusEntry } from '../../tools/web/corpus.ts'
import type { CorpusInput } from '../../tools/web/corpus-build.ts'
import type { Transport } from '../../tools/web/transport.ts'
import type { RunConfig } from '../config.ts'
import { ConfigError } from '../core/errors.ts'

/** The web of a run: what carries requests, what answers searches, and what is known of the addresses. */
export interface Web {
  readonly transport: Transport
  readonly search: SearchProvider
  /** Of the web itself, for the manifest; null for the live one. */
  readonly hash: string | null
  /** Sealed webs only: its documents and where they stand. */
  readonly entries: readonly CorpusEntry[] | null
  readonly notice: string
  close(): Promise<void>
}

export interface WebInput {
  readonly config: Pick<RunConfig, 'web' | 'search'>
  readonly env: NodeJS.ProcessEnv
  /** What a sealed web is made of; read only when one is. */
  corpus(): Promise<CorpusInput>
}

/** Opens the web that --web names. ConfigError for an unknown mode, an empty corpus or a missing search key. */
export async function openWeb(input: WebInput): Promise<Web> {
  const { web } = input.config
  if (web === 'live') return await openLive(input)
  if (web === 'sealed' || web.startsWith('sealed:')) return await openSealed(input)
  throw new ConfigError(`--web: '${web}': (live, sealed, sealed:CORPUS)`)
}

async function openLive(input: WebInput): Promise<Web> {
  const provider = searchProviders[input.config.search]
  const { createLiveTransport } = await import('../../tools/web/live.ts')
  const search = provider.create({
    apiKey: provider.keyVariable === null ? null : (input.env[provider.keyVariable] ?? null),
    baseUrl: input.env[provider.baseUrlVariable] ?? null,
  })
  return {
    transport: createLiveTransport(),
    search,
    hash: null,
    entries: null,
    notice: `web: live, searched by ${input.config.search}`,
    close: async () => undefined,
  }
}

async function openSealed(input: WebInput): Promise<Web> {
  const { serveCorpus } = await import('../../tools/web/sealed.ts')
  const folder = input.config.web.slice('sealed:'.length)
  const corpus =
    folder === ''
      ? await (await import('../../tools/web/corpus-build.ts')).buildCorpus(await input.corpus())
      : await (await import('../../tools/web/corpus-folder.ts')).loadCorpus(folder)
  const served = await serveCorpus(corpus)
  return {
    transport: served.transport,
    search: searchProviders.serper.create({ apiKey: 'sealed', baseUrl: served.searchUrl }),
    hash: corpus.hash,
    entries: corpus.items.map(item => item.entry),
    notice: `web: sealed, ${corpus.items.length} documents served on this machine`,
    close: () => served.close(),
  }
}
