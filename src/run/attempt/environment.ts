import type { SettingEnvironment } from '../../../agents/setting.ts'
import { transportFor } from '../../../tools/web/transport.ts'
import { watchFaults } from '../../../tools/web/watch-faults.ts'
import type { ModelHandle } from '../../core/model.ts'
import { goldsOf } from '../../core/task.ts'
import { hasAnswer } from '../../score/kinds/registry.ts'
import { type PlannedAttempt, tableFormatOf } from '../plan/plan.ts'
import { watchBlocked } from '../records/leaks.ts'
import type { RunResources } from '../resources/run-resources.ts'
import { controlledEnvironment } from './controls/online-base.ts'
import type { Measurer } from './measurer.ts'
import { retrieveFor } from './retrieve.ts'
import type { AttemptWatch } from './watch.ts'

/** What the setting of one attempt is given, its caps aside. */
export function environmentFor(
  planned: PlannedAttempt,
  resources: RunResources,
  model: ModelHandle,
  { chunkIndexes }: Measurer,
  watch: AttemptWatch,
  cancelled: AbortSignal,
): Omit<SettingEnvironment, 'caps'> {
  const { task } = planned
  const { config, toolGrounds } = resources
  const ownTransport = transportFor(toolGrounds.transport, planned.attemptId)
  return {
    attemptId: planned.attemptId,
    model,
    webPrices: resources.webPrices,
    tokenWeights: resources.tokenWeights,
    prompts: resources.prompts.get(planned.prompts)!,
    chainOfThought: planned.chainOfThought,
    cutStrategy: config.cut,
    maxOutputTokens: config.maxOutputTokens,
    clock: resources.clock,
    signal: cancelled,
    documents: () => resources.documents(task, tableFormatOf(planned)),
    retrieve: retrieveOf(planned, resources, model, chunkIndexes),
    options: planned.options ?? {},
    contextTokens: planned.rag?.contextTokens ?? null,
    ragQuery: config.ragQuery,
    checkpointTokens: config.checkpointTokens,
    shadowModel: () => resources.modelFor({ ...planned, setting: 'checkpoint' }),
    tools: resources.tools,
    toolGrounds: {
      ...toolGrounds,
      transport: watchBlocked(watchFaults(ownTransport, watch.failed), watch.blocked),
    },
    onReplayMiss: config.onReplayMiss,
    emit: watch.tell,
    keepText: text => resources.blobs.put(text),
    ...controlledEnvironment(planned, resources),
    hasAnswer: lastAnswer((text, turn) => hasAnswer(text, goldsOf(task)[turn] ?? task.gold)),
  }
}

function retrieveOf(
  planned: PlannedAttempt,
  resources: RunResources,
  model: ModelHandle,
  chunkIndexes: Measurer['chunkIndexes'],
): SettingEnvironment['retrieve'] {
  const { rag } = planned
  if (rag !== null) return retrieveFor({ ...planned, rag }, resources, model, chunkIndexes)
  return () => {
    throw new Error(`the ${planned.setting} setting retrieves nothing`)
  }
}

/** Remembers the last text: an attempt's final answer is asked about several times in a row. */
function lastAnswer(ask: SettingEnvironment['hasAnswer']): SettingEnvironment['hasAnswer'] {
  let last: { readonly text: string; readonly turn: number; readonly answer: boolean } | null = null
  return (text, turn) => {
    if (last?.text !== text || last.turn !== turn) last = { text, turn, answer: ask(text, turn) }
    return last.answer
  }
}
