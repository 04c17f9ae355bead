import { closeSync, createReadStream, openSync, readSync, writeFileSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import type { z } from 'zod/v4'
import { DataError } from '../../core/errors.ts'
import { zodProblemOf } from '../../core/zod-problems.ts'
import { replaceFileAtomically } from '../../system/atomic-write.ts'
import { ifMissing } from '../../system/files.ts'
import { hasValidRecordChecksum } from '../../system/hash.ts'

/** Where a line stands in its file, its newline left out. */
export interface Span {
  readonly start: number
  readonly length: number
}

export interface Line extends Span {
  /** 1-based. */
  readonly number: number
  readonly text: string
}

const newline = 0x0a

/** The lines of a file that end in a newline, one at a time, blank ones left out; none where there is no file. */
export async function* wholeLines(path: string): AsyncGenerator<Line> {
  let rest: Buffer[] = []
  let start = 0
  let number = 0
  try {
    for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
      let from = 0
      for (let end = chunk.indexOf(newline); end >= 0; end = chunk.indexOf(newline, from)) {
        const bytes = Buffer.concat([...rest, chunk.subarray(from, end)])
        number++
        if (bytes.length > 0) yield { start, length: bytes.length, number, text: bytes.toString('utf8') }
        start += bytes.length + 1
        from = end + 1
        rest = []
      }
      rest.push(chunk.subarray(from))
    }
  } catch (error) {
    ifMissing(error)
  }
}

/** A line that was changed after it was written: no JSON, or its checksum does not fit. */
export class DamagedLineError extends DataError {
  /** The line and what is wrong with it; the message says the mend too. */
  readonly problem: string
  constructor(problem: string) {
    super(`${problem}: the run's command, given again, makes its attempt again`)
    this.problem = problem
  }
}

/** A line as a record; DamagedLineError where it was changed since it was written, DataError where it is none; both name it. */
export function parseLine<T>(
  path: string,
  { number, text }: Pick<Line, 'number' | 'text'>,
  schema: z.ZodType<T>,
): T {
  const place = `${path}:${number}`
  const record = schema.safeParse(wholeValue(place, text))
  if (record.success) return record.data
  throw new DataError(`${place}: not a record of this version: ${zodProblemOf(record.error, 'the line')}`)
}

function wholeValue(place: string, text: string): unknown {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw new DamagedLineError(`${place}: damaged: ${(error as Error).message}`)
  }
  if (!hasValidRecordChecksum(value))
    throw new DamagedLineError(`${place}: damaged: its checksum does not fit`)
  return value
}

/** The records of a JSON-lines file, one at a time; a half-written last line is left out; none where there is no file. */
export async function* eachRecord<T>(path: string, schema: z.ZodType<T>): AsyncGenerator<T> {
  for await (const line of wholeLines(path)) yield parseLine(path, line, schema)
}

/** All of them, in memory. */
export async function readRecords<T>(path: string, schema: z.ZodType<T>): Promise<T[]> {
  const records: T[] = []
  for await (const record of eachRecord(path, schema)) records.push(record)
  return records
}

const backwards = 64 * 1024

/** How many bytes of a file stand up to its last newline. */
export async function wholeLength(file: FileHandle): Promise<number> {
  const { size } = await file.stat()
  for (let end = size; end > 0; ) {
    const from = Math.max(0, end - backwards)
    const { buffer } = await file.read(Buffer.alloc(end - from), 0, end - from, from)
    const last = buffer.lastIndexOf(newline)
    if (last >= 0) return from + last + 1
    end = from
  }
  return 0
}

/** The text of a line. */
export async function readSpan(file: FileHandle, { start, length }: Span): Promise<string> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, start)
  return buffer.toString('utf8', 0, bytesRead)
}

/** Cuts a half-written last line off a file; how many bytes that were. 0 where there is no file. */
export async function dropHalfLine(path: string): Promise<number> {
  const file = await open(path, 'r+').catch(ifMissing)
  if (file === null) return 0
  try {
    const [{ size }, length] = [await file.stat(), await wholeLength(file)]
    if (length < size) await file.truncate(length)
    return size - length
  } finally {
    await file.close()
  }
}

/** Adds those lines of a file to the end of another, which is made where there is none. */
export function appendLines(from: string, spans: Iterable<Span>, to: string): void {
  copyLines(from, spans, to, 'a')
}

/** Puts those lines in that order in the place of the file; a reader sees the old or the new one, never half of either. */
export async function reorderLines(path: string, spans: Iterable<Span>): Promise<void> {
  await replaceFileAtomically(path, async part => copyLines(path, spans, part, 'w'))
}

/** At once: another thread would take longer to be asked for a line than to copy it. One buffer serves them all. */
function copyLines(from: string, spans: Iterable<Span>, to: string, flags: 'a' | 'w'): void {
  const source = openSync(from, 'r')
  try {
    const target = openSync(to, flags)
    try {
      copySpans(source, spans, target)
    } finally {
      closeSync(target)
    }
  } finally {
    closeSync(source)
  }
}

function copySpans(source: number, spans: Iterable<Span>, target: number): void {
  let buffer = Buffer.alloc(backwards)
  for (const { start, length } of spans) {
    if (length >= buffer.length) buffer = Buffer.alloc(2 * length)
    const end = readSync(source, buffer, 0, length, start)
    buffer[end] = newline
    writeFileSync(target, buffer.subarray(0, end + 1))
  }
}
