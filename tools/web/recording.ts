import { appendFile, readFile, truncate } from 'node:fs/promises'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod/v4'
import { ConfigError, DataError } from '../../src/core/errors.ts'
import { describeZodProblem } from '../../src/core/zod-problems.ts'
import { writeFileAtomically } from '../../src/system/atomic-write.ts'
import { makeFolder } from '../../src/system/files.ts'
import { sha256 } from '../../src/system/hash.ts'
import { readFirstLine } from '../../src/text/plain-text.ts'
import { corpusEntrySchema } from './corpus.ts'

const count = z.int().min(0)

/** One request and its result: a line of index.jsonl. Bodies are stored in bodies/SHA256. */
const exchangeSchema = z.object({
  /** The key of the canonical request. */
  key: z.string(),
  /** The attempt that sent the request; null outside attempts. */
  attemptId: z.string().nullable(),
  /** How often the attempt had sent the same request before. */
  repeat: count,
  method: z.string(),
  url: z.string(),
  body: z.string().nullable(),
  purpose: z.enum(['page', 'service']),
  at: z.string(),
  answer: z
    .object({
      status: z.int(),
      headers: z.record(z.string(), z.string()),
      /** The name of the file in `bodies`. Recordings come from strangers, too, so that nothing else is opened. */
      bodySha256: z.string().regex(/^[0-9a-f]{64}$/),
      bytes: count,
      finalUrl: z.string(),
    })
    .nullable(),
  failure: z
    .object({
      errorClass: z.enum([
        'bad-input',
        'blocked',
        'timeout',
        'too-large',
        'network',
        'not-found',
        'replay-miss',
      ]),
      message: z.string(),
      infrastructure: z.boolean(),
      /** The rule of the block list; null for other failures. */
      rule: z.string().nullable(),
    })
    .nullable(),
})
/** One request and its result. */
export type RecordedExchange = z.infer<typeof exchangeSchema>

const headSchema = z.object({
  format: z.literal('tablehunt-recording-1'),
  /** The web that was recorded: live or sealed. */
  source: z.string(),
  /** The documents of a sealed web, so that replays can be measured like the run; null for other webs. */
  entries: z.array(corpusEntrySchema).nullable(),
  /** The search service of a live web; null for a sealed web and in recordings of older versions. */
  search: z
    .object({
      service: z.string(),
      /** The base URL that the operator set; null for the service's own. */
      baseUrl: z.string().nullable(),
    })
    .nullable()
    .default(null),
  /** The date that prompts stated when the recording began; null in recordings of older versions. */
  date: z.string().nullable().default(null),
})
/** The search service that a recording used. */
export type RecordedSearch = z.infer<typeof headSchema>['search']
/** What a recording states about itself. */
export type RecordingHead = Omit<z.infer<typeof headSchema>, 'format'>

/** A recording's folder: recording.json, index.jsonl, bodies/. */
export interface Recording {
  readonly head: RecordingHead
  readonly exchanges: readonly RecordedExchange[]
  body(sha256: string): Promise<Uint8Array>
}

/** Writes to a recording. Several writers of one process may share the folder. */
export interface RecordingWriter {
  write(exchange: RecordedExchange, body: Uint8Array | null): Promise<void>
}

/**
 * Opens a folder for writing. A recording of the same web is continued.
 *
 * @throws ConfigError `recording-not-writable`, or `other-recording` when the folder contains a recording of another
 * web
 */
export async function openRecordingWriter(folder: string, head: RecordingHead): Promise<RecordingWriter> {
  const earlier = await readHead(folder)
  throwIfOtherWeb(folder, earlier, head)
  try {
    await makeFolder(join(folder, 'bodies'))
    await writeFileAtomically(
      join(folder, 'recording.json'),
      writeHead({ ...head, date: earlier?.date ?? head.date }),
    )
    await dropIncompleteLine(indexPath(folder))
  } catch (cause) {
    throw new ConfigError(
      `--record ${folder}: cannot be written (${(cause as Error).message}); choose another folder`,
      { code: 'recording-not-writable', cause },
    )
  }
  const stored = new Set<string>()
  let last: Promise<void> = Promise.resolve()
  return {
    async write(exchange, body) {
      if (body !== null && exchange.answer !== null && !stored.has(exchange.answer.bodySha256)) {
        await writeFileAtomically(join(folder, 'bodies', exchange.answer.bodySha256), body)
        stored.add(exchange.answer.bodySha256)
      }
      // Lines are written one at a time, so that concurrent attempts do not mix them.
      const line = last.then(() => appendFile(indexPath(folder), `${JSON.stringify(exchange)}\n`))
      last = line.catch(() => undefined)
      await line
    },
  }
}

/**
 * Rejects a folder with a recording of another web. A recording has one header, so a replay would be measured with
 * documents that it never served.
 */
function throwIfOtherWeb(folder: string, earlier: RecordingHead | null, head: RecordingHead): void {
  const difference = earlier === null ? null : differenceBetween(earlier, head)
  if (difference === null) return
  throw new ConfigError(`--record ${folder}: contains a recording of ${difference}; choose another folder`, {
    code: 'other-recording',
  })
}

/** Returns the head of the recording in a folder; null when the folder contains none, or one without exchanges. */
async function readHead(folder: string): Promise<RecordingHead | null> {
  const [text, index] = await Promise.all(
    [join(folder, 'recording.json'), indexPath(folder)].map(path => readFile(path, 'utf8').catch(() => '')),
  )
  return text && index?.includes('\n') ? parseHead(text, folder) : null
}

/** Returns the date that prompts stated when a recording was made; null when it is unknown. */
export async function readRecordedDate(folder: string): Promise<string | null> {
  return (await readHead(folder))?.date ?? null
}

function differenceBetween(earlier: RecordingHead, head: RecordingHead): string | null {
  if (earlier.source !== head.source) return `another web (${earlier.source}, not ${head.source})`
  if (!isDeepStrictEqual(namedDocuments(earlier), namedDocuments(head))) return 'other documents'
  const [was, is] = [earlier.search?.service, head.search?.service]
  if (was === undefined || is === undefined || was === is) return null
  return `searches with another service (${was}, not ${is})`
}

/**
 * Compares names and bytes only: a scan that becomes readable changes addresses, titles and twins, but not the
 * documents.
 */
function namedDocuments({ entries }: RecordingHead): unknown {
  if (entries === null) return null
  const originals = entries.filter(entry => entry.twinOf === null)
  return {
    own: originals.map(({ name, sha256 }) => `${name} ${sha256}`).sort(),
    twins: entries.length - originals.length,
  }
}

function writeHead(head: RecordingHead): string {
  return `${JSON.stringify({ format: 'tablehunt-recording-1', ...head })}\n`
}

function parseHead(text: string, folder: string): RecordingHead {
  return parseLine(headSchema, text, join(folder, 'recording.json'))
}

/** Removes an incomplete last line, which a killed process leaves. A line appended to it would be unreadable. */
async function dropIncompleteLine(path: string): Promise<void> {
  await appendFile(path, '')
  const bytes = await readFile(path)
  await truncate(path, bytes.lastIndexOf(10) + 1)
}

function indexPath(folder: string): string {
  return join(folder, 'index.jsonl')
}

/**
 * Reads a recording. An incomplete last line is ignored.
 *
 * @throws ConfigError `missing-recording` when the folder contains none
 * @throws DataError `damaged-recording` when it cannot be read
 */
export async function readRecording(folder: string): Promise<Recording> {
  const head = await readFile(join(folder, 'recording.json'), 'utf8').catch(
    (cause: NodeJS.ErrnoException) => {
      throw new ConfigError(
        `${folder} contains no recording (${cause.code ?? ''}); make one with --record ${folder}`,
        { code: 'missing-recording' },
      )
    },
  )
  const index = await readFile(indexPath(folder), 'utf8').catch(cause => unreadable(indexPath(folder), cause))
  const lines = index.split('\n')
  lines.pop()
  return {
    head: parseHead(head, folder),
    exchanges: lines.map((line, index) =>
      parseLine(exchangeSchema, line, `${indexPath(folder)}:${index + 1}`),
    ),
    async body(hash) {
      const path = join(folder, 'bodies', hash)
      const bytes = await readFile(path).catch(cause => unreadable(path, cause))
      if (sha256(bytes) !== hash) throw damagedRecording(`${path}: its content was changed`)
      return bytes
    },
  }
}

function damagedRecording(problem: string, cause?: unknown): DataError {
  return new DataError(`${problem}; restore the folder or record again`, { code: 'damaged-recording', cause })
}

function unreadable(path: string, cause: NodeJS.ErrnoException): never {
  throw damagedRecording(`${path}: missing from the recording (${cause.code ?? cause.message})`, cause)
}

function parseLine<T>(schema: z.ZodType<T>, text: string, place: string): T {
  try {
    return schema.parse(JSON.parse(text))
  } catch (cause) {
    const why = cause instanceof z.ZodError ? describeZodProblem(cause, 'it') : readFirstLine(cause)
    throw damagedRecording(`${place}: ${why}`, cause)
  }
}
