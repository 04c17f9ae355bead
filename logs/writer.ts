import { closeSync, existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import pino from 'pino'
import type { Clock } from '../src/core/runtime.ts'
import { makeFile } from '../src/system/files.ts'
import { withTextChecksum } from '../src/system/record-checksum.ts'
import { withErrorPath } from '../src/system/system-errors.ts'
import { type BlobStore, longestInlineChars, storedText } from './blobs.ts'
import type { StoredText } from './event-parts.ts'
import type { EventBody } from './events.ts'
import { redactorFor } from './redact.ts'

/** The trace of one attempt, open for writing. */
export interface Trace {
  /**
   * Writes one line. Does nothing after `close`.
   *
   * @param step - the model turn; 0 before the first
   * @param atMs - when the event happened; now by default
   * @throws the error of an earlier write that failed in the background
   */
  emit(step: number, body: EventBody, atMs?: number): void
  /** Writes what is pending and closes the file. Calling it again does nothing. */
  close(): Promise<void>
}

/** What a trace needs to be opened. */
export interface TraceOptions {
  /** The run's folder. */
  readonly folder: string
  /** Must be safe as a file name. */
  readonly attemptId: string
  readonly clock: Clock
  readonly blobs: BlobStore
  /** Texts that must not be written, besides the registered secrets and what looks like a secret. */
  readonly secrets: readonly string[]
}

/** Returns the path of an attempt's trace in its run's folder. */
export function tracePath(folder: string, attemptId: string): string {
  return join(folder, 'traces', `${attemptId}.jsonl`)
}

/**
 * Events that are written at once, together with all pending ones: those before a request leaves this process, and
 * the last event.
 */
const writtenAtOnce: ReadonlySet<EventBody['type']> = new Set([
  'attempt-started',
  'model-called',
  'tool-called',
  'terminated',
])

/**
 * Starts the trace of an attempt. Every line ends with its checksum. An event that announces a request is on disk
 * before the request is sent. All other events are written within the same turn of the event loop, so that a killed
 * process loses at most part of one line.
 *
 * @param earlier - what happens to an existing trace; 'refuse' fails with EEXIST
 * @throws a system error when the folder cannot be written
 */
export async function openTrace(
  options: TraceOptions,
  earlier: 'replace' | 'refuse' = 'replace',
): Promise<Trace> {
  const { attemptId, blobs, clock } = options
  const path = tracePath(options.folder, attemptId)
  const file = await openFile(path, earlier === 'refuse')
  const redactor = redactorFor(options.secrets)
  const id = `"attemptId":${JSON.stringify(attemptId)}`
  let seq = 0
  let isOpen = true
  const writer = createLineWriter(file, path)
  return {
    emit(step, body, atMs = clock.now()) {
      if (!isOpen) return
      writer.throwEarlierFailure()
      const place = `{${id},"seq":${seq++},"at":"${isoTime(atMs)}","step":${step},`
      const fields = formatFields(body)
      // Events with few characters cannot contain a long text.
      const shortened = fields.length > longestInlineChars ? formatFields(withBlobs(body, blobs)) : fields
      writer.add(`${withTextChecksum(redactor.json(place + shortened))}\n`)
      if (writtenAtOnce.has(body.type)) writer.flush()
      else writer.flushSoon()
    },
    async close() {
      if (!isOpen) return
      isOpen = false
      try {
        writer.flush()
      } finally {
        closeSync(file)
      }
    },
  }
}

/** Collects lines and writes them to an open file: at once, or at the end of the turn of the event loop. */
function createLineWriter(file: number, path: string) {
  let waiting = ''
  let planned: NodeJS.Immediate | null = null
  let failure: { readonly error: unknown } | null = null
  const flush = (): void => {
    if (planned !== null) clearImmediate(planned)
    planned = null
    const text = waiting
    waiting = ''
    if (text === '') return
    try {
      writeFileSync(file, text)
    } catch (error) {
      throw withErrorPath(error, path)
    }
  }
  // No caller waits for this write, so the next event reports the failure.
  const flushInBackground = (): void => {
    try {
      flush()
    } catch (error) {
      failure = { error }
    }
  }
  return {
    add: (line: string): void => void (waiting += line),
    flush,
    flushSoon: (): void => void (planned ??= setImmediate(flushInBackground)),
    throwEarlierFailure(): void {
      if (failure !== null) throw failure.error
    },
  }
}

let lastLine = ''
/** Shared by all traces: creating a logger costs as much as a dozen lines. */
const logger = pino(
  { base: null, timestamp: false, formatters: { level: () => ({ level: 0 }) } },
  { write: line => void (lastLine = line) },
)
const head = '{"level":0,"event":{'

/** Returns an event as pino writes it, without its opening brace. As a single field, pino serialises it in one pass. */
function formatFields(event: EventBody): string {
  logger.info({ event })
  return lastLine.slice(head.length, -'}\n'.length)
}

let lastTime = { ms: Number.NaN, iso: '' }

/** Formats a time. The last result is reused, because many events share one millisecond. */
function isoTime(ms: number): string {
  if (lastTime.ms !== ms) lastTime = { ms, iso: new Date(ms).toISOString() }
  return lastTime.iso
}

async function openFile(path: string, onlyNew: boolean): Promise<number> {
  // Only the last folder is created: the folder of a run that was moved away must not reappear empty.
  if (!existsSync(dirname(path))) mkdirSync(dirname(path))
  return await makeFile(path, onlyNew ? 'wx' : 'w')
}

/** Moves long texts that a caller left inline to the blobs, so that lines stay short. */
function withBlobs(body: EventBody, blobs: BlobStore): EventBody {
  const shortened = (stored: StoredText): StoredText =>
    'text' in stored ? storedText(stored.text, blobs) : stored
  switch (body.type) {
    case 'model-called':
      return {
        ...body,
        messages: body.messages.map(message => ({ ...message, content: shortened(message.content) })),
      }
    case 'model-answered':
      return {
        ...body,
        text: shortened(body.text),
        reasoning: body.reasoning === null ? null : shortened(body.reasoning),
        toolCalls: body.toolCalls.map(call => ({ ...call, args: withoutLongArgs(call.args, blobs) })),
      }
    case 'tool-called':
      return { ...body, args: withoutLongArgs(body.args, blobs) }
    case 'tool-answered':
      return { ...body, text: shortened(body.text) }
    case 'checkpoint':
      return { ...body, answer: shortened(body.answer) }
    default:
      return body
  }
}

/** Moves long arguments to the blobs. They are usually short, but a model can write arguments of any length. */
function withoutLongArgs(args: unknown, blobs: BlobStore): unknown {
  const json = JSON.stringify(args) ?? ''
  return json.length > longestInlineChars ? { blob: blobs.put(json) } : args
}
