import { parentPort } from 'node:worker_threads'
import type { ReadMessage, ReadRequest } from '../src/system/read-thread.ts'
import { TooLargeError } from '../src/system/reading-limits.ts'

/** A function that reads bytes from outside. Its argument and result can be copied between threads. */
type Reader = (input: never) => unknown

/** The readers by name. Each is loaded when it is first used. */
const readers: Readonly<Record<string, () => Promise<Reader>>> = {
  document: async () => (await import('../retrieval/read-document.ts')).readDocument,
  text: async () => (await import('../retrieval/text/decode.ts')).decodeBody,
  page: async () => (await import('./page/html-page.ts')).readPage,
}

const port = parentPort
if (port === null) throw new Error('read-worker runs only as a worker thread')
const send = (message: ReadMessage): void => port.postMessage(message)

port.on('message', async ({ reader, input }: ReadRequest) => {
  try {
    const reading = await readers[reader]?.()
    if (reading === undefined) throw new Error(`unknown reader '${reader}'`)
    send({ type: 'result', result: await reading(input as never) })
    send({ type: 'done', memoryBytes: 0 })
  } catch (error) {
    send(describeProblem(error))
    // An error in the middle of a library may leave it in a wrong state. The thread is replaced.
    send({ type: 'done', memoryBytes: error instanceof TooLargeError ? 0 : Number.MAX_SAFE_INTEGER })
  }
})

function describeProblem(error: unknown): ReadMessage {
  if (error instanceof TooLargeError) return { type: 'problem', isTooLarge: true, problem: error.what }
  const problem = error instanceof Error ? error.message : String(error)
  // V8 reports recursion without end, and lists of arguments that are too long, in this way.
  const isTooLarge = error instanceof RangeError && /call stack|string length|array length/i.test(problem)
  return isTooLarge
    ? { type: 'problem', isTooLarge, problem: `nested too deeply or too long to read (${problem})` }
    : { type: 'problem', isTooLarge: false, problem }
}
