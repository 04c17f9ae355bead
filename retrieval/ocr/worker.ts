import { parentPort } from 'node:worker_threads'
import { loadPdfium } from '../pdf/pdfium.ts'
import { openForRendering, type RenderedPage, type RenderRequest } from './render-pages.ts'

// A page that PDFium hangs on or crashes in takes this thread with it and nothing else.
const port = parentPort
if (port === null) throw new Error('ocr/worker runs as a worker thread')
let opened: Promise<(number: number) => RenderedPage>
port.on('message', async (request: RenderRequest) => {
  if ('bytes' in request) opened = loadPdfium().then(pdfium => openForRendering(pdfium, request.bytes))
  else port.postMessage((await opened)(request.page))
})
