import { parentPort } from 'node:worker_threads'
import { loadPdfium } from './pdfium.ts'
import type { PdfMessage, PdfRequest } from './protocol.ts'
import { readPages } from './read-pages.ts'

// PDFium is synchronous, so a document it hangs on or crashes in takes this thread with it and nothing else.
const port = parentPort
if (port === null) throw new Error('pdf/worker runs as a worker thread')
const loading = loadPdfium()
port.on('message', async (request: PdfRequest) => {
  readPages(await loading, request, (message: PdfMessage) => port.postMessage(message))
})
