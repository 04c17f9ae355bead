import { once } from 'node:events'
import { Worker as Thread } from 'node:worker_threads'
import { builtModule } from '../../system/paths.ts'

/** What the thread receives at its start. */
export interface HeartbeatInput {
  /** redis://… */
  readonly queue: string
  readonly workerId: string
  /** A worker without a heartbeat for this time counts as dead. */
  readonly lifeMs: number
  /** Milliseconds between beats; 2,000 by default. */
  readonly everyMs?: number
}

/** A job of this worker with the token of its lock. `doing`: the key of the attempt that is being made; null before that. */
export interface HeldJob {
  readonly jobId: string
  readonly token: string
  readonly doing: string | null
}

/** A message to the thread. */
export type HeartbeatMessage = { readonly alive: HeldJob } | { readonly ended: string } | 'close'

/**
 * Renews the locks of a worker's jobs. It runs in a separate thread. When a document blocks the main thread
 * for ten seconds, other workers must not take the attempt over.
 */
export interface Heartbeat {
  alive(job: HeldJob): void
  ended(jobId: string): void
  close(): Promise<void>
}

/** Starts the thread of the heartbeat. */
export function startHeartbeat(input: HeartbeatInput, tell: (line: string) => void): Heartbeat {
  const thread = new Thread(builtModule('src/run/queue/heartbeat-thread.js'), { workerData: input })
  thread.on('error', error => tell(`worker: its heartbeat stopped: ${error.message}`))
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
