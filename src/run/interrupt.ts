import { isatty } from 'node:tty'
import type { Clock } from '../core/runtime.ts'

/** How long running attempts may go on after the first Ctrl-C. */
export const graceMs = 10_000

export interface Interrupt {
  /** Aborts at the first Ctrl-C: no new attempts. */
  readonly stopping: AbortSignal
  /** Aborts ten seconds later, at the second Ctrl-C, at SIGTERM, or when the terminal closes: running attempts end now. */
  readonly cancelled: AbortSignal
  dispose(): void
}

/** Whether standard input, output or error stands on a terminal. */
const onTerminal = (): boolean => [0, 1, 2].some(isatty)

/**
 * Listens to Ctrl-C, SIGTERM and SIGHUP while a run goes. A closed terminal ends a run that has something of it. One that
 * has nothing goes on: whoever begins a run under `nohup` means it to, and Node takes the signal up again that `nohup` took away.
 */
export function listenForInterrupt(
  clock: Clock,
  onStopping: () => void,
  hasTerminal = onTerminal(),
): Interrupt {
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
  const hungUp = (): void => {
    if (hasTerminal) cancel()
  }
  process.on('SIGTERM', cancel)
  process.on('SIGHUP', hungUp)
  return {
    stopping: stopping.signal,
    cancelled: cancelled.signal,
    dispose() {
      disposed.abort()
      process.off('SIGINT', interrupted)
      process.off('SIGTERM', cancel)
      process.off('SIGHUP', hungUp)
    },
  }
}
