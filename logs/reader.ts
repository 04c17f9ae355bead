import { readFile } from 'node:fs/promises'
import { DataError } from '../src/core/errors.ts'
import { zodProblemOf } from '../src/core/zod-problems.ts'
import { hasValidTextChecksum } from '../src/system/record-checksum.ts'
import { firstLineOf } from '../src/text/plain-text.ts'
import { envelopeSchema, eventBodySchema, type TraceEvent } from './events.ts'
import { tracePath } from './writer.ts'

/** The events of a trace. */
export interface ReadTrace {
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
 * @throws DataError `unreadable-trace` or `damaged-trace`
 */
export async function readTraceFile(path: string): Promise<ReadTrace> {
  let content: string
  try {
    content = await readFile(path, 'utf8')
  } catch (cause) {
    throw new DataError(`${path}: the trace cannot be read (${(cause as NodeJS.ErrnoException).code})`, {
      code: 'unreadable-trace',
      cause,
    })
  }
  return parseTrace(content, path)
}

/**
 * Parses the content of a trace.
 *
 * @param place - name of the trace in error messages
 * @param isWanted - selects the lines to parse; all by default
 * @throws DataError `damaged-trace` for an invalid line other than an incomplete last one
 */
export function parseTrace(
  content: string,
  place: string,
  isWanted: (line: string) => boolean = () => true,
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
    else throw damagedTrace(`${place}:${index + 1}`, event.problem)
  }
  return { events, halfLine }
}

function damagedTrace(place: string, problem: string): DataError {
  return new DataError(`${place}: not a trace event: ${problem}`, { code: 'damaged-trace' })
}

type ParsedLine = { success: true; event: TraceEvent } | { success: false; problem: string }

function parseLine(line: string): ParsedLine {
  if (!hasValidTextChecksum(line)) return { success: false, problem: 'damaged: its checksum does not match' }
  let data: unknown
  try {
    data = JSON.parse(line)
  } catch (error) {
    return { success: false, problem: firstLineOf(error) }
  }
  // Two separate schemas: a zod intersection is much slower, because it merges both results.
  const [envelope, body] = [envelopeSchema.safeParse(data), eventBodySchema.safeParse(data)]
  // Both results are new objects, and a literal with two spreads takes several times as long.
  if (envelope.success && body.success)
    return { success: true, event: Object.assign(envelope.data, body.data) }
  return { success: false, problem: zodProblemOf((envelope.error ?? body.error)!, 'the line') }
}
