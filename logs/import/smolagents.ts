import { z } from 'zod/v4'
import {
  type ForeignAttempt,
  type ForeignEnd,
  mapped,
  type ReadLog,
  unreportedFields,
} from './foreign-log.ts'
import { readJsonLog } from './json-records.ts'
import { countOrUnknown, millisecondsBetween, readText, readTime } from './message-parts.ts'
import { readSteps } from './smolagents-steps.ts'

const flag = z.boolean().nullish().catch(null)

/** A line of the open deep research example of smolagents: `examples/open_deep_research/run_gaia.py`. */
const recordSchema = z.looseObject({
  agent_name: z.string().nullish().catch(null),
  question: z.unknown().optional(),
  augmented_question: z.unknown().optional(),
  prediction: z.unknown().optional(),
  intermediate_steps: z.union([z.array(z.unknown()), z.string()]).nullish(),
  iteration_limit_exceeded: flag,
  agent_error: z.unknown().optional(),
  start_time: z.union([z.string(), z.number()]).nullish(),
  end_time: z.union([z.string(), z.number()]).nullish(),
  task_id: z.union([z.string(), z.number()]).nullish(),
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
type RunRecord = z.infer<typeof recordSchema>

function endOf({ iteration_limit_exceeded: exceeded, agent_error }: RunRecord): ForeignEnd {
  if (exceeded === true)
    return mapped({ cause: 'budget', reason: 'model-calls' }, 'iteration_limit_exceeded: true')
  const error = agent_error === false ? null : readText(agent_error)
  if (error !== null && error !== '') return mapped({ cause: 'harness', reason: 'crash' }, error)
  return mapped(
    { cause: 'agent', reason: 'answered' },
    `iteration_limit_exceeded: ${exceeded ?? null}, agent_error: null`,
  )
}

function attemptOf(record: RunRecord): ForeignAttempt {
  const { prediction, task_id: taskId, token_counts: tokens } = record
  const id = taskId === null || taskId === undefined ? null : String(taskId)
  const startedAt = readTime(record.start_time)
  const endedAt = readTime(record.end_time)
  const steps = record.intermediate_steps ?? []
  return {
    ...unreportedFields,
    sourceId: id,
    taskId: id,
    question: readText(record.question) ?? readText(record.augmented_question),
    model: record.agent_name ?? null,
    messages: readSteps(typeof steps === 'string' ? [steps] : steps),
    answerText: readText(prediction),
    end: endOf(record),
    usage: {
      inputTokens: tokens?.input ?? tokens?.input_tokens ?? null,
      outputTokens: tokens?.output ?? tokens?.output_tokens ?? null,
      wallMs: millisecondsBetween(startedAt, endedAt),
    },
    startedAt,
    endedAt,
  }
}

/** Reads smolagents JSON lines: agent_error, iteration_limit_exceeded, intermediate_steps, prediction. */
export const readSmolagents: ReadLog = path => readJsonLog(path, recordSchema, fields, attemptOf)
