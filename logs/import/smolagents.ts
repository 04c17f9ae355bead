import { z } from 'zod'
import {
  type ForeignAttempt,
  type ForeignEnd,
  type ForeignMessage,
  mapped,
  type ReadLog,
  unsaid,
} from './foreign-log.ts'
import { readJsonLog } from './json-records.ts'
import {
  callSchema,
  contentSchema,
  millisecondsBetween,
  readCall,
  readContent,
  readTime,
} from './message-parts.ts'

const count = z.int().min(0).nullish()

/** A line of smolagents' open deep research: `examples/open_deep_research/run_gaia.py`. */
const recordSchema = z.looseObject({
  agent_name: z.string().nullish(),
  question: z.string().nullish(),
  prediction: z.unknown().optional(),
  intermediate_steps: z.array(z.unknown()).nullish(),
  iteration_limit_exceeded: z.boolean().nullish(),
  agent_error: z.string().nullish(),
  start_time: z.union([z.string(), z.number()]).nullish(),
  end_time: z.union([z.string(), z.number()]).nullish(),
  task_id: z.union([z.string(), z.number()]).nullish(),
  token_counts: z
    .looseObject({ input: count, output: count, input_tokens: count, output_tokens: count })
    .nullish(),
})
type RunRecord = z.infer<typeof recordSchema>

function endOf({ iteration_limit_exceeded: exceeded, agent_error: error }: RunRecord): ForeignEnd {
  if (exceeded === true)
    return mapped({ cause: 'budget', reason: 'model-calls' }, 'iteration_limit_exceeded: true')
  if (error !== null && error !== undefined && error !== '')
    return mapped({ cause: 'harness', reason: 'crash' }, error)
  return mapped(
    { cause: 'agent', reason: 'answered' },
    `iteration_limit_exceeded: ${exceeded ?? null}, agent_error: null`,
  )
}

/** A step of the agent's memory, as older versions write it (as text) and newer ones (as messages, or by its fields). */
const stepSchema = z.looseObject({
  role: z.union([z.string(), z.looseObject({ value: z.string() })]).nullish(),
  content: contentSchema,
  model_output: contentSchema,
  tool_calls: z.array(callSchema).nullish(),
  observations: z.string().nullish(),
  error: z.unknown().optional(),
})

const quiet = { reasoning: null, malformed: [], finishReason: null, usage: null, at: null } as const

/** `ToolCall(name='web_search', arguments={'query': 'x'}, id='call_1')`, as Python prints it. */
const printedCall = /ToolCall\(name='([^']*)', arguments=([\s\S]*?), id='([^']*)'\)/g

function printedStep(text: string): ForeignMessage[] {
  const calls = [...text.matchAll(printedCall)].map(([, name = '', args = '', id = '']) => ({
    id,
    name,
    args,
  }))
  return [{ role: 'assistant', text, calls, ...quiet }]
}

function errorText(error: unknown): string | null {
  if (error === null || error === undefined) return null
  return typeof error === 'string' ? error : (JSON.stringify(error) ?? null)
}

function messagesOfStep(step: unknown, number: number): ForeignMessage[] {
  if (typeof step === 'string') return printedStep(step)
  const parsed = stepSchema.safeParse(step)
  if (!parsed.success) return []
  const { role, content, model_output, tool_calls, observations, error } = parsed.data
  const name = typeof role === 'object' ? role?.value : role
  const calls = (tool_calls ?? []).map((call, index) => readCall(call, number * 100 + index))
  const { text } = readContent(content ?? model_output)
  const first = { callId: calls[0]?.id ?? `call-${number}`, tool: calls[0]?.name ?? 'unnamed' }
  if (name === 'system' || name === 'user') return [{ role: name, text }]
  if (name === 'tool-response' || name === 'tool')
    return [{ role: 'tool', ...first, text, error: errorText(error), at: null }]
  const shown: ForeignMessage[] =
    observations === null || observations === undefined
      ? []
      : [{ role: 'tool', ...first, text: observations, error: errorText(error), at: null }]
  return [{ role: 'assistant', text, calls, ...quiet }, ...shown]
}

function attemptOf(record: RunRecord): ForeignAttempt {
  const { prediction, task_id: taskId, token_counts: tokens } = record
  const id = taskId === null || taskId === undefined ? null : String(taskId)
  const startedAt = readTime(record.start_time)
  const endedAt = readTime(record.end_time)
  const said = prediction === null || prediction === undefined ? null : prediction
  return {
    ...unsaid,
    sourceId: id,
    taskId: id,
    question: record.question ?? null,
    model: record.agent_name ?? null,
    messages: (record.intermediate_steps ?? []).flatMap(messagesOfStep),
    answerText: said === null ? null : typeof said === 'string' ? said : JSON.stringify(said),
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

/** smolagents' JSON lines: agent_error, iteration_limit_exceeded, intermediate_steps, prediction. */
export const readSmolagents: ReadLog = path => readJsonLog(path, recordSchema, attemptOf)
