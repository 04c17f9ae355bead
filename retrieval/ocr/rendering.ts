import { Worker } from 'node:worker_threads'
import { builtModule } from '../../src/core/paths.ts'
import type { RenderedPage, RenderRequest } from './render-pages.ts'

const defaultTimeoutMs = 60_000
/** A document over which this many threads died is given up. */
const patience = 5

/** A page's image; null: none can be made of it. `late`: the thread died or hung over it. */
export type Rendered = RenderedPage & { readonly late: boolean }

/**
 * Images of a PDF's pages, made in a thread of its own, one at a time and in the order asked for. A page over which the
 * thread dies or hangs is late; those behind it are made by another thread.
 */
export async function* renderedPages(
  bytes: Uint8Array,
  pages: readonly number[],
  options: { readonly pageTimeoutMs?: number; readonly workerModule?: string } = {},
): AsyncGenerator<Rendered> {
  const { pageTimeoutMs = defaultTimeoutMs, workerModule = builtModule('retrieval/ocr/worker.js') } = options
  let worker: Worker | null = null
  let deaths = 0
  try {
    for (const number of pages) {
      if (deaths >= patience) {
        yield { number, image: null, late: true }
        continue
      }
      worker ??= openedWorker(workerModule, bytes)
      const page = await pageOf(worker, number, pageTimeoutMs)
      if (page === null) {
        deaths++
        await worker.terminate()
        worker = null
      }
      yield page === null ? { number, image: null, late: true } : { ...page, late: false }
    }
  } finally {
    await worker?.terminate()
  }
}

function openedWorker(module: string, bytes: Uint8Array): Worker {
  const worker = new Worker(module)
  worker.postMessage({ bytes } satisfies RenderRequest)
  return worker
}

/** Null where the thread died or took too long. */
async function pageOf(worker: Worker, number: number, timeoutMs: number): Promise<RenderedPage | null> {
  let timer: NodeJS.Timeout | undefined
  try {
    return await new Promise<RenderedPage | null>(resolve => {
      worker.once('message', resolve)
      worker.once('error', () => resolve(null))
      worker.once('exit', () => resolve(null))
      // What came while this thread was busy is waiting behind the timer: it is read first.
      timer = setTimeout(() => setImmediate(() => resolve(null)), timeoutMs)
      worker.postMessage({ page: number } satisfies RenderRequest)
    })
  } finally {
    clearTimeout(timer)
    worker.removeAllListeners()
  }
}
