import { basename } from 'node:path'
import { z } from 'zod/v4'
import { readFailure } from './chat-messages.ts'
import {
  type ForeignAttempt,
  type ForeignCall,
  type ForeignEnd,
  type ForeignMessage,
  mapped,
  type ReadLog,
  unmapped,
  unreportedFields,
  unreportedTurn,
} from './foreign-log.ts'
import { type LogPlace, readJsonLog } from './json-records.ts'
import { countOrUnknown, optionalText, readArguments, readContent, readText } from './message-parts.ts'

/** What an assistant message of WideSearch contains: one step of the agent, with the results of its calls. */
const stepSchema = z.looseObject({
  step_status: optionalText,
  content: z.unknown().optional(),
  reasoning_content: optionalText,
  tool_calls: z
    .array(z.looseObject({ tool_name: optionalText, arguments: z.unknown(), tool_call_id: optionalText }))
    .nullish()
    .catch(null),
  tool_call_results: z
    .array(
      z.looseObject({
        tool_call_id: optionalText,
        content: z.unknown(),
        error_marker: z.unknown().optional(),
      }),
    )
    .nullish()
    .catch(null),
  error_marker: z.unknown().optional(),
})
type Step = z.infer<typeof stepSchema>

/** A response file of WideSearch's runner: one line. */
const recordSchema = z.looseObject({
  instance_id: z.union([z.string(), z.number()]),
  response: z.string().nullish(),
  messages: z.array(z.looseObject({ role: optionalText, content: z.unknown().optional() })).nullish(),
  trial_idx: countOrUnknown,
})
type ResponseRecord = z.infer<typeof recordSchema>

type Told = { readonly role: 'user' | 'system'; readonly text: string } | { readonly step: Step }

function listEntries(record: ResponseRecord): Told[] {
  return (record.messages ?? []).map(({ role, content }): Told => {
    if (role !== 'assistant')
      return { role: role === 'system' ? 'system' : 'user', text: readContent(content).text }
    const step = stepSchema.safeParse(content)
    return { step: step.success ? step.data : { content } }
  })
}

function stepMessages(step: Step, index: number): ForeignMessage[] {
  const calls = (step.tool_calls ?? []).map(
    (call, at): ForeignCall => ({
      id: call.tool_call_id ?? `call-${index}-${at}`,
      name: call.tool_name ?? 'unnamed',
      args: readArguments(call.arguments),
    }),
  )
  const names = new Map(calls.map(({ id, name }) => [id, name]))
  const text = readText(step.content) ?? ''
  const results = (step.tool_call_results ?? []).map((result, at): ForeignMessage => {
    const callId = result.tool_call_id ?? calls[at]?.id ?? ''
    return {
      role: 'tool',
      callId,
      tool: names.get(callId) ?? 'unnamed',
      text: readText(result.content) ?? '',
      error: readFailure(result.error_marker),
      at: null,
    }
  })
  const reasoning = step.reasoning_content ?? null
  return [{ role: 'assistant', text, calls, ...unreportedTurn, reasoning }, ...results]
}

/** Ends by instructions of the runner, which it writes as messages of the user. */
const runnerEnds: readonly (readonly [RegExp, Parameters<typeof mapped>[0]])[] = [
  [/Too many errors have occurred/, { cause: 'provider', reason: 'unavailable' }],
  [/^\[Max Step\]/, { cause: 'budget', reason: 'model-calls' }],
]

function readEnd(entries: readonly Told[], response: string | null): ForeignEnd {
  const last = entries.at(-1)
  const failure = last !== undefined && 'step' in last ? readFailure(last.step.error_marker) : null
  if (failure !== null) return mapped({ cause: 'provider', reason: 'bad-response' }, failure)
  const isFinished = last !== undefined && 'step' in last && last.step.step_status === 'FINISHED'
  const answered = isFinished && (response ?? '').trim() !== ''
  const texts = entries.flatMap(entry => ('step' in entry || entry.role !== 'user' ? [] : [entry.text]))
  for (const [pattern, end] of runnerEnds) {
    const words = texts.find(text => pattern.test(text))
    if (words !== undefined) return mapped(end, words, { forcedFinal: isFinished, answered })
  }
  if (isFinished) return mapped({ cause: 'agent', reason: 'answered' }, 'FINISHED', { answered })
  return unmapped(last !== undefined && 'step' in last ? (last.step.step_status ?? null) : null)
}

/** Reads the model from the name of the file: `MODEL_INSTANCE_TRIAL_response.jsonl`. */
function readModelName(path: string, id: string, trial: number | null): string | null {
  const name = basename(path)
  const end = name.indexOf(`_${id}_${trial ?? ''}`)
  return end > 0 ? name.slice(0, end) : null
}

function convertAttempt(record: ResponseRecord, { path }: LogPlace): ForeignAttempt {
  const id = String(record.instance_id)
  const trial = record.trial_idx ?? null
  const entries = listEntries(record)
  const first = entries.find(entry => !('step' in entry) && entry.role === 'user')
  return {
    ...unreportedFields,
    sourceId: trial === null ? id : `${id}#${trial}`,
    taskId: id,
    question: first !== undefined && 'text' in first ? first.text : null,
    model: readModelName(path, id, trial),
    trial,
    messages: entries.flatMap((entry, at) => ('step' in entry ? stepMessages(entry.step, at) : [entry])),
    answerText: record.response ?? null,
    end: readEnd(entries, record.response ?? null),
  }
}

/** Reads the response files of WideSearch's runner: instance_id, response, messages, trial_idx. */
export const readWideSearch: ReadLog = path =>
  readJsonLog(path, recordSchema, ['instance_id', 'trial_idx'], convertAttempt)
