import { isatty } from 'node:tty'
import type { Clock } from '../core/runtime.ts'

/** How long running attempts may continue after the first Ctrl-C. */
export const graceMs = 10_000

/** The signals by which an operator stops a run. */
export interface Interrupt {
  /** Aborts at the first Ctrl-C: no new attempts. */
  readonly stopping: AbortSignal
  /** Aborts ten seconds later, at the second Ctrl-C, at SIGTERM, or when the terminal closes: running attempts are cancelled. */
  readonly cancelled: AbortSignal
  dispose(): void
}

/** Whether standard input, output or error is a terminal. */
const onTerminal = (): boolean => [0, 1, 2].some(isatty)

/**
 * Listens to Ctrl-C, SIGTERM and SIGHUP during a run. A closed terminal ends a run that uses the terminal. A run under
 * `nohup` without a terminal continues: Node handles SIGHUP although `nohup` ignores it, so the handler must ignore it.
 *
 * @param onStopping called at the first Ctrl-C
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
      // A third Ctrl-C ends the process at once.
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
