import { basename } from 'node:path'
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
import { countKinds } from './tool-kinds.ts'

const answeredStep = /(?:_turn_\d+|summary_generation)_success$/

/** Returns the failure of the model when no call was answered after it; null otherwise. */
function lastCallFailure(steps: readonly MiroStep[]): ForeignEnd | null {
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

function readEnd(log: MiroLog): ForeignEnd {
  const { status, step_logs: steps } = log
  if (status === 'interrupted') return exceptionEnd(log)
  if (status !== 'completed') return unmapped(`status: ${status ?? null}`)
  const failure = lastCallFailure(steps)
  if (failure !== null) return failure
  const limit = steps.find(({ step_name: name }) =>
    /^(?:max_turns_reached|main_agent_context_limit_reached)$/.test(name),
  )
  if (limit === undefined) return endByItself(log)
  const reason = limit.step_name === 'max_turns_reached' ? 'model-calls' : 'context-window'
  return mapped({ cause: 'budget', reason }, `${limit.step_name}: ${limit.message}`, {
    forcedFinal: true,
    answered: hasAnswer(log),
  })
}

/** Adds up the usage of all agents. Each ends with a line `[CLIENT | MODEL], Total Input: N (Cached: N, …`. */
function readUsage(steps: readonly MiroStep[]): ForeignAttempt['usage'] {
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

function readModel(steps: readonly MiroStep[]): string | null {
  const usage = steps.find(({ step_name: name }) => name === 'usage_calculation')?.message ?? ''
  return /^Usage log: \[[^|\]]*\| ([^\]]+)\]/.exec(usage)?.[1] ?? null
}

function convertAttempt(record: MiroLog, { path }: LogPlace): ForeignAttempt {
  const id = readTaskId(record)
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
    model: readModel(record.step_logs),
    trial: attempt === undefined ? null : Math.max(0, Number(attempt) - 1),
    messages,
    answerText: record.final_boxed_answer ?? null,
    end: readEnd(record),
    usage: {
      ...readUsage(record.step_logs),
      ...countKinds(called.map(({ name }) => name)),
      wallMs: millisecondsBetween(startedAt, endedAt),
    },
    startedAt,
    endedAt,
  }
}

/** Reads MiroFlow's task logs, `task_ID_attempt_N.json`, one JSON object per attempt. */
export const readMiroFlow: ReadLog = path => readJsonLog(path, miroLogSchema, miroLogFields, convertAttempt)
