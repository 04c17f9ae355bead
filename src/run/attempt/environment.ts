import type { SettingEnvironment } from '../../../agents/setting.ts'
import { hasAnswer } from '../../../tasks/kinds/answer-kinds.ts'
import { watchFaults } from '../../../tools/web/faults.ts'
import { transportFor } from '../../../tools/web/transport.ts'
import type { RunConfig } from '../../config.ts'
import type { ModelHandle } from '../../core/model.ts'
import { goldsOf } from '../../core/task.ts'
import { type PlannedAttempt, tableFormatOf } from '../plan/plan.ts'
import { watchBlocked } from '../records/leaks.ts'
import type { RunResources } from '../resources/run-resources.ts'
import { controlledEnvironment } from './controls/online-base.ts'
import type { Measurer } from './measurer.ts'
import { retrieveFor } from './retrieve.ts'
import type { AttemptWatch } from './watch.ts'

/** The options that settings receive. */
export type EnvironmentOptions = Pick<
  RunConfig,
  | 'agentModelHost'
  | 'agentProxy'
  | 'checkpointTokens'
  | 'cut'
  | 'maxOutputTokens'
  | 'onReplayMiss'
  | 'ragQuery'
>

/** An attempt that begins, with what it needs. */
interface BegunAttempt {
  readonly planned: PlannedAttempt
  readonly options: EnvironmentOptions
  readonly resources: RunResources
  readonly model: ModelHandle
  readonly measurer: Pick<Measurer, 'chunkIndexes'>
  readonly watch: AttemptWatch
  readonly cancelled: AbortSignal
}

/** Returns the environment of a setting for one attempt, without the caps. */
export function environmentFor(begun: BegunAttempt): Omit<SettingEnvironment, 'caps'> {
  const { planned, options, resources, model, watch } = begun
  const { task } = planned
  const { sharedToolEnvironment } = resources
  const { shared, webPrices } = resources.searchedWeb(planned.values?.search as string | undefined)
  const ownTransport = transportFor(shared.transport, planned.attemptId)
  return {
    attemptId: planned.attemptId,
    model,
    webPrices,
    tokenWeights: resources.tokenWeights,
    prompts: resources.prompts.get(planned.prompts)!,
    chainOfThought: planned.chainOfThought,
    cutStrategy: options.cut,
    maxOutputTokens: options.maxOutputTokens,
    clock: resources.clock,
    signal: begun.cancelled,
    documents: () => resources.documents(task, tableFormatOf(planned)),
    documentFile: hint => resources.documentFile(task, hint),
    retrieve: retrieveOf(begun),
    options: planned.values ?? {},
    ...agentOf(planned, resources),
    contextTokens: planned.rag?.contextTokens ?? null,
    ragQuery: options.ragQuery,
    checkpointTokens: options.checkpointTokens,
    shadowModel: () => resources.modelFor({ ...planned, setting: 'checkpoint' }),
    ...goalReaderOf(begun),
    tools: resources.tools,
    sharedToolEnvironment: {
      ...sharedToolEnvironment,
      search: shared.search,
      questionLanguage: task.question.language,
      transport: watchBlocked(watchFaults(ownTransport, watch.failed), watch.blocked),
    },
    onReplayMiss: options.onReplayMiss,
    agentProxy: options.agentProxy ? { modelHosts: options.agentModelHost } : null,
    emit: watch.tell,
    keepText: text => resources.blobs.put(text),
    ...controlledEnvironment(planned, resources),
    hasAnswer: lastAnswer((text, turn) => hasAnswer(text, goldsOf(task)[turn] ?? task.gold)),
  }
}

function goalReaderOf({ planned, resources }: BegunAttempt): Pick<SettingEnvironment, 'goalReader'> {
  if (planned.values?.goalReading !== true) return {}
  return {
    goalReader() {
      const attempt = { ...planned, setting: 'reader' }
      const other = resources.readerFor(attempt)
      const name = resources.readerName ?? planned.model
      return { model: other ?? resources.modelFor(attempt), name, isOther: other !== null }
    },
  }
}

function agentOf(
  { values = {} }: PlannedAttempt,
  { agents }: RunResources,
): Pick<SettingEnvironment, 'agent'> {
  const given = values.agent as string | undefined
  return given === undefined ? {} : { agent: agents.get(given) }
}

function retrieveOf({ planned, resources, model, measurer }: BegunAttempt): SettingEnvironment['retrieve'] {
  const { rag } = planned
  if (rag !== null) return retrieveFor({ ...planned, rag }, resources, model, measurer.chunkIndexes)
  return () => {
    throw new Error(`setting ${planned.setting} has no retrieval`)
  }
}

/** Remembers the last result, because the final answer of an attempt is checked several times in a row. */
function lastAnswer(ask: SettingEnvironment['hasAnswer']): SettingEnvironment['hasAnswer'] {
  let last: { readonly text: string; readonly turn: number; readonly answer: boolean } | null = null
  return (text, turn) => {
    if (last?.text !== text || last.turn !== turn) last = { text, turn, answer: ask(text, turn) }
    return last.answer
  }
}
