import { z } from 'zod/v4'
import {
  type ForeignAttempt,
  type ForeignEnd,
  mapped,
  type ReadLog,
  unmapped,
  unreportedFields,
} from './foreign-log.ts'
import { readJsonLog } from './json-records.ts'
import { millisecondsBetween, optionalText, readTime } from './message-parts.ts'
import {
  endByItself,
  exceptionEnd,
  hasAnswer,
  type MiroLog,
  type MiroStep,
  miroLogFields,
  miroLogSchema,
  readTaskId,
} from './miro-log.ts'
import { readMiroMessages, withHelpers } from './miro-messages.ts'
import { findProviderFailure } from './provider-words.ts'
import { countKinds } from './tool-kinds.ts'

/** A task log of MiroThinker: `task_ID_attempt-N_format-retry-R_TIME.json`. */
const recordSchema = miroLogSchema.extend({
  env_info: z.looseObject({ llm_model_name: optionalText }).nullish().catch(null),
})
type TaskLog = z.infer<typeof recordSchema>

/** Retries add a summary of earlier attempts to the question. */
const retryHeading = /\n*=== Previous Attempts Analysis ===[\s\S]*$/

const isModelStep = ({ step_name: name }: MiroStep): boolean =>
  /LLM \| (?:Response Status|API Error|Timeout Error)$/.test(name)

/** Returns the failure of the last model call; null when it was answered. */
function lastCallFailure(steps: readonly MiroStep[]): ForeignEnd | null {
  const last = steps.findLast(isModelStep)
  if (last === undefined || last.step_name.endsWith('Response Status')) return null
  const words = `${last.step_name.replace(/^\W+/, '')}: ${last.message}`
  if (last.step_name.endsWith('Timeout Error')) return mapped({ cause: 'provider', reason: 'timeout' }, words)
  const failure = findProviderFailure(last.message)
  const isNamedFailure = failure !== null && ['rate-limited', 'auth'].includes(failure.reason)
  return mapped(isNamedFailure ? failure : { cause: 'provider', reason: 'unavailable' }, words)
}

/** Ends of the loop by words in its steps, in order of precedence. */
const loopEnds: readonly (readonly [RegExp, Parameters<typeof mapped>[0]])[] = [
  [/consecutive refusals/i, { cause: 'agent', reason: 'refused' }],
  [/Too Many Rollbacks|consecutive MCP format errors/i, { cause: 'agent', reason: 'no-progress' }],
  // 'Max Turns Reached / Context Limit Reached' follows every end of the loop.
  [/\| Context Limit Reached$/m, { cause: 'budget', reason: 'context-window' }],
  [/Max Turns Reached/, { cause: 'budget', reason: 'model-calls' }],
]

function readEnd(log: MiroLog): ForeignEnd {
  const { status, error, step_logs: steps } = log
  if (status === 'failed' || (error ?? '').trim() !== '') return exceptionEnd(log)
  if (status !== 'success') return unmapped(`status: ${status ?? null}`)
  const failure = lastCallFailure(steps)
  if (failure !== null) return failure
  const forcedFinal = steps.some(step => step.step_name.includes('Final Summary (attempt'))
  for (const [pattern, end] of loopEnds) {
    const step = steps.find(logStep => pattern.test(logStep.step_name) || pattern.test(logStep.message))
    if (step === undefined) continue
    const words = step.step_name.replace(/^\W+/, '')
    return mapped(end, words, { forcedFinal, answered: hasAnswer(log) })
  }
  return endByItself(log)
}

/** Reads the names of the called tools from the steps, because the conversation lacks turns that were rolled back. */
function listCalledTools(steps: readonly MiroStep[]): string[] {
  return steps.flatMap(({ step_name: name, message }) =>
    name.endsWith('Tool Call Start') ? (/to call tool '([^']*)'/.exec(message)?.[1] ?? []) : [],
  )
}

function readUsage(steps: readonly MiroStep[]): ForeignAttempt['usage'] {
  // Counts are running totals.
  const tokens = steps.findLast(({ step_name: name }) => name.endsWith('LLM | Token Usage'))?.message ?? ''
  const count = (label: string): number | null => {
    const count = new RegExp(`\\b${label}: (\\d+)`).exec(tokens)?.[1]
    return count === undefined ? null : Number(count)
  }
  return {
    inputTokens: count('Input'),
    cachedInputTokens: count('Cache Input'),
    outputTokens: count('Output'),
    modelCalls: steps.filter(({ step_name: name }) => name.endsWith('LLM | Response Status')).length,
    ...countKinds(listCalledTools(steps)),
  }
}

/** Reads a time without a zone. The writer uses UTC+8. */
function readLogTime(time: string | null | undefined): string | null {
  return time === null || time === undefined || time === ''
    ? null
    : readTime(`${time.replace(' ', 'T')}+08:00`)
}

function convertAttempt(record: TaskLog): ForeignAttempt {
  const id = readTaskId(record)
  const [, task = id, trial, retry] = /^(.*)_attempt-(\d+)_format-retry-(\d+)$/.exec(id ?? '') ?? []
  const { main, helpers } = readMiroMessages(record)
  const startedAt = readLogTime(record.start_time)
  const endedAt = readLogTime(record.end_time)
  return {
    ...unreportedFields,
    sourceId: id,
    taskId: task,
    question: record.input?.task_description?.replace(retryHeading, '') ?? null,
    model: record.env_info?.llm_model_name ?? null,
    trial: trial === undefined ? null : Math.max(0, Number(trial) - 1),
    messages: withHelpers(main, helpers),
    answerText: record.final_boxed_answer ?? null,
    end: readEnd(record),
    usage: { ...readUsage(record.step_logs), wallMs: millisecondsBetween(startedAt, endedAt) },
    startedAt,
    endedAt,
    ...(retry === undefined ? {} : { retry: { of: `${task}#${trial}`, number: Number(retry) } }),
  }
}

/** Reads MiroThinker's task logs, one JSON object per attempt. */
export const readMiroThinker: ReadLog = path => readJsonLog(path, recordSchema, miroLogFields, convertAttempt)
