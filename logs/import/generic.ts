import { z } from 'zod/v4'
import { endSchema, type Usage, usageSchema } from '../../src/core/attempt.ts'
import { chatMessageSchema, readConversation } from './chat-messages.ts'
import {
  type ForeignAttempt,
  type ForeignEnd,
  type ReadLog,
  unmapped,
  unreportedFields,
} from './foreign-log.ts'
import { readJsonLog } from './json-records.ts'
import { countOrUnknown, millisecondsBetween, readTime } from './message-parts.ts'

const id = z.union([z.string(), z.number()]).nullish().catch(null)
const time = id
const words = z.string().nullish().catch(null)

/** Every count is checked separately; an invalid count is treated as unknown. */
const looseUsage = z.looseObject({}).transform((given: Readonly<Record<string, unknown>>): Partial<Usage> => {
  const known = Object.entries(usageSchema.shape).filter(([name]) => name in given)
  return Object.fromEntries(known.map(([name, figure]) => [name, figure.catch(null).parse(given[name])]))
})

/**
 * The documented format for logs of any agent (docs/imported-logs.md). Only `termination` is required. A record
 * with an invalid answer or conversation is rejected.
 */
const recordSchema = z.looseObject({
  id,
  taskId: id,
  question: words,
  benchmark: words,
  domain: words,
  setting: words,
  model: words,
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
    .nullable(),
  messages: z.array(chatMessageSchema).nullish(),
  usage: looseUsage.nullish().catch(null),
  startedAt: time,
  endedAt: time,
})
type GenericRecord = z.infer<typeof recordSchema>

/**
 * Reads `{ cause, reason }` or `cause/reason` with a known pair. Any other value stays unmapped, with its words
 * kept.
 */
function endOf({ termination, answer }: GenericRecord): ForeignEnd {
  if (termination === null) return unmapped(null)
  const [cause = '', reason = ''] = typeof termination === 'string' ? termination.split(/\s*\/\s*/) : []
  const end = endSchema.safeParse(typeof termination === 'string' ? { cause, reason } : termination)
  const given = typeof termination === 'string' ? null : termination
  const pair = [given?.cause, given?.reason].filter(part => part !== null && part !== undefined).join('/')
  const words = given === null ? String(termination) : (given.detail ?? (pair === '' ? null : pair))
  if (!end.success || words === null) return unmapped(words)
  const answered = (answer ?? '').trim() !== ''
  return { ...end.data, forcedFinal: given?.forcedFinal ?? false, answered, detail: words }
}

function attemptOf(record: GenericRecord): ForeignAttempt {
  const startedAt = readTime(record.startedAt)
  const endedAt = readTime(record.endedAt)
  const text = (value: string | number | null | undefined): string | null =>
    value === null || value === undefined ? null : String(value)
  return {
    ...unreportedFields,
    sourceId: text(record.id),
    taskId: text(record.taskId) ?? text(record.id),
    question: record.question ?? null,
    benchmark: record.benchmark ?? null,
    domain: record.domain ?? null,
    setting: record.setting ?? null,
    model: record.model ?? null,
    trial: record.trial ?? null,
    messages: readConversation(record.messages ?? []),
    answerText: record.answer ?? null,
    end: endOf(record),
    usage: { wallMs: millisecondsBetween(startedAt, endedAt), ...record.usage },
    startedAt,
    endedAt,
  }
}

/** Reads the generic JSON lines format: docs/imported-logs.md. */
export const readGeneric: ReadLog = path => readJsonLog(path, recordSchema, ['termination'], attemptOf)
