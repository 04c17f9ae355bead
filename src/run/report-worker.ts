import { parentPort, workerData } from 'node:worker_threads'
import { DataError } from '../core/errors.ts'
import type { Task } from '../core/task.ts'
import { type AttemptElement, attemptElement } from '../report/html/attempt-element.ts'
import type { RunScorers } from '../report/model/metrics.ts'
import { type RecordPlaces, readWhole } from './records/summaries.ts'
import { traceSource } from './records/trace-source.ts'

/** What a worker needs to know about the run. */
export interface ReportWorkerData {
  readonly folder: string
  readonly scorers: RunScorers
}

/** Attempts whose elements a worker makes. */
export interface ElementsRequest {
  readonly attempts: readonly {
    readonly attemptId: string
    readonly places: RecordPlaces
    readonly task: Task | null
  }[]
  readonly withTrace: boolean
}

/** The answer to a request: the elements in the same order, or the error that stopped the worker. */
export type ElementsAnswer =
  | { readonly elements: readonly AttemptElement[] }
  | { readonly error: unknown; readonly code: string | null }

const port = parentPort
if (port === null) throw new Error('run/report-worker runs only as a worker thread')
const { folder, scorers } = workerData as ReportWorkerData
const traces = traceSource(folder)

async function elementsOf({ attempts, withTrace }: ElementsRequest): Promise<AttemptElement[]> {
  const elements: AttemptElement[] = []
  for (const { attemptId, places, task } of attempts) {
    const input = { ...readWhole(folder, places), attemptId, task, scorers }
    elements.push(await attemptElement(input, withTrace ? traces : undefined))
  }
  return elements
}

port.on('message', async (request: ElementsRequest) => {
  try {
    port.postMessage({ elements: await elementsOf(request) } satisfies ElementsAnswer)
  } catch (error) {
    // An error loses its class and its code on the way to another thread.
    const code = error instanceof DataError ? error.code : null
    port.postMessage({ error, code } satisfies ElementsAnswer)
  }
})
