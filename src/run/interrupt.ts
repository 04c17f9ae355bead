import { isatty } from 'node:tty'
import type { Clock } from '../core/runtime.ts'
import type { StopCause } from './records/manifest.ts'

/** How long running attempts may continue after the first Ctrl-C. */
export const graceMs = 10_000

/** The reason of an abort by a signal. */
class OperatorStop extends Error {
  override readonly name = 'OperatorStop'

  readonly stoppedBy: StopCause

  constructor(stoppedBy: StopCause) {
    super('stopped by the operator')
    this.stoppedBy = stoppedBy
  }
}

/** Returns what aborted a run. */
export const readStopCause = ({ reason }: AbortSignal): StopCause =>
  reason instanceof OperatorStop ? reason.stoppedBy : 'caller'

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
  const cancel = (signal: StopCause): void => {
    stopping.abort(new OperatorStop(signal))
    cancelled.abort(new OperatorStop(signal))
  }
  const interrupted = (): void => {
    if (stopping.signal.aborted) {
      cancel('SIGINT')
      // A third Ctrl-C ends the process at once.
      process.off('SIGINT', interrupted)
      return
    }
    stopping.abort(new OperatorStop('SIGINT'))
    onStopping()
    clock.sleep(graceMs, disposed.signal).then(
      () => cancel('SIGINT'),
      () => undefined,
    )
  }
  process.on('SIGINT', interrupted)
  const hungUp = (): void => {
    if (hasTerminal) cancel('SIGHUP')
  }
  const terminated = (): void => cancel('SIGTERM')
  process.on('SIGTERM', terminated)
  process.on('SIGHUP', hungUp)
  return {
    stopping: stopping.signal,
    cancelled: cancelled.signal,
    dispose() {
      disposed.abort()
      process.off('SIGINT', interrupted)
      process.off('SIGTERM', terminated)
      process.off('SIGHUP', hungUp)
    },
  }
}
