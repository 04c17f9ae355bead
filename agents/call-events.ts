import { AsyncLocalStorage } from 'node:async_hooks'

/**
 * Events of tool calls that run side by side, written in the order of the calls, so that equal attempts have equal
 * traces. The first open call writes as it goes; the others' events wait for it.
 */
export interface CallEvents {
  /** Runs one call; all that it reports, however deep, is filed under it. */
  run<T>(call: number, work: () => Promise<T>): Promise<T>
  /** Files an action that writes an event; outside any call it is done at once. */
  file(write: () => void): void
  /** Writes what is still waiting: the turn is over, or was cut short. */
  flush(): void
}

/** The call that the code now running works for. One for all attempts: each store makes every promise of the process dearer. */
const current = new AsyncLocalStorage<{ queue: (() => void)[]; index: number }>()

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
