import type { Setting, SettingEnvironment, SettingOutcome } from '../../agents/setting.ts'
import { openTrace } from '../../logs/writer.ts'
import { transportFor } from '../../tools/web/transport.ts'
import { watchFaults } from '../../tools/web/watch-faults.ts'
import type { Answer, Attempt, Termination, Usage } from '../core/attempt.ts'
import type { ModelHandle } from '../core/model.ts'
import type { Score } from '../core/score.ts'
import type { Task } from '../core/task.ts'
import { parseAnswer } from '../score/parse-answer.ts'
import type { RunGrounds } from './grounds.ts'
import { scanForGold } from './leak-scan.ts'
import { type Leak, watchBlocked } from './leaks.ts'
import { knownDocuments, type Measures, measureAttempt, type ToldEvent } from './measure.ts'
import type { PlannedAttempt } from './plan.ts'
import { retrieveFor } from './retrieve.ts'
import { namingRunBudget } from './run-budget.ts'

export interface ExecutedAttempt {
  readonly attempt: Attempt
  readonly scores: readonly Score[]
  readonly answerText: string | null
  /** Its lines of the leak ledger. */
  readonly leaks: readonly Leak[]
}

/** Makes one attempt, with its trace, its measures and its scores. Rejects only for bugs of the run itself. */
export async function executeAttempt(
  planned: PlannedAttempt,
  setting: Setting,
  grounds: RunGrounds,
  measures: Measures,
  cancelled: AbortSignal,
): Promise<ExecutedAttempt> {
  const { task, attemptId } = planned
  const model = grounds.modelFor(planned)
  const allotment = await grounds.allot(planned.setting, model, cancelled)
  const { caps } = allotment
  const spent = { tokens: 0, usd: 0, searchCalls: 0 }
  const startedAt = grounds.clock.now()
  const trace = openTrace({
    folder: grounds.folder,
    attemptId,
    clock: grounds.clock,
    blobs: grounds.blobs,
    secrets: grounds.secrets,
  })
  const { taskId } = task.question
  trace.emit(0, {
    type: 'attempt-started',
    taskId,
    setting: planned.setting,
    model: planned.model,
    trial: planned.trial,
    caps: { ...caps },
  })
  const told: ToldEvent[] = []
  let infrastructureFailures = 0
  const failed = (): void => {
    infrastructureFailures++
  }
  const found: FoundLeak[] = []
  let lastStep = 0
  const blocked = ({ url, rule }: { url: string; rule: string }): void => {
    found.push({ step: Math.max(1, lastStep), how: 'blocked', url, detail: `on the block list: ${rule}` })
  }
  const tell: Tell = (step, event) => {
    lastStep = step
    trace.emit(step, event)
    if (event.type === 'budget-charged' && event.kind in spent)
      spent[event.kind as keyof typeof spent] += event.amount
    if (event.type === 'tool-answered') told.push({ ...event, step })
    if (event.type === 'tool-failed' && event.infrastructure) failed()
  }
  const listeners = { tell, failed, blocked }
  const environment = environmentFor(planned, grounds, model, measures, listeners, cancelled)
  const outcome = await runSetting(setting, task, { ...environment, caps }).finally(() =>
    allotment.settle(spent),
  )
  const termination = namingRunBudget(outcome.termination, allotment)
  found.push(...(await goldShown(task, told, grounds, measures)))
  const leaks = inOrder(found)
  for (const { step, ...leak } of leaks) trace.emit(step, { type: 'leak-found', ...leak })
  const answer = readAnswer(outcome.answerText)
  trace.emit(outcome.termination.lastHealthyStep, {
    type: 'answer-parsed',
    parseStatus: answer.parseStatus,
    rows: answer.rows,
    columns: answer.columns,
  })
  trace.emit(outcome.termination.lastHealthyStep, { type: 'terminated', termination })
  await trace.close()
  const attempt: Attempt = {
    attemptId,
    taskId,
    benchmark: task.question.benchmark,
    domain: task.question.domain,
    language: task.question.language,
    setting: planned.setting,
    variant: planned.variant,
    model: planned.model,
    trial: planned.trial,
    seed: planned.seed,
    startedAt: new Date(startedAt).toISOString(),
    endedAt: new Date(grounds.clock.now()).toISOString(),
    termination,
    usage: outcome.usage,
    answer,
    context: outcome.context,
    discovery: null,
    retrieval: null,
  }
  const measured = await measureAttempt(
    attempt,
    { outcome, task, told, infrastructureFailures, contextTokens: planned.rag?.contextTokens ?? null },
    grounds,
    measures,
  )
  const { setting: name } = planned
  return {
    ...measured,
    answerText: outcome.answerText,
    leaks: leaks.map(leak => ({ attemptId, taskId, setting: name, ...leak })),
  }
}

type Tell = SettingEnvironment['emit']
type FoundLeak = Omit<Leak, 'attemptId' | 'taskId' | 'setting'>

/** Looked for when the attempt is over, so that nothing of it can reach the agent. */
async function goldShown(
  task: Task,
  told: readonly ToldEvent[],
  grounds: RunGrounds,
  measures: Measures,
): Promise<FoundLeak[]> {
  if (told.length === 0) return []
  const leaks = scanForGold(told, {
    task,
    documents: await knownDocuments(task, grounds),
    entries: grounds.web?.entries ?? null,
    textOf: hash => grounds.blobs.get(hash),
    ...measures,
  })
  return leaks.map(leak => ({ ...leak, how: 'canary' }))
}

/** Each once, by step and address: calls that run side by side come in any order. */
function inOrder(leaks: readonly FoundLeak[]): FoundLeak[] {
  const keyOf = (leak: FoundLeak): string => JSON.stringify([leak.how, leak.url, leak.detail])
  const distinct = new Map(leaks.map(leak => [`${leak.step} ${keyOf(leak)}`, leak]))
  return [...distinct.values()].sort((a, b) => a.step - b.step || (keyOf(a) < keyOf(b) ? -1 : 1))
}

interface Listeners {
  readonly tell: Tell
  /** The web or our infrastructure failed, so that the agent could not have done better. */
  failed(): void
  /** A page that publishes the answers was asked for, and refused. */
  blocked(source: { readonly url: string; readonly rule: string }): void
}

function environmentFor(
  planned: PlannedAttempt,
  grounds: RunGrounds,
  model: ModelHandle,
  measures: Measures,
  { tell, failed, blocked }: Listeners,
  cancelled: AbortSignal,
): Omit<SettingEnvironment, 'caps'> {
  const { task } = planned
  return {
    attemptId: planned.attemptId,
    model,
    webPrices: grounds.webPrices,
    tokenWeights: grounds.tokenWeights,
    prompts: grounds.prompts,
    chainOfThought: planned.chainOfThought,
    cutStrategy: grounds.config.cut,
    maxOutputTokens: grounds.config.maxOutputTokens,
    clock: grounds.clock,
    signal: cancelled,
    documents: () => grounds.documents(task),
    retrieve: retrieveOf(planned, grounds, model, measures),
    contextTokens: planned.rag?.contextTokens ?? null,
    ragQuery: grounds.config.ragQuery,
    tools: grounds.tools,
    toolGrounds: {
      ...grounds.toolGrounds,
      transport: watchBlocked(
        watchFaults(transportFor(grounds.toolGrounds.transport, planned.attemptId), failed),
        blocked,
      ),
    },
    onReplayMiss: grounds.config.onReplayMiss,
    emit: tell,
    keepText: text => grounds.blobs.put(text),
    hasTable: text => parseAnswer(text).status === 'table',
  }
}

function retrieveOf(
  planned: PlannedAttempt,
  grounds: RunGrounds,
  model: ModelHandle,
  measures: Measures,
): SettingEnvironment['retrieve'] {
  const { rag } = planned
  if (rag !== null) return retrieveFor({ ...planned, rag }, grounds, model, measures.chunkIndexes)
  return () => {
    throw new Error(`the ${planned.setting} setting retrieves nothing`)
  }
}

async function runSetting(
  setting: Setting,
  task: Task,
  environment: SettingEnvironment,
): Promise<SettingOutcome> {
  try {
    return await setting.run(task.question, environment)
  } catch (error) {
    return {
      answerText: null,
      termination: crashed(error),
      usage: unknownUsage,
      context: null,
      retrieval: null,
      chunks: null,
    }
  }
}

/** A bug must not cost the run: the attempt is unscored and carries what went wrong. */
function crashed(error: unknown): Termination {
  const detail = error instanceof Error ? `${error.name}: ${error.message}` : String(error)
  return {
    cause: 'harness',
    reason: 'crash',
    answerProduced: false,
    forcedFinal: false,
    lastHealthyStep: 0,
    detail,
  }
}

const unknownUsage: Usage = {
  inputTokens: null,
  cachedInputTokens: null,
  outputTokens: null,
  reasoningTokens: null,
  modelCalls: 0,
  searchCalls: 0,
  fetchCalls: 0,
  toolErrors: 0,
  wallMs: 0,
  workingMs: 0,
  usd: null,
  usdModel: null,
  usdSearch: null,
  usdFetch: null,
}

function readAnswer(text: string | null): Answer {
  const parsed = parseAnswer(text ?? '')
  if (parsed.status !== 'table') {
    return { csv: null, rows: null, columns: null, parseStatus: parsed.status, parseNote: parsed.note }
  }
  const { csv, rows, header, note } = parsed
  return { csv, rows: rows.length, columns: [...header], parseStatus: 'table', parseNote: note }
}
