import { basename } from 'node:path'
import { z } from 'zod/v4'
import { type AttemptEnd, endSchema } from '../../src/core/termination.ts'
import { type Usage, usageSchema } from '../../src/core/usage.ts'
import { isObject } from '../../src/text/json.ts'
import { type ChatMessage, chatMessageSchema, readConversation } from './chat-messages.ts'
import {
  type ForeignAttempt,
  type ForeignEnd,
  type ForeignMessage,
  mapped,
  type ReadLog,
  type ReadRecord,
  unmapped,
  unreportedFields,
} from './foreign-log.ts'
import { firstRecord, jsonRecords, readJsonLog, toReadRecord } from './json-records.ts'
import {
  countOrUnknown,
  millisecondsBetween,
  optionalId,
  optionalText,
  readId,
  readTime,
} from './message-parts.ts'

const id = optionalId.catch(null)

/** Every count is checked separately; an invalid count is treated as unknown. */
const looseUsage = z
  .looseObject({})
  .transform((record: Readonly<Record<string, unknown>>): Partial<Usage> => {
    const { uncertain: _, ...figures } = usageSchema.shape
    const presentFigures = Object.entries(figures).filter(([name]) => name in record)
    return Object.fromEntries(
      presentFigures.map(([name, figure]) => [name, figure.safeParse(record[name]).data ?? null]),
    )
  })

/**
 * The documented format for logs of any agent (docs/imported-logs.md). `termination` or `messages` is required. A
 * record with an invalid answer or conversation is rejected.
 */
const recordSchema = z.looseObject({
  id,
  taskId: id,
  question: optionalText,
  benchmark: optionalText,
  domain: optionalText,
  setting: optionalText,
  model: optionalText,
  trial: countOrUnknown,
  answer: z.string().nullish(),
  termination: z
    .union([
      z.string(),
      z.looseObject({
        cause: z.string().nullish(),
        reason: z.string().nullish(),
        forcedFinal: z.boolean().nullish(),
        detail: z.string().nullish(),
      }),
    ])
    .nullish(),
  messages: z.array(chatMessageSchema).nullish(),
  usage: looseUsage.nullish().catch(null),
  startedAt: id,
  endedAt: id,
})
type GenericRecord = z.infer<typeof recordSchema>

/**
 * Reads `{ cause, reason }` or `cause/reason` with a known pair. Any other value stays unmapped, with its words
 * kept.
 */
function readEnd({ termination, answer }: GenericRecord): ForeignEnd {
  if (termination === null || termination === undefined) return unmapped(null)
  const [cause = '', reason = ''] = typeof termination === 'string' ? termination.split(/\s*\/\s*/) : []
  const end = endSchema.safeParse(typeof termination === 'string' ? { cause, reason } : termination)
  const fields = typeof termination === 'string' ? null : termination
  const pair = [fields?.cause, fields?.reason].filter(part => part !== null && part !== undefined).join('/')
  const words = fields === null ? String(termination) : (fields.detail ?? (pair === '' ? null : pair))
  if (!end.success || words === null) return unmapped(words)
  const answered = (answer ?? '').trim() !== ''
  return { ...end.data, forcedFinal: fields?.forcedFinal ?? false, answered, detail: words }
}

/** Ends by the reason why the model stopped, as chat APIs report it with the last message. */
const stops: Readonly<Record<string, AttemptEnd>> = {
  length: { cause: 'budget', reason: 'output-limit' },
  max_tokens: { cause: 'budget', reason: 'output-limit' },
  refusal: { cause: 'agent', reason: 'refused' },
  content_filter: { cause: 'provider', reason: 'content-filter' },
}

/**
 * Returns the end and the answer of a conversation without a termination: it is answered when its last message is the
 * assistant's and calls no tool.
 */
function endOfConversation(
  chatMessages: readonly ChatMessage[],
  messages: readonly ForeignMessage[],
): { readonly end: ForeignEnd; readonly answerText: string | null } {
  const last = messages.at(-1)
  if (last?.role !== 'assistant' || last.calls.length > 0) return { end: unmapped(null), answerText: null }
  const answerText = last.text.trim() === '' ? null : last.text
  const { stop_reason, finish_reason } = chatMessages.at(-1) ?? {}
  const stop = [stop_reason, finish_reason].find(reason => typeof reason === 'string')
  const end = stops[stop ?? '']
  const answered = answerText !== null && end?.cause !== 'provider' && end?.reason !== 'refused'
  if (end !== undefined) return { end: mapped(end, stop ?? '', { answered }), answerText }
  const words = stop ?? 'the last message is from the assistant'
  return { end: mapped({ cause: 'agent', reason: 'answered' }, words, { answered }), answerText }
}

function convertAttempt(record: GenericRecord): ForeignAttempt {
  const startedAt = readTime(record.startedAt)
  const endedAt = readTime(record.endedAt)
  const chatMessages = record.messages ?? []
  const messages = readConversation(chatMessages)
  const ended =
    record.termination === undefined && record.messages
      ? endOfConversation(chatMessages, messages)
      : { end: readEnd(record), answerText: null }
  return {
    ...unreportedFields,
    sourceId: readId(record.id),
    taskId: readId(record.taskId) ?? readId(record.id),
    question: record.question ?? messages.find(({ role }) => role === 'user')?.text ?? null,
    benchmark: record.benchmark ?? null,
    domain: record.domain ?? null,
    setting: record.setting ?? null,
    model: record.model ?? null,
    trial: record.trial ?? null,
    messages,
    answerText: record.answer ?? ended.answerText,
    end: ended.end,
    usage: { wallMs: millisecondsBetween(startedAt, endedAt), ...record.usage },
    startedAt,
    endedAt,
  }
}

const roles = new Set(['system', 'developer', 'user', 'assistant', 'tool'])

/** Whether a record is one message of a conversation. */
function isMessage(value: unknown): boolean {
  return isObject(value) && roles.has(String(value.role)) && ('content' in value || 'tool_calls' in value)
}

/** Reads a file whose records are the messages of one conversation. Its name is the id of the sample. */
async function* readMessageList(path: string): AsyncGenerator<ReadRecord> {
  const messages: ChatMessage[] = []
  for await (const record of jsonRecords(path)) {
    const parsed = 'value' in record ? chatMessageSchema.safeParse(record.value) : null
    if (parsed?.success === true && isMessage(parsed.data)) messages.push(parsed.data)
    else if ('problem' in record) yield record
    else yield { line: record.line, problem: 'not a message', code: 'unknown-log-record' }
  }
  const id = basename(path).replace(/\.(?:jsonl?|gz|zst)\b/g, '')
  yield toReadRecord(1, () => convertAttempt(recordSchema.parse({ id, messages })))
}

/** Reads the generic JSON lines format, and conversations as lists of messages: docs/imported-logs.md. */
export const readGeneric: ReadLog = async function* (path) {
  const isList = isMessage(await firstRecord(path))
  yield* isList
    ? readMessageList(path)
    : readJsonLog(path, recordSchema, ['termination', 'messages'], convertAttempt)
}
