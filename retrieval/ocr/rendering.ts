import { Worker } from 'node:worker_threads'
import { builtModule } from '../../src/core/paths.ts'
import type { RenderedPage, RenderRequest } from './render-pages.ts'

const pageTimeoutMs = 60_000

/**
 * Images of a PDF's pages, made in a thread of its own, in the order asked for. Ends early where the thread dies or
 * hangs over a page: that page and those behind it are left out.
 */
export async function* renderedPages(
  bytes: Uint8Array,
  pages: readonly number[],
): AsyncGenerator<RenderedPage> {
  const worker = new Worker(builtModule('retrieval/ocr/worker.js'))
  const arrived: RenderedPage[] = []
  let ended = false
  let wake: () => void = () => undefined
  worker.on('message', (page: RenderedPage) => {
    arrived.push(page)
    wake()
  })
  // Its exit follows every error, and is what counts.
  worker.on('error', () => wake())
  worker.on('exit', () => {
    ended = true
    wake()
  })
  worker.postMessage({ bytes, pages } satisfies RenderRequest)
  try {
    for (let left = pages.length; left > 0; left--) {
      if (arrived.length === 0 && !ended) {
        let timer: NodeJS.Timeout | undefined
        await new Promise<void>(resolve => {
          wake = resolve
          timer = setTimeout(resolve, pageTimeoutMs)
        })
        clearTimeout(timer)
      }
      const page = arrived.shift()
      if (page === undefined) return
      yield page
    }
  } finally {
    await worker.terminate()
  }
}
