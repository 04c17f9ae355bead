import { existsSync } from 'node:fs'
import { Worker } from 'node:worker_threads'
import { RunError } from '../../src/core/errors.ts'
import { builtModule } from '../../src/system/paths.ts'
import type { PdfMessage, PdfPage, PdfRequest } from './protocol.ts'

/** The pages of a PDF, or the reason why it could not be opened. */
export interface PdfReading {
  readonly pages: readonly PdfPage[]
  /** Why the document could not be opened; null when it was. */
  readonly refused: string | null
  /** Numbers of the pages during which a worker ended or hung. */
  readonly lost: readonly number[]
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
  /** A worker that sends nothing for this long counts as hung and is replaced. The default is 60,000. */
  readonly pageTimeoutMs?: number
  /** The module that a worker runs. Tests use modules of their own. */
  readonly workerModule?: string
}

/** A document that is read, by one worker after another when workers end or hang. */
interface Job {
  readonly bytes: Uint8Array
  readonly pages: PdfPage[]
  readonly lost: number[]
  refused: string | null
  nextPage: number
  totalPages: number | null
  resolve(reading: PdfReading): void
  reject(error: Error): void
}

/** Reading of a document stops after it has ended this many workers. */
const maxLostPages = 5
/** WebAssembly memory never shrinks. A worker with more memory than this is replaced after its document. */
const memoryLimitBytes = 512 * 1024 * 1024

/**
 * Creates a pool of worker threads that read several PDFs at the same time. Workers start when they are first needed,
 * and idle workers do not keep the process running.
 *
 * @throws RunError `not-built` when the module of the workers does not exist
 */
export function createPdfPool(options: PdfPoolOptions): PdfPool {
  const { workers: size, pageTimeoutMs = 60_000 } = options
  const { workerModule = builtModule('retrieval/pdf/worker.js') } = options
  if (!existsSync(workerModule))
    throw new RunError(`${workerModule} is missing. Run: npm run build`, { code: 'not-built' })
  const queue: Job[] = []
  const workers = createWorkerSet(workerModule, size)
  let isClosed = false

  function startJobs(): void {
    while (queue.length > 0) {
      const worker = workers.take()
      if (worker === null) return
      void run(worker, queue.shift()!)
    }
  }

  async function run(worker: Worker, job: Job): Promise<void> {
    const memoryBytes = await runJob(worker, job, pageTimeoutMs)
    const isReusable = memoryBytes !== null && memoryBytes <= memoryLimitBytes
    if (isReusable) workers.putBack(worker)
    else workers.discard(worker)
    if (memoryBytes !== null) finish(job)
    else if (isClosed) job.reject(closedError())
    else if (skipLostPage(job)) queue.unshift(job)
    else finish(job)
    startJobs()
  }

  return {
    read: bytes =>
      new Promise((resolve, reject) => {
        if (isClosed) return reject(closedError())
        const progress = { pages: [], lost: [], refused: null, nextPage: 1, totalPages: null }
        queue.push({ bytes, ...progress, resolve, reject })
        startJobs()
      }),
    async close() {
      isClosed = true
      for (const job of queue.splice(0)) job.reject(closedError())
      await workers.close()
    },
  }
}

function closedError(): Error {
  return new Error('the document reader was closed')
}

/** Manages up to `size` workers. */
function createWorkerSet(workerModule: string, size: number) {
  const idle: Worker[] = []
  const all = new Set<Worker>()

  function start(): Worker {
    const worker = new Worker(workerModule)
    all.add(worker)
    // The exit event follows every error and all messages sent before it. Losses are therefore handled at the exit.
    worker.on('error', () => all.delete(worker))
    worker.on('exit', () => {
      all.delete(worker)
      const index = idle.indexOf(worker)
      if (index >= 0) idle.splice(index, 1)
    })
    return worker
  }

  return {
    /** Returns an idle worker or a new one; null when all workers are busy. */
    take: (): Worker | null => idle.pop() ?? (all.size < size ? start() : null),
    putBack(worker: Worker): void {
      worker.unref()
      idle.push(worker)
    },
    discard(worker: Worker): void {
      all.delete(worker)
      void worker.terminate()
    },
    async close(): Promise<void> {
      await Promise.all([...all].map(worker => worker.terminate()))
    },
  }
}

/**
 * Sends the rest of a job to a worker and adds the answers to the job.
 *
 * @returns the bytes of memory of the worker; null when the worker ended or hung
 */
async function runJob(worker: Worker, job: Job, pageTimeoutMs: number): Promise<number | null> {
  return await new Promise(resolve => {
    let timer: NodeJS.Timeout
    let overdue: NodeJS.Immediate | undefined
    const stopTimer = (): void => {
      clearTimeout(timer)
      clearImmediate(overdue)
    }
    const restartTimer = (): void => {
      stopTimer()
      // Messages that arrived while this thread was busy are read before the worker counts as hung.
      timer = setTimeout(() => {
        overdue = setImmediate(() => end(null))
      }, pageTimeoutMs)
    }
    const onExit = (): void => end(null)
    const onMessage = (message: PdfMessage): void => {
      addMessage(job, message)
      if (message.type === 'done') end(message.memoryBytes)
      else restartTimer()
    }
    const end = (memoryBytes: number | null): void => {
      stopTimer()
      worker.off('message', onMessage)
      worker.off('exit', onExit)
      resolve(memoryBytes)
    }
    worker.on('message', onMessage)
    worker.once('exit', onExit)
    worker.ref()
    worker.postMessage({ bytes: job.bytes, firstPage: job.nextPage } satisfies PdfRequest)
    restartTimer()
  })
}

function addMessage(job: Job, message: PdfMessage): void {
  if (message.type === 'opened') job.totalPages = message.pages
  else if (message.type === 'refused') job.refused = message.problem
  else if (message.type === 'page') {
    job.pages.push(message.page)
    job.nextPage = message.page.number + 1
  }
}

/** Records the page during which a worker was lost. Returns whether later pages are left to read. */
function skipLostPage(job: Job): boolean {
  job.lost.push(job.nextPage)
  job.nextPage++
  const { totalPages, nextPage, lost } = job
  if (totalPages !== null && nextPage <= totalPages && lost.length < maxLostPages) return true
  for (let page = nextPage; page <= (totalPages ?? 0); page++) lost.push(page)
  return false
}

function finish({ pages, refused, lost, resolve }: Job): void {
  resolve({ pages, refused, lost })
}
