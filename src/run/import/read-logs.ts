import { basename, dirname, join, resolve } from 'node:path'
import type { ForeignAttempt } from '../../../logs/import/foreign-log.ts'
import { firstRecord } from '../../../logs/import/json-records.ts'
import { logPieces } from '../../../logs/import/log-text.ts'
import { logFormats } from '../../../logs/import/registry.ts'
import { ConfigError, DataError } from '../../core/errors.ts'
import { ifMissing, readTextFile, whyUnreadable } from '../../system/files.ts'
import { sha256OfFile } from '../../system/hash.ts'

/** An attempt of a log with its place, `FILE:LINE`. */
export interface ForeignRecord {
  readonly place: string
  /** The absolute path of the file. */
  readonly file: string
  readonly attempt: ForeignAttempt
}

/** A record that was left out, with the reason. */
export interface SkippedLogRecord {
  readonly place: string
  readonly line: number
  readonly problem: string
}

/** The records of all log files of an import. */
export interface ReadLogs {
  readonly records: readonly ForeignRecord[]
  readonly skipped: readonly SkippedLogRecord[]
  /** Files with the same bytes as an earlier file. Their attempts count as further trials. */
  readonly copies: readonly LogCopy[]
}

/** A log file with the same bytes as another. */
export interface LogCopy {
  readonly file: string
  readonly original: string
}

/**
 * Reads the attempts of log files.
 *
 * @param questions a file with the questions of samples that have none; null: the file that the format has beside a log
 * @throws ConfigError [unknown-log-format, unreadable-questions] DataError [wrong-log-format, empty-log,
 * no-attempts-in-logs], and those of the format
 */
export async function readLogs(
  format: string,
  files: readonly string[],
  questions: string | null,
): Promise<ReadLogs> {
  const { load, questionsFile } = logFormats.get(format)
  const readRecords = await load()
  const logs = listDistinctFiles(files).filter(
    file => questionsFile === undefined || basename(file) !== questionsFile,
  )
  for (const file of logs) await requireFormat(format, file)
  const records: ForeignRecord[] = []
  const skipped: SkippedLogRecord[] = []
  const empty: string[] = []
  for (const file of logs) {
    if (await isEmpty(file)) {
      empty.push(file)
      skipped.push({ place: basename(file), line: 1, problem: 'the file is empty' })
      continue
    }
    const questionById = await readQuestions(file, questions, questionsFile)
    for await (const record of readRecords(file)) {
      const { line } = record
      const place = `${basename(file)}:${line}`
      if ('attempt' in record) {
        const attempt = withQuestion(record.attempt, questionById)
        records.push({ place, file: resolve(file), attempt })
        for (const problem of attempt.parts?.problems ?? []) skipped.push({ place, line, problem })
      } else
        skipped.push({
          place,
          line,
          problem: record.code === undefined ? record.problem : `${record.problem} [${record.code}]`,
        })
    }
  }
  if (records.length === 0)
    throw makeNoAttemptsError(format, logs, empty.length === logs.length ? [] : skipped)
  const { counted, replaced } = withoutRetried(records)
  return { records: counted, skipped: [...skipped, ...replaced], copies: await findCopies(logs) }
}

/** Names each file once. */
function listDistinctFiles(files: readonly string[]): string[] {
  return [...new Map(files.map(file => [resolve(file), file])).values()]
}

async function findCopies(files: readonly string[]): Promise<LogCopy[]> {
  const originals = new Map<string, string>()
  const copies: LogCopy[] = []
  for (const file of files) {
    const hash = await sha256OfFile(file)
    const original = originals.get(hash)
    if (original === undefined) originals.set(hash, file)
    else copies.push({ file, original })
  }
  return copies
}

/** Whether a file contains nothing but white space. */
async function isEmpty(file: string): Promise<boolean> {
  for await (const piece of logPieces(file)) if (piece.trim() !== '') return false
  return true
}

/** Refuses a file that is recognised as a log of another format only. */
async function requireFormat(format: string, file: string): Promise<void> {
  const { recognises } = logFormats.get(format)
  if (recognises === undefined) return
  const first = await firstRecord(file)
  if (first === undefined || recognises(first)) return
  const formats = logFormats
    .entries()
    .flatMap(([name, entry]) => (entry.recognises?.(first) === true ? [name] : []))
  const [suggestion] = formats
  if (suggestion === undefined) return
  throw new DataError(
    `${file}: this is not a log of the format ${format}, but of ${formats.join(' or ')}. Write: tablehunt logs import ${suggestion}`,
    { code: 'wrong-log-format' },
  )
}

function makeNoAttemptsError(
  format: string,
  files: readonly string[],
  skipped: readonly SkippedLogRecord[],
): DataError {
  const [first] = skipped
  if (first === undefined)
    return new DataError(
      `${files.join(', ')}: no attempt could be imported, because the files contain no records. Check that the agent has written its logs there.`,
      { code: 'empty-log' },
    )
  return new DataError(
    `no attempt could be imported: ${first.place}: ${first.problem}. Check that the format of the files is ${format}.`,
    { code: 'no-attempts-in-logs' },
  )
}

/** Reads the questions of samples by their ids: an id, a tab and the question per line. */
async function readQuestions(
  file: string,
  questionsPath: string | null,
  beside: string | undefined,
): Promise<ReadonlyMap<string, string>> {
  if (questionsPath === null && beside === undefined) return new Map()
  const path = questionsPath ?? join(dirname(file), beside ?? '')
  const text = await readTextFile(path).catch((error: unknown) => {
    if (questionsPath === null) return ifMissing(error)
    throw new ConfigError(`--questions ${questionsPath}: ${whyUnreadable(error)}. Correct the path.`, {
      code: 'unreadable-questions',
      cause: error,
    })
  })
  const lines = (text ?? '').split(/\r?\n/).flatMap(line => {
    const tab = line.indexOf('\t')
    return tab === -1 ? [] : [[line.slice(0, tab).trim(), line.slice(tab + 1).trim()] as const]
  })
  if (questionsPath !== null && lines.length === 0)
    throw new ConfigError(
      `--questions ${questionsPath}: no line has an id, a tab and a question. Write one such line per question.`,
      { code: 'unreadable-questions' },
    )
  return new Map(lines)
}

function withQuestion(attempt: ForeignAttempt, questions: ReadonlyMap<string, string>): ForeignAttempt {
  const question = attempt.question ?? questions.get(attempt.taskId ?? '') ?? null
  return { ...attempt, question }
}

/**
 * Leaves out the attempts that the agent's runner repeated, of which the last one counts, further copies of an attempt
 * that several logs contain, and files that are parts of another attempt.
 */
function withoutRetried(records: readonly ForeignRecord[]): {
  readonly counted: readonly ForeignRecord[]
  readonly replaced: readonly SkippedLogRecord[]
} {
  const latest = new Map<string, number>()
  for (const { attempt } of records)
    if (attempt.retry !== undefined)
      latest.set(attempt.retry.of, Math.max(attempt.retry.number, latest.get(attempt.retry.of) ?? 0))
  const uuids = new Set<string>()
  const parts = new Set<string>()
  // A part that refers back to its attempt does not remove it.
  for (const { file, attempt } of records)
    if (!parts.has(file)) for (const part of attempt.parts?.read ?? []) parts.add(part)
  const counted: ForeignRecord[] = []
  const replaced: SkippedLogRecord[] = []
  for (const record of records) {
    const { place, attempt } = record
    const { retry, uuid } = attempt
    const isRepeated = retry !== undefined && retry.number < (latest.get(retry.of) ?? 0)
    const isCopy = uuid !== undefined && uuids.has(uuid)
    const isPart = parts.has(record.file)
    if (!(isRepeated || isCopy || isPart)) {
      counted.push(record)
      if (uuid !== undefined) uuids.add(uuid)
      continue
    }
    const name = attempt.sourceId ?? place
    const problem = isPart
      ? `${name} is part of an attempt in another file; it counts once`
      : isRepeated
        ? `${name} was repeated; the last repetition counts`
        : `${name} is also in another log; it counts once`
    replaced.push({ place, line: 1, problem })
  }
  return { counted, replaced }
}
