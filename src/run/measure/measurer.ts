import type { Task } from '../../core/task.ts'
import type { MadeAttempt, MeasuredAttempt, Measurer } from '../attempt/measurer.ts'
import type { FoundLeak, ToolResult } from '../attempt/watch.ts'
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

/** Creates the measurer of a run. Its attempts share indexes of documents. */
export function createMeasurer(options: MeasureOptions): Measurer {
  const measures = createMeasures(options)
  return {
    chunkIndexes: measures.chunkIndexes,
    goldShown: (task, toolResults, resources) => goldShown(task, toolResults, resources, measures),
    measure: (made, resources) => measureMade(made, resources, measures),
    leaveUnmeasured: (made, resources) => leaveMadeUnmeasured(made, resources, measures),
  }
}

/** Searches for gold after the attempt has ended, so that no gold can reach the agent. */
async function goldShown(
  task: Task,
  toolResults: readonly ToolResult[],
  resources: RunResources,
  measures: Measures,
): Promise<FoundLeak[]> {
  if (toolResults.length === 0) return []
  const leaks = scanForGold(toolResults, {
    task,
    documents: await knownDocuments(task, resources, { docs: measures.options.docs }),
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
  const seen = await seenDocumentsOf(
    planned,
    { outcome, toolResults: watch.toolResults, lastRequest: watch.lastRequest },
    resources,
    measures,
  )
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
  const { toolResults, lastRequest, failedFetches, checkpoints } = watch
  return {
    outcome,
    task,
    control,
    toolResults,
    lastRequest,
    failedFetches,
    infrastructureFailures: watch.infrastructureFailures(),
    contextTokens: rag?.contextTokens ?? null,
    seen: null,
    checkpoints,
    tableFormat: tableFormatOf(planned),
    cancelled,
  }
}
