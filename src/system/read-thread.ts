import { builtModule } from './paths.ts'
import { readingLimits, TooLargeError } from './reading-limits.ts'
import { createWorkerPool, type DoneMessage, type WorkerPool } from './worker-pool.ts'

/** A request to a reading thread: the name of a reader in `tools/read-worker.ts`, and its argument. */
export interface ReadRequest {
  readonly reader: string
  readonly input: unknown
}

/** The answer of a reading thread, before its `done`. */
export type ReadMessage =
  | { readonly type: 'result'; readonly result: unknown }
  | { readonly type: 'problem'; readonly isTooLarge: boolean; readonly problem: string }
  | DoneMessage

/** Two, so that a page that takes long does not delay all others. */
const threads = 2

let pool: WorkerPool<ReadRequest, ReadMessage> | null = null

/**
 * Calls a reader in a thread of its own, with limits of time and memory, so that no page or document can stop the
 * program. The threads start with the first call and are kept.
 *
 * @param reader the name of a reader in `tools/read-worker.ts`
 * @param input the argument of the reader, which is copied to the thread
 * @throws TooLargeError when the reading exceeds a limit
 * @throws Error when the reader failed
 */
export async function readInThread<Result>(reader: string, input: unknown): Promise<Result> {
  pool ??= createWorkerPool({
    module: builtModule('tools/read-worker.js'),
    size: threads,
    replaceAboveBytes: 0,
  })
  let answer: ReadMessage | null = null
  const loss = await pool.run(
    { reader, input },
    {
      silenceMs: readingLimits.documentMs,
      onMessage: message => {
        answer = message
      },
    },
  )
  return readResult<Result>(answer, loss)
}

function readResult<Result>(answer: ReadMessage | null, loss: string | null): Result {
  if (answer?.type === 'result') return answer.result as Result
  if (answer?.type === 'problem')
    throw answer.isTooLarge ? new TooLargeError(answer.problem) : new Error(answer.problem)
  if (loss === 'time')
    throw new TooLargeError(`reading took more than ${readingLimits.documentMs / 1000} seconds`)
  if (loss === 'memory')
    throw new TooLargeError(`reading needed more than ${readingLimits.threadMegabytes} MB`)
  throw new Error('the reading thread ended unexpectedly')
}
