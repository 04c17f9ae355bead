import { parentPort } from 'node:worker_threads'
import { loadPdfium } from '../pdf/pdfium.ts'
import { type RenderedPage, type RenderRequest, renderPages } from './render-pages.ts'

// A page that PDFium hangs on or crashes in takes this thread with it and nothing else.
const port = parentPort
if (port === null) throw new Error('ocr/worker runs as a worker thread')
port.once('message', async (request: RenderRequest) => {
  renderPages(await loadPdfium(), request, (page: RenderedPage) => port.postMessage(page))
  port.close()
})
