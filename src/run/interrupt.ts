import type { Clock } from '../core/runtime.ts'

/** How long running attempts may go on after the first Ctrl-C. */
export const graceMs = 10_000

export interface Interrupt {
  /** Aborts at the first Ctrl-C: no new attempts. */
  readonly stopping: AbortSignal
  /** Aborts ten seconds later, at the second Ctrl-C, or at SIGTERM: running attempts end now. */
  readonly cancelled: AbortSignal
  dispose(): void
}

/** Listens to Ctrl-C and SIGTERM while a run goes. */
export function listenForInterrupt(clock: Clock, onStopping: () => void): Interrupt {
  const stopping = new AbortController()
  const cancelled = new AbortController()
  const disposed = new AbortController()
  const cancel = (): void => {
    stopping.abort(new Error('stopped by the operator'))
    cancelled.abort(new Error('stopped by the operator'))
  }
  const interrupted = (): void => {
    if (stopping.signal.aborted) {
      cancel()
      // A third one ends the process, whatever keeps it.
      process.off('SIGINT', interrupted)
      return
    }
    stopping.abort(new Error('stopped by the operator'))
    onStopping()
    clock.sleep(graceMs, disposed.signal).then(cancel, () => undefined)
  }
  process.on('SIGINT', interrupted)
  process.on('SIGTERM', cancel)
  return {
    stopping: stopping.signal,
    cancelled: cancelled.signal,
    dispose() {
      disposed.abort()
      process.off('SIGINT', interrupted)
      process.off('SIGTERM', cancel)
    },
  }
}
