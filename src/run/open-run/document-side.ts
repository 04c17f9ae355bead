import { join } from 'node:path'
import type { VersionedReader } from '../../../retrieval/document-reader.ts'
import type { Retrieval } from '../../../retrieval/retrieval.ts'
import type { ContextDocument } from '../../core/document.ts'
import type { Task } from '../../core/task.ts'
import type { CloseLater } from './close-all.ts'
import { makeDocumentSource, makePathFinder } from './documents.ts'
import type { OpeningInput } from './opening-input.ts'

/** The documents of a run's tasks. */
export interface DocumentSide {
  /**
   * Loads a task's documents. `tableFormat` is the format of documents that are tables; the default is the
   * run's first.
   */
  documents(task: Task, tableFormat?: string): Promise<readonly ContextDocument[]>
  /** Returns the path of a task's document in the folder of documents; null when it is not a file there. */
  documentFile(task: Task, hint: string): Promise<string | null>
  /** Returns the retrieval of a retriever of the run. */
  retrieval(retriever: string): Retrieval
}

interface DocumentSideInput extends OpeningInput {
  /** The folder of `openCache`. */
  readonly cache: string
}

/** Opens the reader of documents, and for rag the retrievers, which share one vector store. */
export async function openDocumentSide(
  { config, cache, env, clock, tell }: DocumentSideInput,
  closeLater: CloseLater,
): Promise<DocumentSide & { readonly reader: VersionedReader }> {
  const reader = await openDocumentReader(cache)
  closeLater(reader)
  const retrievals = config.setting.includes('rag')
    ? await (await import('../../../retrieval/retrieval.ts')).createRetrievals(config.retriever, {
        embedder: config.embedder,
        vectorStore: config.vectorStore,
        chromaUrl: config.chroma,
        cacheFolder: cache,
        environment: env,
        clock,
        progress: throttleLines(tell, clock.now),
      })
    : null
  closeLater(retrievals)
  return {
    reader,
    documentFile: makePathFinder(config.docs),
    documents: makeDocumentSource(reader, config.docs, config.tableFormat[0]),
    retrieval(retriever) {
      if (retrievals === null) throw new Error('a run without the rag setting has no retrieval')
      return retrievals.get(retriever)
    },
  }
}

/**
 * Opens the reader of documents, with tesseract if it is installed.
 *
 * @param cache the folder of `openCache`, below which texts of documents and images are stored
 */
export async function openDocumentReader(cache: string): Promise<VersionedReader> {
  const { createDocumentReader } = await import('../../../retrieval/document-reader.ts')
  const { findTesseract } = await import('../../../retrieval/ocr/tesseract.ts')
  // Tesseract answers while the caller opens other resources. The first use of the reader reports a failure.
  const ocr = findTesseract(join(cache, 'ocr'))
  ocr.catch(() => undefined)
  return createDocumentReader({ cacheFolder: join(cache, 'documents'), ocr: () => ocr })
}

/** A long embedding reports each batch; one line every ten seconds is enough. */
const progressEveryMs = 10_000

function throttleLines(tell: (line: string) => void, now: () => number): (line: string) => void {
  let reportedAt = now()
  return line => {
    if (now() - reportedAt < progressEveryMs) return
    reportedAt = now()
    tell(line)
  }
}
