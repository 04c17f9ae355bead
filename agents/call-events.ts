import { AsyncLocalStorage } from 'node:async_hooks'

/**
 * Writes the events of parallel tool calls in the order of the calls, so that equal attempts have equal traces. The first
 * unfinished call writes its events immediately. The events of later calls wait for it.
 */
export interface CallEvents {
  /** Runs one call. All events that it causes belong to it. */
  run<T>(call: number, work: () => Promise<T>): Promise<T>
  /** Writes an event in the order of the calls; immediately when no call is running. */
  file(write: () => void): void
  /** Writes all waiting events. Call it at the end of a turn. */
  flush(): void
}

/**
 * The call that the running code belongs to. All attempts share it, because each AsyncLocalStorage slows every
 * promise down.
 */
const current = new AsyncLocalStorage<{ queue: (() => void)[]; index: number }>()

/** Creates the event order of one attempt. */
export function createCallEvents(): CallEvents {
  let calls: { queue: (() => void)[]; done: boolean }[] = []
  let head = 0
  const advance = (): void => {
    for (; head < calls.length; head++) {
      const call = calls[head]
      for (const write of call?.queue.splice(0) ?? []) write()
      if (call === undefined || !call.done) return
    }
  }
  const slot = (index: number) => (calls[index] ??= { queue: [], done: false })
  return {
    async run(index, work) {
      const call = slot(index)
      try {
        return await current.run({ queue: call.queue, index }, work)
      } finally {
        call.done = true
        advance()
      }
    },
    file(write) {
      const call = current.getStore()
      if (call === undefined || call.index === head || calls[call.index]?.queue !== call.queue) write()
      else call.queue.push(write)
    },
    flush() {
      for (const call of calls) for (const write of call?.queue.splice(0) ?? []) write()
      calls = []
      head = 0
    },
  }
}
