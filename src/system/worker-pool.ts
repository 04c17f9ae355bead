import { existsSync } from 'node:fs'
import { Worker } from 'node:worker_threads'
import { RunError } from '../core/errors.ts'
import { readingLimits } from './reading-limits.ts'

/**
 * Why a worker did not finish a job: it took too long, needed too much memory, or ended by itself. The worker is
 * replaced.
 */
export type WorkerLoss = 'time' | 'memory' | 'crash'

/** The last message of a worker about a job. `memoryBytes` is memory that the worker will not free. */
export interface DoneMessage {
  readonly type: 'done'
  readonly memoryBytes: number
}

/** What a job may take, and who receives its messages. */
interface JobOptions<Message> {
  onMessage(message: Message): void
  /** The job is lost when the worker sends nothing for this long, in milliseconds. */
  readonly silenceMs: number
  /** The job is lost when it is not done after this time, in milliseconds. Time in the queue is not counted. */
  readonly timeoutMs?: number
}

/** Worker threads for one kind of job. */
export interface WorkerPool<Request, Message> {
  /**
   * Runs a job in a thread, when one is free.
   *
   * @returns null when the worker finished the job
   * @throws Error when the pool is closed
   */
  run(request: Request, options: JobOptions<Message>): Promise<WorkerLoss | null>
  close(): Promise<void>
}

/** Settings of `createWorkerPool`. */
interface WorkerPoolOptions {
  /** The path of the module that the workers run, as `builtModule` returns it. */
  readonly module: string
  /** The maximum number of threads. */
  readonly size: number
  /** A worker with more memory than this after a job is replaced. */
  readonly replaceAboveBytes?: number
  /** The limit of a worker's JavaScript objects. The default is `readingLimits.threadMegabytes`. */
  readonly heapMegabytes?: number
}

/** A worker ends with this exit code when it reaches a memory limit of its own, such as that of WebAssembly. */
export const outOfMemoryExit = 77

interface Job<Request, Message> {
  readonly request: Request
  readonly options: JobOptions<Message>
  resolve(loss: WorkerLoss | null): void
  reject(error: Error): void
}

/**
 * Creates a pool of worker threads, which start when they are first needed. Idle workers do not keep the process
 * running. Workers see no environment variables, so that no key of the process can leak from them.
 *
 * @throws RunError `not-built` when the module of the workers does not exist
 */
export function createWorkerPool<Request, Message extends { readonly type: string }>(
  options: WorkerPoolOptions,
): WorkerPool<Request, Message> {
  const { module } = options
  if (!existsSync(module))
    throw new RunError(`${module} is missing. Run: npm run build`, { code: 'not-built' })
  const workers = createWorkerSet(options)
  const queue: Job<Request, Message>[] = []
  let isClosed = false

  function startJobs(): void {
    while (queue.length > 0) {
      const worker = workers.take()
      if (worker === null) return
      void run(worker, queue.shift()!)
    }
  }

  async function run(worker: Worker, job: Job<Request, Message>): Promise<void> {
    const end = await runJob(worker, job)
    const isReusable = 'memoryBytes' in end && end.memoryBytes <= (options.replaceAboveBytes ?? Infinity)
    if (isReusable) workers.putBack(worker)
    else workers.discard(worker)
    if ('memoryBytes' in end) job.resolve(null)
    else if (isClosed) job.reject(closedError())
    else job.resolve(end.loss)
    startJobs()
  }

  return {
    run: (request, jobOptions) =>
      new Promise((resolve, reject) => {
        if (isClosed) return reject(closedError())
        queue.push({ request, options: jobOptions, resolve, reject })
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
function createWorkerSet({ module, size, heapMegabytes }: WorkerPoolOptions) {
  const idle: Worker[] = []
  const workers = new Set<Worker>()

  function start(): Worker {
    const worker = new Worker(module, {
      env: {},
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: heapMegabytes ?? readingLimits.threadMegabytes },
    })
    workers.add(worker)
    // The exit event follows every error and all messages sent before it. Losses are therefore handled at the exit.
    worker.on('error', () => workers.delete(worker))
    worker.on('exit', () => {
      workers.delete(worker)
      const index = idle.indexOf(worker)
      if (index >= 0) idle.splice(index, 1)
    })
    return worker
  }

  return {
    /** Returns an idle worker or a new one; null when all workers are busy. */
    take: (): Worker | null => idle.pop() ?? (workers.size < size ? start() : null),
    putBack(worker: Worker): void {
      worker.unref()
      idle.push(worker)
    },
    discard(worker: Worker): void {
      workers.delete(worker)
      void worker.terminate()
    },
    async close(): Promise<void> {
      await Promise.all([...workers].map(worker => worker.terminate()))
    },
  }
}

type JobEnd = DoneMessage | { readonly loss: WorkerLoss }

/** Sends a job to a worker and passes its messages on, until the job is done or the worker is lost. */
async function runJob<Request, Message extends { readonly type: string }>(
  worker: Worker,
  { request, options }: Job<Request, Message>,
): Promise<JobEnd> {
  return await new Promise(resolve => {
    const { silenceMs, timeoutMs } = options
    const timers: { silence?: NodeJS.Timeout; whole?: NodeJS.Timeout; overdue?: NodeJS.Immediate } = {}
    // Messages that arrived while this thread was busy are read before the worker counts as hung.
    const onTimeout = (): void => {
      timers.overdue = setImmediate(() => end({ loss: 'time' }))
    }
    const restartSilence = (): void => {
      clearTimeout(timers.silence)
      clearImmediate(timers.overdue)
      timers.silence = setTimeout(onTimeout, silenceMs)
    }
    let loss: WorkerLoss = 'crash'
    const onError = (error: NodeJS.ErrnoException): void => {
      if (error.code === 'ERR_WORKER_OUT_OF_MEMORY') loss = 'memory'
    }
    const onExit = (code: number): void => end({ loss: code === outOfMemoryExit ? 'memory' : loss })
    const onMessage = (message: Message): void => {
      if (isDone(message)) end(message)
      else {
        options.onMessage(message)
        restartSilence()
      }
    }
    const end = (jobEnd: JobEnd): void => {
      clearTimeout(timers.silence)
      clearTimeout(timers.whole)
      clearImmediate(timers.overdue)
      worker.off('message', onMessage).off('error', onError).off('exit', onExit)
      resolve(jobEnd)
    }
    worker.on('message', onMessage).on('error', onError).on('exit', onExit)
    worker.ref()
    worker.postMessage(request)
    restartSilence()
    if (timeoutMs !== undefined) timers.whole = setTimeout(() => end({ loss: 'time' }), timeoutMs)
  })
}

function isDone(message: { readonly type: string }): message is DoneMessage {
  return message.type === 'done'
}
