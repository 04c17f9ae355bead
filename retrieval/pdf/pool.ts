import { builtModule } from '../../src/system/paths.ts'
import { readingLimits } from '../../src/system/reading-limits.ts'
import { createWorkerPool, type DoneMessage, type WorkerLoss } from '../../src/system/worker-pool.ts'

/** The pool's request to a worker: read the pages from `firstPage` on, numbered from 1. */
export interface PdfRequest {
  /** The file. The worker replaces it by an empty array when PDFium has a copy, so that the memory can be freed. */
  bytes: Uint8Array
  readonly firstPage: number
  /** The characters of the pages before `firstPage`, which count towards the limit of a document. */
  readonly charsBefore: number
}

/**
 * What a page contains: text, nothing (`blank`), or pictures, outlines or unknown glyphs with little or no text beside them
 * (`image`). A page that could not be loaded is `failed`. A page with too many characters is `too-large`.
 */
export type PdfPageState = 'text' | 'blank' | 'image' | 'failed' | 'too-large'

/** A page that a worker read. */
export interface PdfPage {
  readonly number: number
  readonly text: string
  readonly state: PdfPageState
}

/**
 * A worker's answers, in this order: one `opened`, one `page` for each page, one `done`. `refused` comes in place of
 * `opened`, or before `done` when the document is too large.
 */
export type PdfMessage =
  | { readonly type: 'opened'; readonly pages: number }
  | { readonly type: 'refused'; readonly problem: string }
  | { readonly type: 'page'; readonly page: PdfPage }
  | DoneMessage

/** A page during which a worker was lost. */
export interface LostPage {
  readonly number: number
  readonly loss: WorkerLoss
}

/** The pages of a PDF, or the reason why it could not be opened. */
export interface PdfReading {
  readonly pages: readonly PdfPage[]
  /** Why the document could not be opened; null when it was. */
  readonly refused: string | null
  /** The pages during which a worker ended or hung, and the pages after too many of these. */
  readonly lost: readonly LostPage[]
}

/** Reads PDFs in worker threads. */
export interface PdfPool {
  /** Reads a PDF. Rejects only when the pool is closed. */
  read(bytes: Uint8Array): Promise<PdfReading>
  close(): Promise<void>
}

/** Settings of `createPdfPool`. */
export interface PdfPoolOptions {
  /** The maximum number of threads. */
  readonly workers: number
  /** A worker that sends nothing for this long counts as hung and is replaced. The default is `readingLimits.pdfPageMs`. */
  readonly pageTimeoutMs?: number
  /** The module that a worker runs. Tests use modules of their own. */
  readonly workerModule?: string
}

/** What is known of a document, which is read by one worker after another when workers end or hang. */
interface Progress {
  readonly pages: PdfPage[]
  readonly lost: LostPage[]
  refused: string | null
  nextPage: number
  totalPages: number | null
  textChars: number
}

/** Reading of a document stops after it has ended this many workers. */
const maxLostPages = 5
/** WebAssembly memory never shrinks. A worker with more memory than this is replaced after its document. */
const replaceAboveBytes = 512 * 1024 * 1024

/**
 * Creates a pool of worker threads that read several PDFs at the same time.
 *
 * @throws RunError `not-built` when the module of the workers does not exist
 */
export function createPdfPool(options: PdfPoolOptions): PdfPool {
  const { workers, pageTimeoutMs = readingLimits.pdfPageMs } = options
  const { workerModule = builtModule('retrieval/pdf/worker.js') } = options
  const pool = createWorkerPool<PdfRequest, PdfMessage>({
    module: workerModule,
    size: workers,
    replaceAboveBytes,
  })
  return {
    async read(bytes) {
      const progress: Progress = {
        pages: [],
        lost: [],
        refused: null,
        nextPage: 1,
        totalPages: null,
        textChars: 0,
      }
      let leftMs: number = readingLimits.pdfMs
      for (;;) {
        let openedAt: number | null = null
        const onMessage = (message: PdfMessage): void => {
          openedAt ??= performance.now()
          addMessage(progress, message)
        }
        const request = { bytes, firstPage: progress.nextPage, charsBefore: progress.textChars }
        const loss = await pool.run(request, { onMessage, silenceMs: pageTimeoutMs, timeoutMs: leftMs })
        if (openedAt !== null) leftMs -= performance.now() - openedAt
        const { pages, lost } = progress
        if (loss === null || !skipLostPage(progress, loss, leftMs > 0))
          return { pages, refused: progress.refused, lost }
      }
    },
    close: () => pool.close(),
  }
}

function addMessage(progress: Progress, message: PdfMessage): void {
  if (message.type === 'opened') progress.totalPages = message.pages
  else if (message.type === 'refused') progress.refused = message.problem
  else if (message.type === 'page') {
    progress.pages.push(message.page)
    progress.nextPage = message.page.number + 1
    progress.textChars += message.page.text.length
  }
}

/** Records the page during which a worker was lost. Returns whether later pages are left to read. */
function skipLostPage(progress: Progress, loss: WorkerLoss, hasTime: boolean): boolean {
  const { totalPages, lost } = progress
  lost.push({ number: progress.nextPage++, loss })
  if (totalPages === null) return false
  if (hasTime && progress.nextPage <= totalPages && lost.length < maxLostPages) return true
  for (let number = progress.nextPage; number <= totalPages; number++) lost.push({ number, loss })
  return false
}
