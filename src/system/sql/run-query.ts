import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import PQueue from 'p-queue'
import type { DocumentTable } from '../../core/task.ts'
import { builtModule } from '../paths.ts'
import { SqlError, type SqlResult } from './table-database.ts'

/** A query of tables. */
export interface QueryRequest {
  readonly tables: readonly DocumentTable[]
  readonly sql: string
  /** Further rows are not read. */
  readonly maxRows: number
}

/** The message of the worker thread. */
export type QueryOutcome = { readonly result: SqlResult } | { readonly problem: string }

/** How a query is stopped. */
interface QueryLimits {
  readonly timeoutMs: number
  readonly signal: AbortSignal
}

/** Queries that run at the same time, each in a thread with its own copy of the tables. */
const threads = new PQueue({ concurrency: availableParallelism() })

/**
 * Runs one query in a thread of its own, which is stopped when the time is over. A query cannot change the tables.
 *
 * @throws SqlError with a message for the author of the query, or the reason of the aborted signal
 *
 * @example
 * const tables = [{ name: 'rivers', columns: ['name', 'km'], rows: [['Rhine', 1230]] }]
 * const sql = 'SELECT name FROM rivers WHERE km > 1000'
 * const { rows } = await runQuery({ tables, sql, maxRows: 100 }, { timeoutMs: 10_000, signal })
 */
export async function runQuery(request: QueryRequest, limits: QueryLimits): Promise<SqlResult> {
  return await threads.add(() => runInThread(request, limits))
}

async function runInThread(request: QueryRequest, { timeoutMs, signal }: QueryLimits): Promise<SqlResult> {
  signal.throwIfAborted()
  const worker = new Worker(builtModule('src/system/sql/query-worker.js'), { workerData: request, env: {} })
  let timer: NodeJS.Timeout | undefined
  let stop: (() => void) | undefined
  try {
    const outcome = await new Promise<QueryOutcome>((resolve, reject) => {
      const tooLong = `the query was stopped after ${timeoutMs / 1_000} seconds. Write one that reads fewer rows`
      timer = setTimeout(() => resolve({ problem: tooLong }), timeoutMs)
      stop = () => reject(signal.reason)
      signal.addEventListener('abort', stop)
      worker.on('message', resolve)
      worker.on('error', reject)
      worker.on('exit', () => resolve({ problem: 'the database ran out of memory' }))
    })
    if ('problem' in outcome) throw new SqlError(outcome.problem)
    return outcome.result
  } finally {
    clearTimeout(timer)
    if (stop !== undefined) signal.removeEventListener('abort', stop)
    await worker.terminate()
  }
}
