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
import { millisecondsBetween, readTime } from './message-parts.ts'
import { lastLineOf, readMiroMessages, withHelpers } from './miro-messages.ts'
import { isRateLimit, providerFailureIn } from './provider-words.ts'
import { countKinds } from './tool-kinds.ts'

const optionalText = z.string().nullish().catch(null)
const stepSchema = z.looseObject({ step_name: z.string().catch(''), message: z.string().catch('') })
type Step = z.infer<typeof stepSchema>

/** A task log of MiroThinker: `task_ID_attempt-N_format-retry-R_TIME.json`. */
const recordSchema = z.looseObject({
  status: optionalText,
  start_time: optionalText,
  end_time: optionalText,
  task_id: z.union([z.string(), z.number()]).nullish(),
  input: z.looseObject({ task_description: optionalText }).nullish().catch(null),
  final_boxed_answer: z.string().nullish(),
  error: optionalText,
  env_info: z.looseObject({ llm_model_name: optionalText }).nullish().catch(null),
  main_agent_message_history: z.unknown().optional(),
  sub_agent_message_history_sessions: z.unknown().optional(),
  step_logs: z.array(stepSchema).catch([]),
})
type TaskLog = z.infer<typeof recordSchema>

/** Retries continue the question with what was tried before. */
const retryHeading = /\n*=== Previous Attempts Analysis ===[\s\S]*$/

const noBox = /^No \\boxed\{\} content found/

const isModelStep = ({ step_name: name }: Step): boolean =>
  /LLM \| (?:Response Status|API Error|Timeout Error)$/.test(name)

/** Returns the failure of the last model call; null when it was answered. */
function lastCallFailure(steps: readonly Step[]): ForeignEnd | null {
  const last = steps.findLast(isModelStep)
  if (last === undefined || last.step_name.endsWith('Response Status')) return null
  const words = `${last.step_name.replace(/^\W+/, '')}: ${last.message}`
  if (last.step_name.endsWith('Timeout Error')) return mapped({ cause: 'provider', reason: 'timeout' }, words)
  const failure = providerFailureIn(last.message)
  const known = failure !== null && ['rate-limited', 'auth'].includes(failure.reason)
  return mapped(known ? failure : { cause: 'provider', reason: 'unavailable' }, words)
}

/** Ends of the loop by words in its steps, in the order in which they are tried. */
const loopEnds: readonly (readonly [RegExp, Parameters<typeof mapped>[0]])[] = [
  [/consecutive refusals/i, { cause: 'agent', reason: 'refused' }],
  [/Too Many Rollbacks|consecutive MCP format errors/i, { cause: 'agent', reason: 'no-progress' }],
  // 'Max Turns Reached / Context Limit Reached' follows every end of the loop.
  [/\| Context Limit Reached$/m, { cause: 'budget', reason: 'context-window' }],
  [/Max Turns Reached/, { cause: 'budget', reason: 'model-calls' }],
]

function endOf({ status, error, step_logs: steps, final_boxed_answer: boxed }: TaskLog): ForeignEnd {
  if (status === 'failed' || (error ?? '').trim() !== '') {
    const words = lastLineOf(error ?? '') || 'status: failed'
    const isRefused = isRateLimit(words)
    return mapped(
      isRefused ? { cause: 'provider', reason: 'rate-limited' } : { cause: 'harness', reason: 'crash' },
      words,
    )
  }
  if (status !== 'success') return unmapped(`status: ${status ?? null}`)
  const failure = lastCallFailure(steps)
  if (failure !== null) return failure
  const answered = (boxed ?? '').trim() !== '' && !noBox.test(boxed ?? '')
  const forcedFinal = steps.some(step => step.step_name.includes('Final Summary (attempt'))
  for (const [pattern, end] of loopEnds) {
    const step = steps.find(one => pattern.test(one.step_name) || pattern.test(one.message))
    if (step !== undefined) return mapped(end, step.step_name.replace(/^\W+/, ''), { forcedFinal, answered })
  }
  return answered
    ? mapped({ cause: 'agent', reason: 'answered' }, `status: ${status}`)
    : mapped({ cause: 'agent', reason: 'answered-without-table' }, boxed ?? '', { answered: false })
}

/** The names of the tools that were called, by the steps: turns that were rolled back are in no conversation. */
function calledTools(steps: readonly Step[]): string[] {
  return steps.flatMap(({ step_name: name, message }) =>
    name.endsWith('Tool Call Start') ? (/to call tool '([^']*)'/.exec(message)?.[1] ?? []) : [],
  )
}

function usageOf(steps: readonly Step[]): ForeignAttempt['usage'] {
  // Counts are running totals.
  const tokens = steps.findLast(({ step_name: name }) => name.endsWith('LLM | Token Usage'))?.message ?? ''
  const count = (label: string): number | null => {
    const found = new RegExp(`\\b${label}: (\\d+)`).exec(tokens)?.[1]
    return found === undefined ? null : Number(found)
  }
  return {
    inputTokens: count('Input'),
    cachedInputTokens: count('Cache Input'),
    outputTokens: count('Output'),
    modelCalls: steps.filter(({ step_name: name }) => name.endsWith('LLM | Response Status')).length,
    ...countKinds(calledTools(steps)),
  }
}

/** Reads a time of UTC+8, which the writer uses everywhere without saying so. */
function timeIn(time: string | null | undefined): string | null {
  return time === null || time === undefined || time === ''
    ? null
    : readTime(`${time.replace(' ', 'T')}+08:00`)
}

function attemptOf(record: TaskLog): ForeignAttempt {
  const id = record.task_id === null || record.task_id === undefined ? null : String(record.task_id)
  const [, task = id, trial, retry] = /^(.*)_attempt-(\d+)_format-retry-(\d+)$/.exec(id ?? '') ?? []
  const { main, helpers } = readMiroMessages(record)
  const startedAt = timeIn(record.start_time)
  const endedAt = timeIn(record.end_time)
  return {
    ...unreportedFields,
    sourceId: id,
    taskId: task,
    question: record.input?.task_description?.replace(retryHeading, '') ?? null,
    model: record.env_info?.llm_model_name ?? null,
    trial: trial === undefined ? null : Math.max(0, Number(trial) - 1),
    messages: withHelpers(main, helpers),
    answerText: record.final_boxed_answer ?? null,
    end: endOf(record),
    usage: { ...usageOf(record.step_logs), wallMs: millisecondsBetween(startedAt, endedAt) },
    startedAt,
    endedAt,
    ...(retry === undefined ? {} : { retry: { of: `${task}#${trial}`, number: Number(retry) } }),
  }
}

/** Reads MiroThinker's task logs, one JSON object per attempt. */
export const readMiroThinker: ReadLog = path =>
  readJsonLog(path, recordSchema, ['step_logs', 'final_boxed_answer'], attemptOf)
