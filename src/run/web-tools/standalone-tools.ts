import type { DocumentReader } from '../../../retrieval/document-reader.ts'
import type { PageReader } from '../../../tools/page/page-reader.ts'
import type { PageRenderer } from '../../../tools/page/renderer.ts'
import type { ToolEnvironment } from '../../../tools/tool.ts'
import { systemClock } from '../../core/runtime.ts'
import { sha256 } from '../../system/hash.ts'
import { openDocumentReader } from '../open-run/document-side.ts'
import { openCache } from '../open-run/open-cache.ts'
import type { WebAccess } from '../open-run/web.ts'

/** Opens a document reader outside a run. The caller closes it. */
export async function openReader(
  cache: string | null,
  tell?: (line: string) => void,
): Promise<DocumentReader> {
  return openDocumentReader(await openCache({ cache, env: process.env, ...(tell && { tell }) }))
}

/** Returns the environment of a tool outside an attempt: calls are not charged, and texts are not stored. */
export function standaloneToolEnvironment(
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
