import { once } from 'node:events'
import { loadEmbedder } from '../../../retrieval/registry.ts'
import { ownReader } from '../../../tools/page/own-reader.ts'
import { runToolInput } from '../../../tools/run-tool-input.ts'
import { searchServices } from '../../../tools/search/registry.ts'
import { buildCorpus } from '../../../tools/web/corpus-build.ts'
import { loadCorpus, saveCorpus } from '../../../tools/web/corpus-folder.ts'
import { serveCorpus } from '../../../tools/web/sealed.ts'
import { buildTextCorpus } from '../../../tools/web/text-corpus/build.ts'
import { isCorpusFile } from '../../../tools/web/text-corpus/records.ts'
import { parseOption } from '../../config.ts'
import { ConfigError } from '../../core/errors.ts'
import { makeFolder, requireOutside, requireWritable } from '../../system/files.ts'
import { readCorpusInput } from '../open-run/corpus-input.ts'
import { openCache } from '../open-run/open-cache.ts'
import { nameEmbedder } from './naming-embedder.ts'
import { makeStandaloneEnvironment, openReader } from './standalone-tools.ts'

/** The flags of `web build`. */
export interface BuildFlags {
  readonly out: string
  readonly twins?: string
  readonly seed?: string
  readonly embedder?: string
}

/**
 * Builds a corpus from a folder of documents, or from JSONL or Parquet files. Returns a line that says what it contains.
 *
 * @throws ConfigError [not-corpus-files, flag-without-effect] and those of the documents
 */
export async function buildWeb(
  paths: readonly string[],
  flags: BuildFlags,
  tell: (line: string) => void,
): Promise<string> {
  const [first = ''] = paths
  if (paths.length === 1 && !isCorpusFile(first)) return await buildOfFolder(first, flags, tell)
  const wrongPath = paths.find(path => !isCorpusFile(path))
  if (wrongPath !== undefined)
    throw new ConfigError(
      `web build ${wrongPath}: not a .jsonl or .parquet file. Name one folder of documents, or only such files.`,
      { code: 'not-corpus-files' },
    )
  refuseFlags(flags, ['twins', 'seed'], 'a corpus of texts has no altered copies and no random choices')
  return await buildOfTexts(paths, flags, tell)
}

function refuseFlags(flags: BuildFlags, names: readonly (keyof BuildFlags)[], why: string): void {
  const unusedFlag = names.find(name => flags[name] !== undefined)
  if (unusedFlag === undefined) return
  throw new ConfigError(`--${unusedFlag}: ${why}. Leave it out.`, { code: 'flag-without-effect' })
}

async function buildOfFolder(
  folder: string,
  flags: BuildFlags,
  tell: (line: string) => void,
): Promise<string> {
  refuseFlags(flags, ['embedder'], 'dense search is for a corpus of a JSONL or Parquet file')
  requireOutside('--out', flags.out, folder, { deep: true })
  const { out } = flags
  const [twins, seed] = [parseOption('twins', flags.twins), parseOption('seed', flags.seed)]
  await requireWritable('--out', out)
  const reader = await openReader(tell)
  try {
    const corpus = await buildCorpus(
      await readCorpusInput(
        { config: { docs: folder, twins, seed }, tasks: [], distractors: null, tell, deep: true },
        reader,
      ),
    )
    await saveCorpus(corpus, out)
    const altered = corpus.items.filter(item => item.entry.twinOf !== null).length
    return `${corpus.items.length} documents, ${altered} of them twins -> ${out}`
  } finally {
    await reader.close()
  }
}

async function buildOfTexts(
  files: readonly string[],
  { out, embedder }: BuildFlags,
  tell: (line: string) => void,
): Promise<string> {
  await requireWritable('--out', out)
  await makeFolder(out)
  const dense =
    embedder === undefined
      ? null
      : {
          name: embedder,
          embedder: await loadEmbedder(embedder, process.env),
          cacheFolder: await openCache({ cache: null, env: process.env, tell }),
        }
  const progress = (documents: number): void => {
    if (documents % 10_000 === 0) tell(`${documents} documents read`)
  }
  const counts = await nameEmbedder(() => buildTextCorpus({ files, folder: out, dense, progress }))
  const notes = [
    ...(counts.withoutText === 0 ? [] : [`${counts.withoutText} without text`]),
    ...(counts.madeAddresses === 0 ? [] : [`${counts.madeAddresses} at an address made of their id`]),
  ]
  return `${[`${counts.documents} documents`, ...notes].join(', ')} -> ${out}`
}

/** Serves a corpus on 127.0.0.1 until the process is stopped. */
export async function serveWeb(folder: string, port: number, say: (text: string) => void): Promise<void> {
  const web = await serveCorpus(await loadCorpus(folder), { port, isOpen: true })
  say(`${web.baseUrl}  (search: POST ${web.baseUrl}/search with an X-API-KEY of any kind; Ctrl-C ends it)`)
  await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')])
  await web.close()
}

/**
 * Searches a corpus. Returns the text that an agent would receive.
 *
 * @throws ConfigError [empty-query]
 */
export async function searchWeb(folder: string, query: string): Promise<string> {
  if (query.trim() === '')
    throw new ConfigError('web search: the query is empty. Write what to search for.', {
      code: 'empty-query',
    })
  const web = await serveCorpus(await loadCorpus(folder))
  const search = searchServices.get('serper').create({ apiKey: 'sealed', baseUrl: web.searchUrl })
  const reader = await openReader()
  try {
    const run = await runToolInput(
      'web_search',
      JSON.stringify({ queries: [query] }),
      makeStandaloneEnvironment({ transport: web.transport, search }, reader, {
        renderer: null,
        pageReader: ownReader,
      }),
    )
    return run.text
  } finally {
    await reader.close()
    await web.close()
  }
}

/** Fetches the pages of a recording again. Yields one line per page that says whether it is the same, changed, moved or gone. */
export async function* describeDrift(folder: string): AsyncGenerator<string> {
  const { createLiveTransport } = await import('../../../tools/web/live.ts')
  const { measureDrift } = await import('../../../tools/web/drift.ts')
  const live = createLiveTransport()
  try {
    const drifts = await measureDrift(folder, live)
    for (const drift of drifts) yield `${drift.verdict.padEnd(12)}${drift.url}  ${drift.detail}`
    const kinds = [...new Set(drifts.map(drift => drift.verdict))]
    const counts = kinds.map(kind => `${drifts.filter(drift => drift.verdict === kind).length} ${kind}`)
    yield `${drifts.length} pages: ${counts.join(', ')}`
  } finally {
    await live.close()
  }
}
