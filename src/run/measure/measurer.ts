import type { Task } from '../../core/task.ts'
import type { MadeAttempt, MeasuredAttempt, Measurer } from '../attempt/measurer.ts'
import type { FoundLeak, ToldEvent } from '../attempt/watch.ts'
import { tableFormatOf } from '../plan/plan.ts'
import { storeSeenDocuments } from '../records/seen-documents.ts'
import type { RunResources } from '../resources/run-resources.ts'
import { scanForGold } from './leak-scan.ts'
import {
  type AttemptToMeasure,
  createMeasures,
  knownDocuments,
  leaveUnmeasured,
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
    leaveUnmeasured: (made, resources) => leaveMadeUnmeasured(made, resources, measures),
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
  made: MadeAttempt,
  resources: RunResources,
  measures: Measures,
): Promise<MeasuredAttempt> {
  const { planned, outcome, record, watch } = made
  const seen = await seenDocumentsOf(planned, { outcome, told: watch.told }, resources, measures)
  const seenHash = seen === null ? null : storeSeenDocuments(seen, resources.blobs)
  const toMeasure = { ...toMeasureOf(made), seen }
  return { ...(await measureAttempt(record, toMeasure, resources, measures)), seenHash }
}

async function leaveMadeUnmeasured(
  made: MadeAttempt,
  resources: RunResources,
  measures: Measures,
): Promise<MeasuredAttempt> {
  const left = await leaveUnmeasured(made.record, toMeasureOf(made), resources, measures)
  return { ...left, seenHash: null }
}

function toMeasureOf({ planned, outcome, watch, cancelled }: MadeAttempt): AttemptToMeasure {
  const { task, control, rag } = planned
  const { told, failedFetches, checkpoints } = watch
  return {
    outcome,
    task,
    control,
    told,
    failedFetches,
    infrastructureFailures: watch.infrastructureFailures(),
    contextTokens: rag?.contextTokens ?? null,
    seen: null,
    checkpoints,
    tableFormat: tableFormatOf(planned),
    cancelled,
  }
}
