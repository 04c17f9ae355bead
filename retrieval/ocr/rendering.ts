import { Worker } from 'node:worker_threads'
import { builtModule } from '../../src/system/paths.ts'
import type { PageImage, PageImageRequest } from './render-pages.ts'

const defaultTimeoutMs = 60_000
/** After the loss of this many threads, the document's remaining pages are not rendered. */
const maxLostThreads = 5

/** A rendered page. `late` is true when the thread crashed or took too long over this page. */
export type Rendered = PageImage & { readonly late: boolean }

/** Settings of `renderedPages`. The defaults suit every document; tests set their own. */
export interface RenderingOptions {
  readonly pageTimeoutMs?: number
  /** The module that the thread runs. */
  readonly workerModule?: string
}

/**
 * Renders pages of a PDF as images in a separate thread, one at a time, in the order of `pages`. When the thread
 * crashes or hangs, the page is marked `late` and a new thread renders the pages after it.
 */
export async function* renderPages(
  bytes: Uint8Array,
  pages: readonly number[],
  options: RenderingOptions = {},
): AsyncGenerator<Rendered> {
  const { pageTimeoutMs = defaultTimeoutMs, workerModule = builtModule('retrieval/ocr/worker.js') } = options
  let thread: RenderingThread | null = null
  let lostThreads = 0
  try {
    for (const number of pages) {
      if (lostThreads >= maxLostThreads) {
        yield { number, image: null, late: true }
        continue
      }
      thread ??= startThread(workerModule, bytes)
      const page = await thread.render(number, pageTimeoutMs)
      if (page === null) {
        lostThreads++
        await thread.stop()
        thread = null
      }
      yield page === null ? { number, image: null, late: true } : { ...page, late: false }
    }
  } finally {
    await thread?.stop()
  }
}

interface RenderingThread {
  /** Returns null when the thread has ended or does not answer within `timeoutMs`. One call at a time. */
  render(number: number, timeoutMs: number): Promise<PageImage | null>
  stop(): Promise<void>
}

function startThread(module: string, bytes: Uint8Array): RenderingThread {
  const worker = new Worker(module, { env: {} })
  let ended = false
  let settle: (page: PageImage | null) => void = () => undefined
  // These listeners stay for the thread's whole life. `removeAllListeners` would also remove Node's own listeners, and
  // without those a later 'message' listener receives nothing.
  worker.on('message', (page: PageImage) => settle(page))
  for (const event of ['error', 'exit']) {
    worker.on(event, () => {
      ended = true
      settle(null)
    })
  }
  worker.postMessage({ bytes } satisfies PageImageRequest)
  return {
    render: async (number, timeoutMs) => {
      let timer: NodeJS.Timeout | undefined
      const answer = new Promise<PageImage | null>(resolve => {
        settle = resolve
        // An answer that arrived while this thread was busy is read before the page counts as late.
        timer = setTimeout(() => setImmediate(() => resolve(null)), timeoutMs)
      })
      if (ended) settle(null)
      else worker.postMessage({ page: number } satisfies PageImageRequest)
      return await answer.finally(() => clearTimeout(timer))
    },
    stop: async () => {
      await worker.terminate()
    },
  }
}
