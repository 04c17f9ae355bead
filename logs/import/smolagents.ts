import { z } from 'zod/v4'
import {
  type ForeignAttempt,
  type ForeignEnd,
  type ForeignMessage,
  mapped,
  type ReadLog,
  unreportedFields,
} from './foreign-log.ts'
import { readJsonLog } from './json-records.ts'
import {
  countOrUnknown,
  millisecondsBetween,
  optionalId,
  optionalText,
  readId,
  readText,
  readTime,
} from './message-parts.ts'
import { isRateLimit } from './provider-words.ts'
import { seenPages } from './seen-pages.ts'
import { readSteps } from './smolagents-steps.ts'
import { guessToolKind } from './tool-kinds.ts'

const flag = z.boolean().nullish().catch(null)

/** A line of the open deep research example of smolagents: `examples/open_deep_research/run_gaia.py`. */
const recordSchema = z.looseObject({
  agent_name: optionalText,
  question: z.unknown().optional(),
  augmented_question: z.unknown().optional(),
  prediction: z.unknown().optional(),
  intermediate_steps: z.union([z.array(z.unknown()), z.string()]).nullish(),
  iteration_limit_exceeded: flag,
  agent_error: z.unknown().optional(),
  start_time: optionalId,
  end_time: optionalId,
  task_id: optionalId,
  token_counts: z
    .looseObject({
      input: countOrUnknown,
      output: countOrUnknown,
      input_tokens: countOrUnknown,
      output_tokens: countOrUnknown,
    })
    .nullish(),
})
const fields = ['prediction', 'intermediate_steps', 'iteration_limit_exceeded', 'agent_error']
type SmolagentsRecord = z.infer<typeof recordSchema>

/** smolagents writes this into the last step. The flag `iteration_limit_exceeded` depends on other words. */
const stepLimit = 'Reached max steps.'

function readEnd(record: SmolagentsRecord, messages: readonly ForeignMessage[]): ForeignEnd {
  const { iteration_limit_exceeded: exceeded, agent_error, prediction } = record
  if (exceeded === true)
    return mapped({ cause: 'budget', reason: 'model-calls' }, 'iteration_limit_exceeded: true')
  const error = agent_error === false ? null : readText(agent_error)
  if (error !== null && error !== '') {
    const end = isRateLimit(error)
      ? ({ cause: 'provider', reason: 'rate-limited' } as const)
      : ({ cause: 'harness', reason: 'crash' } as const)
    return mapped(end, error)
  }
  const isLimit = messages.slice(-2).some(({ role, ...rest }) => {
    const words = 'error' in rest ? `${rest.text}\n${rest.error ?? ''}` : rest.text
    return words.includes(stepLimit)
  })
  if (isLimit)
    return mapped({ cause: 'budget', reason: 'model-calls' }, stepLimit, {
      forcedFinal: (readText(prediction) ?? '').trim() !== '',
    })
  return mapped(
    { cause: 'agent', reason: 'answered' },
    `iteration_limit_exceeded: ${exceeded ?? null}, agent_error: null`,
  )
}

/**
 * Reads the search results and pages in what a helper agent reports. Its messages are Python literals, one after another,
 * inside the result of the manager's tool.
 */
function withHelperPages(message: ForeignMessage): ForeignMessage {
  if (message.role !== 'tool' || !message.text.includes('<summary_of_work>')) return message
  const { tool: name, text } = message
  const pages = text
    .split(/\n---\n/)
    .map(part => part.replace(/\\n/g, '\n'))
    .flatMap(part => seenPages({ name, args: {} }, part))
  return { ...message, seen: pages }
}

/**
 * Whether the agent of the record searches itself. Otherwise helper agents search. The record contains their reports but
 * not their calls.
 */
function searchesItself(messages: readonly ForeignMessage[]): boolean {
  return messages.some(
    message => message.role === 'assistant' && message.calls.some(({ name }) => guessToolKind(name) !== null),
  )
}

function convertAttempt(record: SmolagentsRecord): ForeignAttempt {
  const { prediction, task_id: taskId, token_counts: tokens } = record
  const id = readId(taskId)
  const startedAt = readTime(record.start_time)
  const endedAt = readTime(record.end_time)
  const steps = record.intermediate_steps ?? []
  const messages = readSteps(typeof steps === 'string' ? [steps] : steps).map(withHelperPages)
  return {
    ...unreportedFields,
    sourceId: id,
    taskId: id,
    question: readText(record.question) ?? readText(record.augmented_question),
    model: record.agent_name ?? null,
    messages,
    answerText: readText(prediction),
    end: readEnd(record, messages),
    usage: {
      inputTokens: tokens?.input ?? tokens?.input_tokens ?? null,
      outputTokens: tokens?.output ?? tokens?.output_tokens ?? null,
      wallMs: millisecondsBetween(startedAt, endedAt),
      ...(searchesItself(messages) ? {} : { searchCalls: null, fetchCalls: null }),
    },
    startedAt,
    endedAt,
  }
}

/** Reads smolagents JSON lines: agent_error, iteration_limit_exceeded, intermediate_steps, prediction. */
export const readSmolagents: ReadLog = path => readJsonLog(path, recordSchema, fields, convertAttempt)
