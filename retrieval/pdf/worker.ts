import { parentPort } from 'node:worker_threads'
import { loadPdfium } from './pdfium.ts'
import type { PdfMessage, PdfRequest } from './pool.ts'
import { readPages } from './read-pages.ts'

// PDFium is synchronous and may hang or crash on a document. In a thread of its own, it cannot stop the program.
const port = parentPort
if (port === null) throw new Error('pdf/worker runs only as a worker thread')
const loading = loadPdfium()
port.on('message', async (request: PdfRequest) => {
  readPages(await loading, request, (message: PdfMessage) => port.postMessage(message))
})
