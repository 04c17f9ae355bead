import type { DocumentReader } from '../../../retrieval/document-reader.ts'
import type { PageReader } from '../../../tools/page/page-reader.ts'
import type { PageRenderer } from '../../../tools/page/renderer.ts'
import type { ToolEnvironment } from '../../../tools/tool.ts'
import { type CommandConfig, completeOptions, parseOptions } from '../../config.ts'
import { systemClock } from '../../core/runtime.ts'
import { sha256 } from '../../system/hash.ts'
import { openTogether } from '../open-run/close-all.ts'
import { readCorpusInput } from '../open-run/corpus-input.ts'
import { openDocumentReader } from '../open-run/document-side.ts'
import { openPageGate } from '../open-run/gates.ts'
import { openCache } from '../open-run/open-cache.ts'
import { openPageReader, openRenderer } from '../open-run/page-access.ts'
import { openWeb, type WebAccess, withOneSearch } from '../open-run/web.ts'

/** Opens a document reader outside a run. The caller closes it. */
export async function openReader(tell?: (line: string) => void): Promise<DocumentReader> {
  return openDocumentReader(await openCache({ cache: null, env: process.env, ...(tell && { tell }) }))
}

/** The web that options name, outside a run. */
interface StandaloneWeb {
  readonly config: CommandConfig
  /** Returns an environment whose tools share their downloads. */
  createEnvironment(): ToolEnvironment
  close(): Promise<void>
}

/**
 * Opens the web that options name, with the readers of its pages. The caller closes it.
 *
 * @param options as those of `run`
 * @param searches whether searches are expected, so that a missing key is an error at once
 */
export async function openStandaloneWeb(
  options: Readonly<Record<string, unknown>>,
  searches: boolean,
  tell: (line: string) => void,
): Promise<StandaloneWeb> {
  const config = completeOptions(parseOptions(options))
  const { env } = process
  return await openTogether(async closeLater => {
    const reader = await openDocumentReader(await openCache({ cache: config.cache, env, tell }))
    closeLater(reader)
    const renderer = await openRenderer(config.browser, env, tell)
    closeLater(renderer)
    const corpus = () => readCorpusInput({ config, tasks: [], distractors: null, tell }, reader)
    const gates = { page: openPageGate(config) }
    const web = await openWeb({ config: withOneSearch(config), env, searches, corpus, gates })
    closeLater(web)
    const pageReader = openPageReader(config, env)
    const createEnvironment = () => makeStandaloneEnvironment(web, reader, { renderer, pageReader })
    return { config, createEnvironment }
  })
}

/** Returns the environment of a tool outside an attempt: calls are not charged, and texts are not stored. */
export function makeStandaloneEnvironment(
  web: WebAccess,
  reader: DocumentReader,
  page: { renderer: PageRenderer | null; pageReader: PageReader },
): ToolEnvironment {
  return {
    transport: web.transport,
    search: web.search,
    scholar: web.scholar ?? null,
    reader,
    ...page,
    clock: systemClock,
    signal: new AbortController().signal,
    charge: () => undefined,
    retried: () => undefined,
    keepText: sha256,
  }
}
