import { parentPort, workerData } from 'node:worker_threads'
import type { DocumentTable } from '../../core/task.ts'
import { openTableDatabase } from './table-database.ts'

/** What the thread of a query receives. */
export interface QueryInput {
  readonly tables: readonly DocumentTable[]
  readonly sql: string
  readonly maxRows: number
}

const { tables, sql, maxRows } = workerData as QueryInput
const database = await openTableDatabase(tables)
parentPort!.postMessage('ready')
try {
  parentPort!.postMessage({ result: database.query(sql, maxRows) })
} catch (error) {
  parentPort!.postMessage({ problem: error instanceof Error ? error.message : String(error) })
}
