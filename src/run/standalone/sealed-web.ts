import { once } from 'node:events'
import { ownReader } from '../../../tools/page/own-reader.ts'
import { runToolInput } from '../../../tools/run-tool-input.ts'
import { searchServices } from '../../../tools/search/registry.ts'
import { buildCorpus } from '../../../tools/web/corpus-build.ts'
import { loadCorpus, saveCorpus } from '../../../tools/web/corpus-folder.ts'
import { serveCorpus } from '../../../tools/web/sealed.ts'
import { resolveConfig } from '../../config.ts'
import { ConfigError } from '../../core/errors.ts'
import { requireOutside, requireWritable } from '../../system/files.ts'
import { corpusInput } from '../resources/corpus-input.ts'
import { openReader, standaloneToolEnvironment } from './standalone-tools.ts'

/** Builds a corpus from a folder of documents. Returns a line that says what it contains. */
export async function buildWeb(
  folder: string,
  flags: { out: string; twins: string; seed: string },
  tell: (line: string) => void,
): Promise<string> {
  requireOutside('--out', flags.out, folder, { deep: true })
  const config = resolveConfig({
    tasks: '-',
    out: flags.out,
    docs: folder,
    twins: flags.twins,
    seed: flags.seed,
  })
  await requireWritable('--out', flags.out)
  const reader = await openReader(null, tell)
  try {
    const corpus = await buildCorpus(
      await corpusInput({ config, tasks: [], distractors: null, tell, deep: true }, reader),
    )
    await saveCorpus(corpus, flags.out)
    const twins = corpus.items.filter(item => item.entry.twinOf !== null).length
    return `${corpus.items.length} documents, ${twins} of them twins -> ${flags.out}`
  } finally {
    await reader.close()
  }
}

/** Serves a corpus on 127.0.0.1 until the process is stopped. */
export async function serveWeb(folder: string, port: number, say: (text: string) => void): Promise<void> {
  const web = await serveCorpus(await loadCorpus(folder), { port })
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
  const reader = await openReader(null)
  try {
    const run = await runToolInput(
      'web_search',
      JSON.stringify({ queries: [query] }),
      standaloneToolEnvironment({ transport: web.transport, search }, reader, {
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
export async function* driftOf(folder: string): AsyncGenerator<string> {
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
