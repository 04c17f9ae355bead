import { closeSync, existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import pino from 'pino'
import { sealText } from '../src/core/checksum.ts'
import { makeFile } from '../src/core/make-file.ts'
import type { Clock } from '../src/core/runtime.ts'
import { atPath } from '../src/core/system-errors.ts'
import { type BlobStore, longestInlineChars, storedText } from './blobs.ts'
import type { EventBody, StoredText } from './events.ts'
import { redactorFor } from './redact.ts'

/** One attempt's trace, open for writing. */
export interface Trace {
  /**
   * Writes one line at once; `step` is the model turn, 0 before the first, `atMs` when it happened (absent: now).
   * Ignored after close.
   */
  emit(step: number, body: EventBody, atMs?: number): void
  /** Ends the file; may be called twice. */
  close(): Promise<void>
}

export interface TraceOptions {
  /** The run's folder. */
  readonly folder: string
  /** Safe as a file name. */
  readonly attemptId: string
  readonly clock: Clock
  readonly blobs: BlobStore
  /** Literal values that must not be written, beside all that looks like a secret. */
  readonly secrets: readonly string[]
}

/** Where an attempt's trace stands in its run's folder. */
export function tracePath(folder: string, attemptId: string): string {
  return join(folder, 'traces', `${attemptId}.jsonl`)
}

/** Events before something leaves this process, and the ends of a trace: written at once, with all before them. */
const written: ReadonlySet<EventBody['type']> = new Set([
  'attempt-started',
  'model-called',
  'tool-called',
  'terminated',
])

/**
 * Begins the trace of an attempt. Lines end in their checksum. An event is on disk before the request that it tells of goes
 * out, any other within the same turn of the event loop, so that a killed process leaves all that it did but perhaps half a
 * line. Fails where the folder can't be written, and with EEXIST where `earlier`, a trace that is there, is to be refused.
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
      throw atPath(error, path)
    }
  }
  // Nobody waits for it: what goes wrong is told to the next who emits.
  const flushLater = (): void => {
    try {
      flush()
    } catch (error) {
      failure = { error }
    }
  }
  return {
    emit(step, body, atMs = clock.now()) {
      if (!isOpen) return
      if (failure !== null) throw failure.error
      const place = `{${id},"seq":${seq++},"at":"${isoTime(atMs)}","step":${step},`
      const fields = fieldsOf(body)
      // Short ones hold no long text.
      const kept = fields.length > longestInlineChars ? fieldsOf(withBlobs(body, blobs)) : fields
      waiting += `${sealText(redactor.json(place + kept))}\n`
      if (written.has(body.type)) flush()
      else planned ??= setImmediate(flushLater)
    },
    async close() {
      if (!isOpen) return
      isOpen = false
      try {
        flush()
      } finally {
        closeSync(file)
      }
    },
  }
}

let lastLine = ''
/** One for all traces: making one costs as much as a dozen lines. */
const lines = pino(
  { base: null, timestamp: false, formatters: { level: () => ({ level: 0 }) } },
  { write: line => void (lastLine = line) },
)
const level = '"level":0,'

/** An event as pino writes it, without the brace, the level and the line's end. */
function fieldsOf(body: EventBody): string {
  lines.info(body)
  return lastLine.slice(1 + level.length, -1)
}

let lastTime = { ms: Number.NaN, iso: '' }

/** Many events fall into one millisecond. */
function isoTime(ms: number): string {
  if (lastTime.ms !== ms) lastTime = { ms, iso: new Date(ms).toISOString() }
  return lastTime.iso
}

async function openFile(path: string, onlyNew: boolean): Promise<number> {
  // Of the folders the last alone: a run's folder that was moved away must not come back empty.
  if (!existsSync(dirname(path))) mkdirSync(dirname(path))
  return await makeFile(path, onlyNew ? 'wx' : 'w')
}

/** Long texts that a caller left in place go to the blobs here, so that no line grows without bound. */
function withBlobs(body: EventBody, blobs: BlobStore): EventBody {
  const kept = (stored: StoredText): StoredText =>
    'text' in stored ? storedText(stored.text, blobs) : stored
  switch (body.type) {
    case 'model-called':
      return {
        ...body,
        messages: body.messages.map(message => ({ ...message, content: kept(message.content) })),
      }
    case 'model-answered':
      return {
        ...body,
        text: kept(body.text),
        reasoning: body.reasoning === null ? null : kept(body.reasoning),
        toolCalls: body.toolCalls.map(call => ({ ...call, args: keptArgs(call.args, blobs) })),
      }
    case 'tool-called':
      return { ...body, args: keptArgs(body.args, blobs) }
    case 'tool-answered':
      return { ...body, text: kept(body.text) }
    case 'checkpoint':
      return { ...body, answer: kept(body.answer) }
    default:
      return body
  }
}

/** Arguments are short, unless a model goes wild: then their JSON goes to the blobs. */
function keptArgs(args: unknown, blobs: BlobStore): unknown {
  const json = JSON.stringify(args) ?? ''
  return json.length > longestInlineChars ? { blob: blobs.put(json) } : args
}
