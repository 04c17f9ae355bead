import { parentPort, workerData } from 'node:worker_threads'
import type { QueryOutcome, QueryRequest } from './run-query.ts'
import { openTableDatabase, SqlError } from './table-database.ts'

// SQLite runs a query to its end. In a thread of its own, a query that never ends can be stopped.
const port = parentPort
if (port === null) throw new Error('sql/query-worker runs only as a worker thread')
const { tables, sql, maxRows } = workerData as QueryRequest
port.postMessage(await runQuery())

async function runQuery(): Promise<QueryOutcome> {
  try {
    const database = await openTableDatabase(tables)
    return { result: database.query(sql, maxRows) }
  } catch (error) {
    if (error instanceof SqlError) return { problem: error.message }
    throw error
  }
}
