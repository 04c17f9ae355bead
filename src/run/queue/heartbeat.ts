import { once } from 'node:events'
import { Worker as Thread } from 'node:worker_threads'
import { builtModule } from '../../system/paths.ts'

/** What the thread is given once. */
export interface HeartbeatInput {
  /** redis://… */
  readonly queue: string
  readonly workerId: string
  /** A worker that does not say that it lives for that long is taken for dead. */
  readonly lifeMs: number
  /** How often it says so. */
  readonly everyMs?: number
}

/** A job that this worker has: its lock, and the mark of the attempt that it makes; null: it makes none yet. */
export interface HeldJob {
  readonly jobId: string
  readonly token: string
  readonly doing: string | null
}

export type HeartbeatMessage = { readonly alive: HeldJob } | { readonly ended: string } | 'close'

/**
 * Says for every job of this worker that the worker lives. From a thread of its own: a document that takes the main thread
 * ten seconds must not make others take the attempt over.
 */
export interface Heartbeat {
  alive(job: HeldJob): void
  ended(jobId: string): void
  close(): Promise<void>
}

export function startHeartbeat(input: HeartbeatInput, tell: (line: string) => void): Heartbeat {
  const thread = new Thread(builtModule('src/run/queue/heartbeat-thread.js'), { workerData: input })
  thread.on('error', error => tell(`worker: its life signs ended: ${error.message}`))
  const post = (message: HeartbeatMessage): void => thread.postMessage(message)
  return {
    alive: job => post({ alive: job }),
    ended: jobId => post({ ended: jobId }),
    async close() {
      const ended = once(thread, 'exit')
      post('close')
      const timer = setTimeout(() => void thread.terminate(), 2_000)
      await ended
      clearTimeout(timer)
    },
  }
}
