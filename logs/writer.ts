import { appendFileSync, closeSync, mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import pino from 'pino'
import { sealText } from '../src/core/checksum.ts'
import { makeFile } from '../src/core/make-file.ts'
import type { Clock } from '../src/core/runtime.ts'
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
 * Begins the trace of an attempt, in place of one that an interrupted run left. Lines end in their checksum. An event is on
 * disk before the request that it tells of goes out, any other within the same turn of the event loop, so that a killed
 * process leaves all that it did but perhaps half a line. Fails where the folder can't be written.
 */
export async function openTrace(options: TraceOptions): Promise<Trace> {
  const { attemptId, blobs, clock } = options
  const file = await openFile(tracePath(options.folder, attemptId))
  const redactor = redactorFor(options.secrets)
  let seq = 0
  let isOpen = true
  let waiting = ''
  let planned: NodeJS.Immediate | null = null
  let failure: { readonly error: unknown } | null = null
  const flush = (): void => {
    if (planned !== null) clearImmediate(planned)
    planned = null
    const lines = waiting
    waiting = ''
    if (lines !== '') appendFileSync(file, lines)
  }
  // Nobody waits for it: what goes wrong is told to the next who emits.
  const flushLater = (): void => {
    try {
      flush()
    } catch (error) {
      failure = { error }
    }
  }
  const write = (line: string): void => {
    waiting += `${sealText(redactor.json(line.trimEnd()))}\n`
  }
  // Pino begins each line with its level; the attempt's id stands there instead.
  const format = { base: null, timestamp: false, formatters: { level: () => ({ attemptId }) } }
  const lines = pino(format, { write })
  return {
    emit(step, body, atMs = clock.now()) {
      if (!isOpen) return
      if (failure !== null) throw failure.error
      const at = new Date(atMs).toISOString()
      lines.info({ seq: seq++, at, step, ...withBlobs(body, blobs) })
      if (written.has(body.type)) flush()
      else planned ??= setImmediate(flushLater)
    },
    async close() {
      if (!isOpen) return
      isOpen = false
      flush()
      closeSync(file)
    },
  }
}

async function openFile(path: string): Promise<number> {
  mkdirSync(dirname(path), { recursive: true })
  return await makeFile(path)
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
