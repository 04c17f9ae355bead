import { contextTokens, fillContext } from '../../../agents/chunk-prompt.ts'
import type { SettingEnvironment } from '../../../agents/setting.ts'
import { hasAnswer } from '../../../tasks/kinds/answer-kinds.ts'
import { watchFaults } from '../../../tools/web/faults.ts'
import { transportFor } from '../../../tools/web/transport.ts'
import type { RunConfig } from '../../config.ts'
import type { BudgetCaps } from '../../core/budget.ts'
import type { ModelHandle } from '../../core/model.ts'
import { listGolds } from '../../core/task.ts'
import { seedFromText } from '../../system/hash.ts'
import type { RunResources } from '../open-run/open-resources.ts'
import { findTaskEvidence } from '../open-run/task-evidence.ts'
import { findTableFormat, type PlannedAttempt } from '../plan/plan.ts'
import { watchBlocked } from '../records/leaks.ts'
import { makeControlledEnvironment } from './controls/online-base.ts'
import { ragControlOrders } from './controls/rag-controls.ts'
import type { AttemptMeasures } from './measure-attempt.ts'
import type { AttemptWatch } from './watch.ts'

/** An attempt that begins, with what it needs. */
interface BegunAttempt {
  readonly planned: PlannedAttempt
  readonly options: RunConfig
  readonly resources: RunResources
  readonly model: ModelHandle
  readonly measures: AttemptMeasures
  readonly watch: AttemptWatch
  readonly cancelled: AbortSignal
  readonly caps: BudgetCaps
  /** Receives the documents without text that the setting is given, by name with the problem. */
  readonly withoutText: Map<string, string>
}

/** Returns the environment of a setting for one attempt. */
export function makeEnvironment(begun: BegunAttempt): SettingEnvironment {
  const { planned, options, resources, model, watch, caps, withoutText } = begun
  const { task } = planned
  const agent = planned.values?.agent as string | undefined
  const { shared, webPrices } = resources.searchedWeb(planned.values?.search as string | undefined)
  const attemptTransport = transportFor(shared.transport, planned.attemptId)
  const controlled = makeControlledEnvironment(planned, resources)
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
    caps,
    async documents() {
      const documents = await (controlled.documents?.() ??
        resources.documents(task, findTableFormat(planned)))
      for (const { hint, text, problem } of documents)
        if (text === '') withoutText.set(hint, problem ?? 'no text')
      return documents
    },
    documentFile: hint => resources.documentFile(task, hint),
    retrieve: makeRetrieve(begun),
    options: planned.values ?? {},
    ...(agent === undefined ? {} : { agent: resources.agents.get(agent) }),
    contextTokens: planned.rag?.contextTokens ?? null,
    ragQuery: options.ragQuery,
    checkpointTokens: options.checkpointTokens,
    shadowModel: () => resources.modelFor({ ...planned, setting: 'checkpoint' }),
    ...makeGoalReader(begun),
    tools: resources.tools,
    sharedToolEnvironment: {
      ...resources.sharedToolEnvironment,
      search: shared.search,
      questionLanguage: task.question.language,
      transport: watchBlocked(watchFaults(attemptTransport, watch.failed), watch.blocked),
    },
    onReplayMiss: options.onReplayMiss,
    agentProxy: options.agentProxy ? { modelHosts: options.agentModelHost } : null,
    emit: watch.tell,
    keepText: text => resources.blobs.put(text),
    ...(controlled.transcript === undefined ? {} : { transcript: controlled.transcript }),
    hasAnswer: makeAnswerKeeper((text, turn) => hasAnswer(text, listGolds(task)[turn] ?? task.gold)),
  }
}

function makeGoalReader({ planned, resources }: BegunAttempt): Partial<SettingEnvironment> {
  if (planned.values?.goalReading !== true) return {}
  return {
    goalReader() {
      const attempt = { ...planned, setting: 'reader' }
      const reader = resources.readerFor(attempt)
      const name = resources.readerName ?? planned.model
      return { model: reader ?? resources.modelFor(attempt), name, isOther: reader !== null }
    },
  }
}

/** Remembers the last result, because the final answer of an attempt is checked several times in a row. */
function makeAnswerKeeper(ask: SettingEnvironment['hasAnswer']): SettingEnvironment['hasAnswer'] {
  let last: { readonly text: string; readonly turn: number; readonly answer: boolean } | null = null
  return (text, turn) => {
    if (last?.text !== text || last.turn !== turn) last = { text, turn, answer: ask(text, turn) }
    return last.answer
  }
}

/** The number of chunks in the AOE paper, and a lower bound of tokens per chunk with which a context of any size is filled. */
const leastDepth = 250
const leastChunkTokens = 64

/**
 * Returns the function that retrieves the chunks of an attempt of the rag setting. It is the retriever, or a
 * control that fills a context of the same size. Controls may use gold; the setting receives only chunks.
 */
function makeRetrieve({ planned, resources, model, measures }: BegunAttempt): SettingEnvironment['retrieve'] {
  const { task, rag, seed, setting } = planned
  if (rag === null)
    return () => {
      throw new Error(`setting ${setting} has no retrieval`)
    }
  const { question } = task
  // Null: the number of chunks of the retriever's preset.
  const depth =
    rag.contextTokens === null ? null : Math.max(leastDepth, Math.ceil(rag.contextTokens / leastChunkTokens))
  return async (documents, signal, { queries, relevance }) => {
    const retrieval = resources.retrieval(rag.retriever)
    const request = { depth, relevance, ...(queries === null ? {} : { queries }) }
    const retrieved = await retrieval.retrieve(question, documents, signal, request)
    if (rag.control === null) return retrieved
    const countTokens = (text: string): number => model.countTokens(text)
    const ordered = ragControlOrders[rag.control]({
      chunks: await retrieval.chunks(documents),
      retrieved: retrieved.chunks,
      // Unknown evidence reaches only controls that do not need it: checkOptions refuses the others.
      evidence: findTaskEvidence(task, setting) ?? [],
      indexes: measures.chunkIndexes,
      // Each task has its own seed, so that tasks do not draw the same positions.
      seed: seedFromText(JSON.stringify([question.taskId, seed])),
    })
    const budget = rag.contextTokens ?? contextTokens(retrieved.chunks, countTokens)
    const chunks = fillContext(ordered, budget, countTokens)
    return { chunks, retriever: rag.control, embedder: retrieved.embedder, k: chunks.length }
  }
}
