import { Worker } from 'node:worker_threads'
import { builtModule } from '../paths.ts'
import type { QueryInput } from './query-thread.ts'
import { SqlError, type SqlResult } from './table-database.ts'

/** The limits of a query. */
export interface QueryLimits {
  readonly maxRows: number
  /** A query that runs longer is stopped. Loading the tables does not count. */
  readonly maxMs: number
  readonly signal: AbortSignal
}

type Message = 'ready' | { readonly result: SqlResult } | { readonly problem: string }

/**
 * Runs one query on tables in a thread of its own, which is stopped when the query takes too long.
 *
 * @throws SqlError when the query fails, would write, or takes too long
 * @throws the reason of the aborted signal
 */
export async function runQuery(
  tables: QueryInput['tables'],
  sql: string,
  { maxRows, maxMs, signal }: QueryLimits,
): Promise<SqlResult> {
  signal.throwIfAborted()
  const input: QueryInput = { tables, sql, maxRows }
  const thread = new Worker(builtModule('src/system/sql/query-thread.js'), {
    workerData: input,
    resourceLimits: { maxOldGenerationSizeMb: 512 },
  })
  let timer: NodeJS.Timeout | undefined
  let stop: (() => void) | undefined
  try {
    return await new Promise<SqlResult>((resolve, reject) => {
      stop = () => reject(signal.reason as Error)
      signal.addEventListener('abort', stop, { once: true })
      const fail = (problem: string): void => reject(new SqlError(problem))
      thread.on('message', (message: Message) => {
        if (message === 'ready')
          timer = setTimeout(() => fail(`the query was stopped after ${maxMs / 1_000} seconds`), maxMs)
        else if ('result' in message) resolve(message.result)
        else fail(message.problem)
      })
      thread.on('error', error => fail(error.message))
    })
  } finally {
    clearTimeout(timer)
    if (stop !== undefined) signal.removeEventListener('abort', stop)
    await thread.terminate()
  }
}
