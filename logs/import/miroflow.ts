import { basename } from 'node:path'
import { z } from 'zod/v4'
import {
  type ForeignAttempt,
  type ForeignEnd,
  mapped,
  type ReadLog,
  unmapped,
  unreportedFields,
} from './foreign-log.ts'
import { type LogPlace, readJsonLog } from './json-records.ts'
import { millisecondsBetween, readTime } from './message-parts.ts'
import { lastLineOf, readMiroMessages, withHelpers } from './miro-messages.ts'
import { isRateLimit } from './provider-words.ts'
import { countKinds } from './tool-kinds.ts'

const optionalText = z.string().nullish().catch(null)
const stepSchema = z.looseObject({
  step_name: z.string().catch(''),
  message: z.string().catch(''),
  status: optionalText,
})
type Step = z.infer<typeof stepSchema>

/** A task log of MiroFlow: `task_ID_attempt_N.json`. */
const recordSchema = z.looseObject({
  status: optionalText,
  task_id: z.union([z.string(), z.number()]).nullish(),
  input: z.looseObject({ task_description: optionalText }).nullish().catch(null),
  start_time: optionalText,
  end_time: optionalText,
  final_boxed_answer: z.string().nullish(),
  error: optionalText,
  main_agent_message_history: z.unknown().optional(),
  sub_agent_message_history_sessions: z.unknown().optional(),
  step_logs: z.array(stepSchema).catch([]),
})
type TaskLog = z.infer<typeof recordSchema>

const answeredStep = /(?:_turn_\d+|summary_generation)_success$/
const noBox = /no \\boxed\{\} content found/i

/** Returns the failure of the model when no call was answered after it; null otherwise. */
function lastCallFailure(steps: readonly Step[]): ForeignEnd | null {
  const failed = steps.findLastIndex(
    ({ message, status }) => status === 'failed' && /LLM call failed|timed out|Timeout/.test(message),
  )
  if (failed < steps.findLastIndex(({ step_name: name }) => answeredStep.test(name))) return null
  const step = steps[failed]
  if (step === undefined) return null
  const isTimeout = steps
    .slice(steps.findLastIndex(({ step_name: name }) => answeredStep.test(name)) + 1)
    .some(({ message, status }) => status === 'failed' && /timed out|Timeout/.test(message))
  return mapped(
    { cause: 'provider', reason: isTimeout ? 'timeout' : 'unavailable' },
    `${step.step_name}: ${step.message}`,
  )
}

function endOf({ status, error, step_logs: steps, final_boxed_answer: boxed }: TaskLog): ForeignEnd {
  if (status === 'interrupted') {
    const words = lastLineOf(error ?? '') || 'status: interrupted'
    const isRefused = isRateLimit(words)
    return mapped(
      isRefused ? { cause: 'provider', reason: 'rate-limited' } : { cause: 'harness', reason: 'crash' },
      words,
    )
  }
  if (status !== 'completed') return unmapped(`status: ${status ?? null}`)
  const failure = lastCallFailure(steps)
  if (failure !== null) return failure
  const answered = (boxed ?? '').trim() !== '' && !noBox.test(boxed ?? '')
  const limit = steps.find(({ step_name: name }) =>
    /^(?:max_turns_reached|main_agent_context_limit_reached)$/.test(name),
  )
  if (limit !== undefined)
    return mapped(
      {
        cause: 'budget',
        reason: limit.step_name === 'max_turns_reached' ? 'model-calls' : 'context-window',
      },
      `${limit.step_name}: ${limit.message}`,
      { forcedFinal: true, answered },
    )
  return answered
    ? mapped({ cause: 'agent', reason: 'answered' }, `status: ${status}`)
    : mapped({ cause: 'agent', reason: 'answered-without-table' }, boxed ?? '', { answered: false })
}

/** The usage that the log sums up at the end of each agent: `[CLIENT | MODEL], Total Input: N (Cached: N, …`. */
function usageOf(steps: readonly Step[]): ForeignAttempt['usage'] {
  const lines = steps.filter(({ step_name: name }) => name === 'usage_calculation')
  const sum = (label: string): number | null => {
    const counts = lines.map(({ message }) => new RegExp(`\\b${label}: (\\d+)`).exec(message)?.[1])
    return counts.length === 0 || counts.includes(undefined)
      ? null
      : counts.reduce((total, count) => total + Number(count), 0)
  }
  return {
    inputTokens: sum('Total Input'),
    cachedInputTokens: sum('Cached'),
    outputTokens: sum('Total Output'),
    reasoningTokens: sum('Reasoning'),
    modelCalls: steps.filter(({ step_name: name }) => answeredStep.test(name)).length,
  }
}

function modelOf(steps: readonly Step[]): string | null {
  const usage = steps.find(({ step_name: name }) => name === 'usage_calculation')?.message ?? ''
  return /^Usage log: \[[^|\]]*\| ([^\]]+)\]/.exec(usage)?.[1] ?? null
}

function attemptOf(record: TaskLog, { path }: LogPlace): ForeignAttempt {
  const id = record.task_id === null || record.task_id === undefined ? null : String(record.task_id)
  const attempt = /_attempt_(\d+)\.json/.exec(basename(path))?.[1]
  const { main, helpers } = readMiroMessages(record)
  const messages = withHelpers(main, helpers)
  const called = messages.flatMap(message => (message.role === 'assistant' ? message.calls : []))
  const startedAt = readTime(record.start_time)
  const endedAt = readTime(record.end_time)
  return {
    ...unreportedFields,
    sourceId: id === null || attempt === undefined ? id : `${id}#${attempt}`,
    taskId: id,
    question: record.input?.task_description ?? null,
    model: modelOf(record.step_logs),
    trial: attempt === undefined ? null : Math.max(0, Number(attempt) - 1),
    messages,
    answerText: record.final_boxed_answer ?? null,
    end: endOf(record),
    usage: {
      ...usageOf(record.step_logs),
      ...countKinds(called.map(({ name }) => name)),
      wallMs: millisecondsBetween(startedAt, endedAt),
    },
    startedAt,
    endedAt,
  }
}

/** Reads MiroFlow's task logs, one JSON object per attempt. */
export const readMiroFlow: ReadLog = path =>
  readJsonLog(path, recordSchema, ['step_logs', 'final_boxed_answer'], attemptOf)
