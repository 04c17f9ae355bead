import { z } from 'zod/v4'
import { DataError } from '../../src/core/errors.ts'
import { describeZodProblem } from '../../src/core/zod-problems.ts'
import { readOriginal } from '../original-record.ts'
import { readCallUsage } from './call-usage.ts'
import { readConversation, type TurnFacts } from './chat-messages.ts'
import {
  conversationTexts,
  type ForeignAttempt,
  type ForeignCall,
  type ForeignEnd,
  mapped,
  type ReadLog,
  type ReadRecord,
  unmapped,
  unreportedFields,
} from './foreign-log.ts'
import { limitEnds, stopEnds } from './inspect-ends.ts'
import { notInspectLog, openLog } from './inspect-file.ts'
import {
  type InspectHeader,
  type InspectSample,
  inspectHeaderSchema,
  inspectSampleSchema,
  missingSamples,
  sampleName,
} from './inspect-log.ts'
import { flattenEvents, readUsage } from './inspect-usage.ts'
import { describeDepth } from './json-records.ts'
import { readCall, readContent, readId, readText, readTime } from './message-parts.ts'

function outputEnd(stopReason: string | null, answered: boolean): ForeignEnd {
  if (stopReason === 'tool_calls') {
    // The sample ends with tool calls and no answer, and the log does not say what stopped it.
    if (!answered) return unmapped(stopReason)
    return mapped({ cause: 'agent', reason: 'answered' }, stopReason)
  }
  const stop = stopEnds.get(stopReason ?? '')
  if (stop === undefined || stopReason === null) return unmapped(stopReason)
  return mapped(stop.end, stopReason, stop.answered === true ? { answered: true } : {})
}

/** The error that stops a running sample when its run is cancelled, as raised by the async library of Inspect AI. */
const cancellation = /^Cancelled(?:Error)?\(/

function readErrorEnd(words: string, status: string | null): ForeignEnd {
  return status === 'cancelled' && cancellation.test(words)
    ? mapped({ cause: 'operator', reason: 'cancelled' }, words)
    : mapped({ cause: 'harness', reason: 'crash' }, words)
}

/** Maps the end of a sample: a limit first, then an error, then the model's stop reason. */
function readEnd(
  { limit, error, output }: InspectSample,
  status: string | null,
  answered: boolean,
): ForeignEnd {
  if (limit !== null && limit !== undefined) {
    const limitText =
      limit.reason ?? (limit.limit === undefined || limit.limit === null ? '' : String(limit.limit))
    const words = limitText === '' ? limit.type : `${limit.type}: ${limitText}`
    const end = limitEnds.get(limit.type)
    return end === undefined ? unmapped(words) : mapped(end, words)
  }
  if (error !== null && error !== undefined)
    return readErrorEnd(typeof error === 'string' ? error : (error.message ?? 'error'), status)
  const stopReason = output?.choices?.[0]?.stop_reason ?? output?.stop_reason ?? null
  // The sample reports no end, but the log may: it was cancelled or is still running.
  if (stopReason === null && status !== null && status !== 'success') return unmapped(`status: ${status}`)
  return outputEnd(stopReason, answered)
}

/** Returns what the log's events report about each assistant message, by message id. */
function turnFacts(sample: InspectSample): Map<string, TurnFacts> {
  const facts = new Map<string, TurnFacts>()
  for (const { event, timestamp, output } of flattenEvents(sample.events)) {
    const choice = event === 'model' ? output?.choices?.[0] : undefined
    const id = choice?.message?.id
    if (id === null || id === undefined) continue
    facts.set(id, {
      at: readTime(timestamp),
      usage: readCallUsage(output?.usage),
      finishReason: choice?.stop_reason ?? null,
    })
  }
  return facts
}

/** Replaces references to attachments. Inspect AI stores long texts separately, under their hash. */
function withAttachments<T>(value: T, attachments: Readonly<Record<string, string>>): T {
  if (Object.keys(attachments).length === 0) return value
  const text = JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === 'string'
      ? inner.replace(/attachment:\/\/(\w+)/g, (name, hash: string) => attachments[hash] ?? name)
      : inner,
  )
  return text === undefined ? value : (JSON.parse(text) as T)
}

/** Returns a text as it is; for a conversation, the last message of the user. */
function findQuestion(input: unknown): string | null {
  if (!Array.isArray(input)) return readText(input)
  const messages = z.array(z.looseObject({ role: z.unknown(), content: z.unknown() })).safeParse(input)
  const message = messages.data?.findLast(message => message.role === 'user') ?? messages.data?.at(-1)
  return message === undefined ? null : readContent(message.content).text
}

/**
 * Returns the argument of a call to the submit tool; null for other calls. When the sample ended by itself, the
 * tool may have any name.
 */
function readSubmission({ name, args }: ForeignCall, { limit, error }: InspectSample): string | null {
  if (name !== 'submit' && ((limit ?? null) !== null || (error ?? null) !== null)) return null
  return readText(z.object({ answer: z.unknown() }).safeParse(args).data?.answer)
}

/**
 * Returns the argument of the submit tool, otherwise the output that Inspect AI scores, otherwise the agent's last
 * text.
 */
function findAnswer(messages: ForeignAttempt['messages'], sample: InspectSample): string | null {
  const message = sample.output?.choices?.[0]?.message
  const calls = (message?.tool_calls ?? []).map(readCall)
  const submitted = calls.map(call => readSubmission(call, sample)).find(answer => answer !== null)
  if (submitted !== undefined) return submitted
  const output = sample.output?.completion ?? readContent(message?.content).text
  if (calls.length === 0 && output !== '') return output
  const last = messages.at(-1)
  return last?.role === 'assistant' && last.calls.length === 0 && last.text !== '' ? last.text : null
}

function convertSample(header: InspectHeader, written: InspectSample): ForeignAttempt {
  const { messages: said, input, output, attachments } = written
  const sample = { ...written, ...withAttachments({ messages: said, input, output }, attachments ?? {}) }
  const { id, epoch } = sample
  const facts = turnFacts(sample)
  const none = { at: null, usage: null, finishReason: null }
  const messages = readConversation(sample.messages ?? [], message => facts.get(message.id ?? '') ?? none)
  const task = header.eval.task ?? null
  const answerText = findAnswer(messages, sample)
  const original = readOriginal(written.metadata, conversationTexts(messages))
  return {
    ...unreportedFields,
    sourceId: sampleName(id, epoch),
    taskId: readId(id),
    question: findQuestion(sample.input),
    benchmark: task,
    domain: task,
    model: header.eval.model ?? sample.output?.model ?? null,
    trial: (epoch ?? 1) - 1,
    messages,
    answerText,
    end: readEnd(sample, header.status ?? null, answerText !== null),
    usage: readUsage(sample),
    startedAt: readTime(sample.started_at),
    endedAt: readTime(sample.completed_at),
    ...nameRepetition(header, written),
    ...(original !== null && { original }),
  }
}

/** Names the sample among its repetitions: `inspect eval-retry` writes a log with the same task id, of which the latest counts. */
function nameRepetition(
  { eval: { task_id, eval_id, created } }: InspectHeader,
  { id, epoch, uuid }: InspectSample,
): Partial<ForeignAttempt> {
  const name = sampleName(id, epoch)
  const number = Date.parse(created ?? '')
  return {
    // Older logs have no uuid.
    ...(typeof uuid === 'string' ? { uuid } : typeof eval_id === 'string' && { uuid: `${eval_id} ${name}` }),
    ...(typeof task_id === 'string' &&
      name !== null && { retry: { of: `${task_id} ${name}`, number: Number.isNaN(number) ? 0 : number } }),
  }
}

async function* readSamples(path: string): AsyncGenerator<ReadRecord> {
  const log = await openLog(path)
  const header = inspectHeaderSchema.safeParse(log.header)
  if (!header.success) throw notInspectLog(path, "it does not contain 'eval'")
  const status = header.data.error?.message ?? header.data.status ?? 'unknown'
  if (log.samples.length === 0) {
    yield { line: 1, problem: `a log without samples (${status})` }
    return
  }
  const presentNames = new Set<string>()
  for (const [index, { name, read: readSampleJson }] of log.samples.entries()) {
    const record = await readSample(header.data, readSampleJson)
    for (const sampleId of [name, 'attempt' in record ? record.attempt.sourceId : null])
      if (sampleId !== null) presentNames.add(sampleId)
    yield { line: index + 1, ...record }
  }
  if (header.data.results?.total_samples === log.samples.length) return
  for (const [index, name] of missingSamples(header.data, presentNames).entries())
    yield {
      line: log.samples.length + index + 1,
      problem: `${name}: not in the log, which ended as: ${status}`,
    }
}

/**
 * Reads one sample. A sample that cannot be unpacked or parsed is reported and the others are still read: a killed
 * run leaves its last sample incomplete.
 */
async function readSample(
  header: InspectHeader,
  readJson: () => unknown,
): Promise<{ readonly attempt: ForeignAttempt } | { readonly problem: string }> {
  try {
    const sample = inspectSampleSchema.safeParse(await readJson())
    return sample.success
      ? { attempt: convertSample(header, sample.data) }
      : { problem: describeZodProblem(sample.error, 'sample') }
  } catch (error) {
    if (error instanceof DataError) return { problem: error.message }
    if (error instanceof RangeError) return { problem: describeDepth(error) }
    throw error
  }
}

/** Reads Inspect AI logs, .json and .eval. */
export const readInspect: ReadLog = readSamples
