import { parentPort } from 'node:worker_threads'
import { loadPdfium } from '../pdf/pdfium.ts'
import { openForRendering, type PageImage, type PageImageRequest } from './render-pages.ts'

// PDFium may hang or crash on a page. In a thread of its own, it cannot stop the rest of the program.
const port = parentPort
if (port === null) throw new Error('ocr/worker runs only as a worker thread')
let opened: Promise<(number: number) => PageImage>
port.on('message', async (request: PageImageRequest) => {
  if ('bytes' in request) opened = loadPdfium().then(pdfium => openForRendering(pdfium, request.bytes))
  else port.postMessage((await opened)(request.page))
})
