import type { Setting, SettingEnvironment, SettingOutcome } from '../../agents/setting.ts'
import { openTrace } from '../../logs/writer.ts'
import { transportFor } from '../../tools/web/transport.ts'
import { watchFaults } from '../../tools/web/watch-faults.ts'
import type { Answer, Attempt, Termination, Usage } from '../core/attempt.ts'
import type { ContextDocument } from '../core/document.ts'
import type { ModelHandle } from '../core/model.ts'
import type { Score } from '../core/score.ts'
import type { Task } from '../core/task.ts'
import { parseAnswer } from '../score/parse-answer.ts'
import type { RunGrounds } from './grounds.ts'
import { type Measures, measureAttempt, type ToldEvent } from './measure.ts'
import type { PlannedAttempt } from './plan.ts'

export interface ExecutedAttempt {
  readonly attempt: Attempt
  readonly scores: readonly Score[]
  readonly answerText: string | null
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
  const startedAt = grounds.clock.now()
  const trace = openTrace({
    folder: grounds.folder,
    attemptId,
    clock: grounds.clock,
    blobs: grounds.blobs,
    secrets: grounds.secrets,
  })
  const model = grounds.modelFor(planned)
  const caps = grounds.capsFor(planned.setting)
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
  const tell: Tell = (step, event) => {
    trace.emit(step, event)
    if (event.type === 'tool-answered') told.push({ ...event, step })
    if (event.type === 'tool-failed' && event.infrastructure) failed()
  }
  const outcome = await runSetting(
    setting,
    task,
    environmentFor(planned, grounds, model, { tell, failed }, cancelled),
  )
  const answer = readAnswer(outcome.answerText)
  trace.emit(outcome.termination.lastHealthyStep, {
    type: 'answer-parsed',
    parseStatus: answer.parseStatus,
    rows: answer.rows,
    columns: answer.columns,
  })
  trace.emit(outcome.termination.lastHealthyStep, { type: 'terminated', termination: outcome.termination })
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
    termination: outcome.termination,
    usage: outcome.usage,
    answer,
    context: outcome.context,
    discovery: null,
    retrieval: null,
  }
  const measured = await measureAttempt(
    attempt,
    { outcome, task, told, infrastructureFailures },
    grounds,
    measures,
  )
  return { ...measured, answerText: outcome.answerText }
}

type Tell = SettingEnvironment['emit']

interface Listeners {
  readonly tell: Tell
  /** The web or our infrastructure failed, so that the agent could not have done better. */
  failed(): void
}

function environmentFor(
  planned: PlannedAttempt,
  grounds: RunGrounds,
  model: ModelHandle,
  { tell, failed }: Listeners,
  cancelled: AbortSignal,
): SettingEnvironment {
  const { task } = planned
  return {
    attemptId: planned.attemptId,
    model,
    caps: grounds.capsFor(planned.setting),
    prompts: grounds.prompts,
    chainOfThought: planned.chainOfThought,
    cutStrategy: grounds.config.cut,
    maxOutputTokens: grounds.config.maxOutputTokens,
    clock: grounds.clock,
    signal: cancelled,
    documents: () => grounds.documents(task),
    retrieve: (documents: readonly ContextDocument[], signal) =>
      grounds.retrieve(task.question, documents, signal),
    tools: grounds.tools,
    toolGrounds: {
      ...grounds.toolGrounds,
      transport: watchFaults(transportFor(grounds.toolGrounds.transport, planned.attemptId), failed),
    },
    onReplayMiss: grounds.config.onReplayMiss,
    emit: tell,
    keepText: text => grounds.blobs.put(text),
    hasTable: text => parseAnswer(text).status === 'table',
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
