/**
 * What the work comes to, or the signal's reason as soon as it aborts: work that does not heed the signal is left behind,
 * and may go on for others who wait for it.
 */
export function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(signal.reason as Error)
    if (signal.aborted) stop()
    else signal.addEventListener('abort', stop, { once: true })
    const over = (): void => signal.removeEventListener('abort', stop)
    work.then(
      value => {
        over()
        resolve(value)
      },
      (error: unknown) => {
        over()
        reject(error)
      },
    )
  })
}
