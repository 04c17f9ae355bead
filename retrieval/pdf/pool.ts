import { existsSync } from 'node:fs'
import { Worker } from 'node:worker_threads'
import { builtModule } from '../../src/core/paths.ts'
import type { PdfMessage, PdfPage, PdfRequest } from './protocol.ts'

/** A PDF's pages, or why it could not be opened; `lost` pages took the worker that read them with them. */
export interface PdfReading {
  readonly pages: readonly PdfPage[]
  readonly refused: string | null
  readonly lost: readonly number[]
}

export interface PdfPool {
  /** Rejects only when the pool was closed. */
  read(bytes: Uint8Array): Promise<PdfReading>
  close(): Promise<void>
}

export interface PdfPoolOptions {
  readonly workers: number
  /** A worker silent for so long over one page is taken for hung and replaced. */
  readonly pageTimeoutMs?: number
  /** The module a worker runs; another one in tests. */
  readonly workerModule?: string
}

interface Job {
  readonly bytes: Uint8Array
  readonly pages: PdfPage[]
  readonly lost: number[]
  nextPage: number
  totalPages: number | null
  settle(reading: PdfReading): void
  reject(error: Error): void
}

/** A document that took this many workers with it is given up. */
const patience = 5
/** WebAssembly memory never shrinks: a worker that grew beyond this is replaced after its document. */
const memoryLimitBytes = 512 * 1024 * 1024

/** Worker threads that read PDFs side by side, started when first needed; idle ones keep no process alive. */
export function createPdfPool(options: PdfPoolOptions): PdfPool {
  const { workers: size, pageTimeoutMs = 60_000 } = options
  const workerModule = options.workerModule ?? builtModule('retrieval/pdf/worker.js')
  if (!existsSync(workerModule)) throw new Error(`${workerModule} is missing: run 'npm run build' first`)
  const queue: Job[] = []
  const idle: Worker[] = []
  const all = new Set<Worker>()
  let closed = false

  function startNext(): void {
    while (queue.length > 0 && (idle.length > 0 || all.size < size)) {
      const worker = idle.pop() ?? startWorker()
      run(worker, queue.shift()!)
    }
  }

  function startWorker(): Worker {
    const worker = new Worker(workerModule)
    all.add(worker)
    // What it sent before an error comes before its exit, which follows every error: that is where it is dealt with.
    worker.on('error', () => all.delete(worker))
    worker.on('exit', () => {
      all.delete(worker)
      const at = idle.indexOf(worker)
      if (at >= 0) idle.splice(at, 1)
    })
    return worker
  }

  function run(worker: Worker, job: Job): void {
    const request: PdfRequest = { bytes: job.bytes, firstPage: job.nextPage }
    worker.ref()
    worker.postMessage(request)
    let timer: NodeJS.Timeout
    let overdue: NodeJS.Immediate | undefined
    restartTimer()
    const onMessage = (message: PdfMessage): void => {
      stopTimer()
      if (message.type === 'opened') job.totalPages = message.pages
      else if (message.type === 'refused') job.settle({ pages: [], refused: message.problem, lost: [] })
      else if (message.type === 'page') {
        job.pages.push(message.page)
        job.nextPage = message.page.number + 1
      }
      if (message.type === 'done') finished(message.memoryBytes)
      else restartTimer()
    }
    worker.on('message', onMessage)
    worker.once('exit', died)

    // What came while this thread was busy is waiting behind the timer: it is read first.
    function restartTimer(): void {
      timer = setTimeout(() => {
        overdue = setImmediate(died)
      }, pageTimeoutMs)
    }
    function stopTimer(): void {
      clearTimeout(timer)
      clearImmediate(overdue)
    }
    function release(): void {
      stopTimer()
      worker.off('message', onMessage)
      worker.off('exit', died)
    }
    function finished(memoryBytes: number): void {
      release()
      worker.unref()
      if (memoryBytes > memoryLimitBytes) discard(worker)
      else idle.push(worker)
      job.settle({ pages: job.pages, refused: null, lost: job.lost })
      startNext()
    }
    function died(): void {
      release()
      discard(worker)
      if (closed) job.reject(new Error('the document reader was closed'))
      else {
        giveUpPage(job)
        startNext()
      }
    }
  }

  function giveUpPage(job: Job): void {
    job.lost.push(job.nextPage)
    job.nextPage++
    const over = job.totalPages === null || job.nextPage > job.totalPages || job.lost.length >= patience
    if (!over) queue.unshift(job)
    else {
      for (let page = job.nextPage; page <= (job.totalPages ?? 0); page++) job.lost.push(page)
      job.settle({ pages: job.pages, refused: null, lost: job.lost })
    }
  }

  function discard(worker: Worker): void {
    all.delete(worker)
    void worker.terminate()
  }

  return {
    read: bytes =>
      new Promise((settle, reject) => {
        if (closed) return reject(new Error('the document reader was closed'))
        queue.push({ bytes, pages: [], lost: [], nextPage: 1, totalPages: null, settle, reject })
        startNext()
      }),
    async close() {
      closed = true
      for (const job of queue.splice(0)) job.reject(new Error('the document reader was closed'))
      await Promise.all([...all].map(worker => worker.terminate()))
    },
  }
}
