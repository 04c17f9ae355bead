import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { DataError } from '../src/core/errors.ts'
import { describeZodProblem } from '../src/core/zod-problems.ts'
import { requireRegularFile } from '../src/system/files.ts'
import { hasValidTextChecksum } from '../src/system/record-checksum.ts'
import { readFirstLine } from '../src/text/plain-text.ts'
import { readBlob } from './blobs.ts'
import { envelopeSchema, eventBodySchema, type TraceEvent } from './events.ts'
import { tracePath } from './writer.ts'

/** The events of a trace. */
interface ReadTrace {
  readonly events: readonly TraceEvent[]
  /** True when the file ends with an incomplete line, which is left out: the process that wrote it was stopped. */
  readonly halfLine: boolean
}

/**
 * Reads the trace of an attempt from its run's folder.
 *
 * @throws DataError `unreadable-trace` or `damaged-trace`, naming file and line
 */
export async function readTrace(folder: string, attemptId: string): Promise<ReadTrace> {
  return await readTraceFile(tracePath(folder, attemptId))
}

/**
 * Reads a trace from its file. Every line and its checksum are verified.
 *
 * @param onDamage receives each damaged line, which is then left out; by default it is an error
 * @throws DataError `unreadable-trace` or `damaged-trace`
 */
export async function readTraceFile(
  path: string,
  onDamage: (error: DataError) => void = raise,
): Promise<ReadTrace> {
  let content: string
  try {
    await requireRegularFile(path)
    content = await readFile(path, 'utf8')
  } catch (cause) {
    onDamage(cause instanceof DataError ? cause : unreadableTrace(path, cause))
    return { events: [], halfLine: false }
  }
  return parseWholeTrace(content, path, () => true, onDamage)
}

/**
 * Parses the content of a trace file. The recorded part of a forked attempt is in its place, after the event that refers to
 * it, and the events are numbered anew.
 *
 * @param isWanted selects the lines to parse
 * @param onDamage as for `parseTrace`
 */
export function parseWholeTrace(
  content: string,
  path: string,
  isWanted: (line: string) => boolean,
  onDamage: (error: DataError) => void = raise,
): ReadTrace {
  const isReference = (line: string): boolean => line.includes('"type":"forked"')
  const trace = parseTrace(content, path, line => isReference(line) || isWanted(line), onDamage)
  const at = trace.events.findIndex(({ type }) => type === 'forked')
  const forked = trace.events[at]
  if (forked?.type !== 'forked') return trace
  const { attemptId, prefix: hash } = forked
  const prefix = readPrefixFile(path, hash)
  if (prefix === null)
    onDamage(
      new DataError(
        `traces/blobs/${hash}: the recorded part of attempt ${attemptId} is missing. Run the command that made the run again: it makes this attempt again.`,
        { code: 'missing-blob' },
      ),
    )
  const { events: recorded } = parseTrace(prefix ?? '', `traces/blobs/${hash}`, isWanted, onDamage)
  const events = trace.events.toSpliced(at + 1, 0, ...recorded)
  return { ...trace, events: events.map((event, seq) => ({ ...event, attemptId, seq })) }
}

/** The events at the end of a trace, whose steps may be earlier ones. */
const endTypes: ReadonlySet<TraceEvent['type']> = new Set(['leak-found', 'answer-parsed', 'terminated'])

/**
 * Returns the events of an attempt itself: without the recorded part that a forked attempt repeats. Running totals of its
 * charges begin at 0, because nobody pays for the recorded part again.
 */
export function listOwnEvents(events: readonly TraceEvent[]): readonly TraceEvent[] {
  const at = events.findIndex(({ type }) => type === 'forked')
  const forked = events[at]
  if (forked?.type !== 'forked') return events
  const isOwn = ({ step, type }: TraceEvent): boolean => step >= forked.atStep || endTypes.has(type)
  const end = events.findIndex((event, index) => index > at && isOwn(event))
  const before = new Map<string, number>()
  return [...events.slice(0, at + 1), ...(end === -1 ? [] : events.slice(end))].map(event => {
    if (event.type !== 'budget-charged') return event
    if (!before.has(event.kind)) before.set(event.kind, event.total - event.amount)
    return { ...event, total: event.total - before.get(event.kind)! }
  })
}

/** Returns the text of a blob beside a trace; null when it is missing. */
function readPrefixFile(path: string, hash: string): string | null {
  return readBlob(join(dirname(path), 'blobs'), hash)
}

/**
 * Parses the content of a trace.
 *
 * @param place - name of the trace in error messages
 * @param isWanted - selects the lines to parse; all by default
 * @param onDamage - receives each invalid line other than an incomplete last one, which is then left out; by default it is
 *   an error
 * @throws DataError `damaged-trace`
 */
export function parseTrace(
  content: string,
  place: string,
  isWanted: (line: string) => boolean = () => true,
  onDamage: (error: DataError) => void = raise,
): ReadTrace {
  const lines = content.split('\n')
  const events: TraceEvent[] = []
  let halfLine = false
  for (const [index, line] of lines.entries()) {
    if (line === '' || !isWanted(line)) continue
    const event = parseLine(line)
    const unended = index === lines.length - 1
    if (event.success) events.push(event.event)
    else if (unended) halfLine = true
    else onDamage(createDamageError(`${place}:${index + 1}`, event.problem))
  }
  return { events, halfLine }
}

function unreadableTrace(path: string, cause: unknown): DataError {
  return new DataError(`${path}: the trace cannot be read (${(cause as NodeJS.ErrnoException).code})`, {
    code: 'unreadable-trace',
    cause,
  })
}

function raise(error: DataError): never {
  throw error
}

function createDamageError(place: string, problem: string): DataError {
  return new DataError(`${place}: not a trace event: ${problem}`, { code: 'damaged-trace' })
}

type ParsedLine = { success: true; event: TraceEvent } | { success: false; problem: string }

function parseLine(line: string): ParsedLine {
  if (!hasValidTextChecksum(line)) return { success: false, problem: 'damaged: its checksum does not match' }
  let data: unknown
  try {
    data = JSON.parse(line)
  } catch (error) {
    return { success: false, problem: readFirstLine(error) }
  }
  // Two separate schemas: a zod intersection is much slower, because it merges both results.
  const [envelope, body] = [envelopeSchema.safeParse(data), eventBodySchema.safeParse(data)]
  // Both results are new objects, and a literal with two spreads takes several times as long.
  if (envelope.success && body.success)
    return { success: true, event: Object.assign(envelope.data, body.data) }
  return { success: false, problem: describeZodProblem((envelope.error ?? body.error)!, 'the line') }
}
