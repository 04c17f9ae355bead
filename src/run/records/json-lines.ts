import { closeSync, createReadStream, openSync, readSync, writeFileSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import type { z } from 'zod/v4'
import { DataError } from '../../core/errors.ts'
import { describeZodProblem } from '../../core/zod-problems.ts'
import { replaceFileDurably } from '../../system/atomic-write.ts'
import { ifMissing, requireRegularFile } from '../../system/files.ts'
import { hasValidRecordChecksum } from '../../system/record-checksum.ts'
import { splitLines } from '../../system/text-lines.ts'

/** The bytes of a line in its file, without the newline. */
export interface LineSpan {
  readonly start: number
  readonly length: number
}

/** The text of a line. */
interface NumberedText {
  /** 1-based. */
  readonly number: number
  readonly text: string
}

export interface RecordLine extends LineSpan, NumberedText {}

const newline = 0x0a

/**
 * Yields the lines of a file that end in a newline, without blank ones. A missing file has no lines.
 *
 * @param from the first byte to read, which must begin a line. Lines are then numbered from there
 */
export async function* iterateCompleteLines(path: string, from = 0): AsyncGenerator<RecordLine> {
  await requireRegularFile(path)
  try {
    let number = 0
    for await (const { bytes, start, length, isEnded } of splitLines(
      createReadStream(path, { start: from }),
      from,
    )) {
      number++
      // A line that no text can contain is damaged; as an empty text it is no JSON either.
      if (isEnded && length > 0) yield { start, length, number, text: bytes?.toString('utf8') ?? '' }
    }
  } catch (error) {
    ifMissing(error)
  }
}

/**
 * A line that was changed after it was written: it is not JSON, or its checksum does not match. Code
 * `damaged-record`.
 */
export class DamagedLineError extends DataError {
  /** The line and what is wrong with it, without the advice of the message. */
  readonly problem: string
  constructor(problem: string) {
    super(`${problem}. Run the command that made the run again: it makes this attempt again.`, {
      code: 'damaged-record',
    })
    this.problem = problem
  }
}

/**
 * Parses a line as a record.
 *
 * @throws DamagedLineError [damaged-record] when it was changed after it was written; DataError
 * [invalid-record] when it is not a record. Both name file and line
 */
export function parseLine<T>(path: string, { number, text }: NumberedText, schema: z.ZodType<T>): T {
  const place = `${path}:${number}`
  const record = schema.safeParse(parseWholeLine(place, text))
  if (record.success) return record.data
  throw new DataError(
    `${place}: not a record of this version: ${describeZodProblem(record.error, 'the line')}. Use the version of Tablehunt that made the run.`,
    { code: 'invalid-record' },
  )
}

function parseWholeLine(place: string, text: string): unknown {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw new DamagedLineError(`${place}: damaged: ${(error as Error).message}`)
  }
  if (!hasValidRecordChecksum(value))
    throw new DamagedLineError(`${place}: damaged: its checksum does not match`)
  return value
}

/** Yields the records of a JSON-lines file. Skips a half-written last line; a missing file has no records. */
export async function* iterateRecords<T>(path: string, schema: z.ZodType<T>): AsyncGenerator<T> {
  for await (const line of iterateCompleteLines(path)) yield parseLine(path, line, schema)
}

/** Reads all records of a JSON-lines file into memory. */
export async function readRecords<T>(path: string, schema: z.ZodType<T>): Promise<T[]> {
  const records: T[] = []
  for await (const record of iterateRecords(path, schema)) records.push(record)
  return records
}

const pieceBytes = 64 * 1024

/** Returns the number of bytes up to and including the last newline of a file. */
export async function completeLength(file: FileHandle): Promise<number> {
  const { size } = await file.stat()
  for (let end = size; end > 0; ) {
    const from = Math.max(0, end - pieceBytes)
    const { buffer } = await file.read(Buffer.alloc(end - from), 0, end - from, from)
    const last = buffer.lastIndexOf(newline)
    if (last >= 0) return from + last + 1
    end = from
  }
  return 0
}

/** Reads lines of a file at known places. Without places the file may be missing. */
export function readLinesAt(path: string, spans: readonly LineSpan[]): Buffer[] {
  if (spans.length === 0) return []
  const file = openSync(path, 'r')
  try {
    return spans.map(({ start, length }) => {
      const line = Buffer.alloc(length)
      readSync(file, line, 0, length, start)
      return line
    })
  } finally {
    closeSync(file)
  }
}

/** Removes a half-written last line from a file. Returns the number of removed bytes, 0 for a missing file. */
export async function dropPartialLine(path: string): Promise<number> {
  await requireRegularFile(path)
  const file = await open(path, 'r+').catch(ifMissing)
  if (file === null) return 0
  try {
    const [{ size }, length] = [await file.stat(), await completeLength(file)]
    if (length < size) await file.truncate(length)
    return size - length
  } finally {
    await file.close()
  }
}

/** Appends lines of one file, or open file, to another, which is created when it is missing. */
export function appendLines(from: string | number, spans: Iterable<LineSpan>, to: string): void {
  copyLines(from, spans, to, 'a')
}

/**
 * Replaces a file with the given lines of it, in the given order. A reader sees either the old file or the new one.
 *
 * @param from the file, or open file, that contains the lines
 */
export async function reorderLines(
  path: string,
  spans: Iterable<LineSpan>,
  from: string | number = path,
): Promise<void> {
  await replaceFileDurably(path, async part => copyLines(from, spans, part, 'w'))
}

/** Synchronous, because copying a line takes less time than an asynchronous call. All lines share one buffer. */
function copyLines(from: string | number, spans: Iterable<LineSpan>, to: string, flags: 'a' | 'w'): void {
  const source = typeof from === 'number' ? from : openSync(from, 'r')
  try {
    const target = openSync(to, flags)
    try {
      copySpans(source, spans, target)
    } finally {
      closeSync(target)
    }
  } finally {
    if (source !== from) closeSync(source)
  }
}

function copySpans(source: number, spans: Iterable<LineSpan>, target: number): void {
  let buffer = Buffer.alloc(pieceBytes)
  for (const { start, length } of spans) {
    if (length >= buffer.length) buffer = Buffer.alloc(2 * length)
    const end = readSync(source, buffer, 0, length, start)
    buffer[end] = newline
    writeFileSync(target, buffer.subarray(0, end + 1))
  }
}
