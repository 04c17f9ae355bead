import { open, readFile } from 'node:fs/promises'
import { dirname } from 'node:path/posix'
import { z } from 'zod/v4'
import { DataError } from '../../src/core/errors.ts'
import { describeZodProblem } from '../../src/core/zod-problems.ts'
import { openZip, type ZipFile } from '../../src/system/zip.ts'
import { isObject } from '../../src/text/json.ts'
import { oneLine, readFirstLine } from '../../src/text/plain-text.ts'
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
import {
  entryName,
  type InspectHeader,
  type InspectSample,
  inspectHeaderSchema,
  inspectSampleSchema,
  missingSamples,
  sampleName,
} from './inspect-log.ts'
import { flattenEvents, readUsage } from './inspect-usage.ts'
import { describeDepth, parseJson, readJsonValue } from './json-records.ts'
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

function errorEnd(words: string, status: string | null): ForeignEnd {
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
    return errorEnd(typeof error === 'string' ? error : (error.message ?? 'error'), status)
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
function submittedBy({ name, args }: ForeignCall, { limit, error }: InspectSample): string | null {
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
  const submitted = calls.map(call => submittedBy(call, sample)).find(answer => answer !== null)
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

interface SampleFile {
  /** `ID#EPOCH`, known even when the sample is unreadable; null when no id is found. */
  readonly name: string | null
  readonly read: () => unknown
}

interface InspectFile {
  readonly header: unknown
  readonly samples: readonly SampleFile[]
}

const namedSchema = inspectSampleSchema.pick({ id: true, epoch: true }).catch({})

function readSampleName(sample: unknown): string | null {
  const { id, epoch } = namedSchema.parse(sample)
  return sampleName(id, epoch)
}

/**
 * Opens a .json log or an .eval archive, which contains header.json (_journal/start.json while the run is active)
 * and samples/*.json.
 */
async function openLog(path: string): Promise<InspectFile> {
  if (!(await isArchive(path))) {
    const log = await asJson(readJsonValue(path), path)
    if (!isObject(log)) throw notInspectLog(path, 'it is not a JSON object')
    const samples = Array.isArray(log.samples) ? (log.samples as unknown[]) : []
    return {
      header: log,
      samples: samples.map(sample => ({ name: readSampleName(sample), read: () => sample })),
    }
  }
  const entries = openArchive(await readFile(path), path)
  const readEntry = (entry: ZipFile) =>
    asJson(
      Promise.resolve().then(() => parseJson(unpackText(entry, path).replace(/^\uFEFF/, ''))),
      `${path}: ${entry.name}`,
    )
  const header = entries.get('header.json')
  const start = entries.get('_journal/start.json')
  if (header === undefined && start === undefined)
    throw notInspectLog(path, 'it does not contain header.json')
  const samples = [...entries.values()].filter(({ name }) => /^samples\/.*\.json$/.test(name))
  const chunked = samples.filter(({ name }) => /_epoch_\d+\/sample\.json$/.test(name))
  const folders = chunked.map(({ name }) => dirname(name))
  const whole = samples.filter(({ name }) => !folders.some(folder => name.startsWith(`${folder}/`)))
  return {
    header:
      header === undefined
        ? { ...((await readEntry(start!)) as object), status: 'started' }
        : await readEntry(header),
    samples: [
      ...whole.map(entry => ({ name: entryName(entry.name), read: () => readEntry(entry) })),
      ...folders.map(folder => ({
        name: entryName(folder),
        read: () => {
          throw new DataError(`${path}: ${folder}: samples stored in chunks are not supported`, {
            code: 'unsupported-archive',
          })
        },
      })),
    ],
  }
}

/** Whether a file begins as a ZIP archive. */
async function isArchive(path: string): Promise<boolean> {
  const file = await open(path).catch((cause: NodeJS.ErrnoException) => {
    throw new DataError(`${path}: the log cannot be read (${cause.code})`, { code: 'unreadable-log', cause })
  })
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(4), 0, 4, 0)
    return bytesRead === 4 && buffer.readUInt32LE(0) === 0x04034b50
  } finally {
    await file.close()
  }
}

/** Samples of logs are much smaller. */
const maxSampleBytes = 256 * 1024 * 1024

/** The files of an archive by name. */
function openArchive(bytes: Uint8Array, path: string): ReadonlyMap<string, ZipFile> {
  try {
    return openZip(bytes, maxSampleBytes)
  } catch (cause) {
    throw new DataError(
      `${path}: not a readable ZIP archive (${readFirstLine(cause)}). Copy the log again.`,
      { cause, code: 'damaged-zip' },
    )
  }
}

function unpackText(file: ZipFile, path: string): string {
  try {
    return file.text()
  } catch (cause) {
    const fix = `'inspect log convert --to json --output-dir DIR' writes a log that can be read`
    throw new DataError(`${path}: ${file.name}: cannot be unpacked: ${readFirstLine(cause)}. ${fix}.`, {
      cause,
      code: 'damaged-zip',
    })
  }
}

function notInspectLog(path: string, why: string): DataError {
  return new DataError(`${path}: not an Inspect AI log: ${why}; check the format`, {
    code: 'wrong-log-format',
  })
}

/** @throws DataError `not-json` that names the place */
async function asJson(value: unknown, place: string): Promise<unknown> {
  try {
    return await value
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    throw new DataError(`${place}: not JSON: ${oneLine(error.message)}`, { code: 'not-json' })
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
