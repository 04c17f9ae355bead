import type { Task } from '../../core/task.ts'
import type { MadeAttempt, MeasuredAttempt, Measurer } from '../attempt/measurer.ts'
import type { FoundLeak, ToldEvent } from '../attempt/watch.ts'
import { tableFormatOf } from '../plan/plan.ts'
import { storeSeenDocuments } from '../records/seen-documents.ts'
import type { RunResources } from '../resources/run-resources.ts'
import { scanForGold } from './leak-scan.ts'
import {
  createMeasures,
  knownDocuments,
  type MeasureOptions,
  type Measures,
  measureAttempt,
  seenDocumentsOf,
} from './measure.ts'

/** Measures the attempts of one run; keeps the indexes of documents that they share. */
export function createMeasurer(options: MeasureOptions): Measurer {
  const measures = createMeasures(options)
  return {
    chunkIndexes: measures.chunkIndexes,
    goldShown: (task, told, resources) => goldShown(task, told, resources, measures),
    measure: (made, resources) => measureMade(made, resources, measures),
  }
}

/** Gold that tools showed; looked for when the attempt is over, so that nothing of it can reach the agent. */
async function goldShown(
  task: Task,
  told: readonly ToldEvent[],
  resources: RunResources,
  measures: Measures,
): Promise<FoundLeak[]> {
  if (told.length === 0) return []
  const leaks = scanForGold(told, {
    task,
    documents: await knownDocuments(task, resources, measures.options),
    entries: resources.web?.entries ?? null,
    textOf: hash => resources.blobs.get(hash),
    ...measures,
  })
  return leaks.map(leak => ({ ...leak, how: 'canary' }))
}

async function measureMade(
  { planned, outcome, record, watch }: MadeAttempt,
  resources: RunResources,
  measures: Measures,
): Promise<MeasuredAttempt> {
  const { task, control, rag } = planned
  const { told, failedFetches, checkpoints } = watch
  const seen = await seenDocumentsOf(planned, { outcome, told }, resources, measures)
  const seenHash = seen === null ? null : storeSeenDocuments(seen, resources.blobs)
  const infrastructureFailures = watch.infrastructureFailures()
  const contextTokens = rag?.contextTokens ?? null
  const measured = await measureAttempt(
    { ...record, ...watch.toolFailures() },
    {
      outcome,
      task,
      control,
      told,
      failedFetches,
      infrastructureFailures,
      contextTokens,
      seen,
      checkpoints,
      tableFormat: tableFormatOf(planned),
    },
    resources,
    measures,
  )
  return { ...measured, seenHash }
}
