import { existsSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import { DataError } from '../core/errors.ts'
import type { Task } from '../core/task.ts'
import type { AttemptElement, MakeElements } from '../report/html/attempt-element.ts'
import type { RunScorers } from '../report/model/metrics.ts'
import { builtModule } from '../system/paths.ts'
import type { RunSummaries } from './records/summaries.ts'
import type { ElementsAnswer, ElementsRequest, ReportWorkerData } from './report-worker.ts'

/** A run whose attempts are shown. */
export interface PooledRun {
  readonly folder: string
  readonly scorers: RunScorers
  readonly tasks: ReadonlyMap<string, Task>
  readonly taskIdOf: ReadonlyMap<string, string>
  readonly placesOf: RunSummaries['placesOf']
}

/** Makes the elements of attempts in worker threads. */
export interface ReportPool {
  readonly makeElements: MakeElements
  close(): Promise<void>
}

/** More threads would not be faster, because one thread writes the file. */
const mostWorkers = 4
const workerModule = builtModule('src/run/report-worker.js')

/** Whether this machine can make elements in threads: it has two cores, and the worker's module is built. */
export function canPool(): boolean {
  return availableParallelism() > 1 && existsSync(workerModule)
}

/** Starts the workers. */
export function createReportPool(run: PooledRun): ReportPool {
  const data: ReportWorkerData = { folder: run.folder, scorers: run.scorers }
  const size = Math.min(mostWorkers, availableParallelism())
  const workers = Array.from({ length: size }, () => new Worker(workerModule, { workerData: data }))
  const idle = [...workers]
  const waiting: ((worker: Worker) => void)[] = []
  const take = async (): Promise<Worker> =>
    idle.pop() ?? (await new Promise(resolve => waiting.push(resolve)))
  const putBack = (worker: Worker): void => {
    const next = waiting.shift()
    if (next === undefined) idle.push(worker)
    else next(worker)
  }
  return {
    async makeElements(ids, withTrace) {
      const worker = await take()
      const attempts = ids.map(attemptId => ({
        attemptId,
        places: run.placesOf(attemptId),
        task: run.tasks.get(run.taskIdOf.get(attemptId) ?? '') ?? null,
      }))
      const elements = await ask(worker, { attempts, withTrace })
      putBack(worker)
      return elements
    },
    async close() {
      await Promise.all(workers.map(worker => worker.terminate()))
    },
  }
}

async function ask(worker: Worker, request: ElementsRequest): Promise<readonly AttemptElement[]> {
  return await new Promise((resolve, reject) => {
    const end = (settle: () => void): void => {
      worker.off('message', onMessage).off('error', onError).off('exit', onExit)
      settle()
    }
    const onMessage = (answer: ElementsAnswer): void =>
      end(() => ('elements' in answer ? resolve(answer.elements) : reject(errorOf(answer))))
    const onError = (error: Error): void => end(() => reject(error))
    const onExit = (): void => end(() => reject(new Error('a thread of the report ended')))
    worker.on('message', onMessage).on('error', onError).on('exit', onExit)
    worker.postMessage(request)
  })
}

function errorOf({ error, code }: Extract<ElementsAnswer, { error: unknown }>): unknown {
  return code === null ? error : new DataError((error as Error).message, { code })
}
