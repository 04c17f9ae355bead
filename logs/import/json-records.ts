import { createReadStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import type { z } from 'zod'
import { DataError } from '../../src/core/errors.ts'
import type { ForeignAttempt, ReadRecord } from './foreign-log.ts'

/** One JSON value of a log file: by line, or by its place in a file that is one value. */
type JsonRecord = { readonly line: number } & ({ readonly value: unknown } | { readonly problem: string })

/** The whole of a file as text; DataError where it can't be read. */
export async function logText(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8')
  } catch (cause) {
    throw new DataError(`${path}: the log cannot be read (${(cause as NodeJS.ErrnoException).code})`, {
      cause,
    })
  }
}

function parse(text: string): { readonly value: unknown } | { readonly problem: string } {
  try {
    return { value: JSON.parse(text) }
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) }
  }
}

/** Records of a file that is one JSON value: of a list its items, else the value itself. */
async function* wholeFile(path: string): AsyncGenerator<JsonRecord> {
  const parsed = parse(await logText(path))
  if ('problem' in parsed) throw new DataError(`${path}: neither JSON lines nor JSON: ${parsed.problem}`)
  const values = Array.isArray(parsed.value) ? (parsed.value as unknown[]) : [parsed.value]
  for (const [index, value] of values.entries()) yield { line: index + 1, value }
}

async function firstLine(path: string): Promise<string> {
  for await (const line of linesOf(path)) if (line.trim() !== '') return line
  return ''
}

async function* linesOf(path: string): AsyncGenerator<string> {
  const input = createReadStream(path)
  try {
    yield* createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })
  } catch (cause) {
    throw new DataError(`${path}: the log cannot be read (${(cause as NodeJS.ErrnoException).code})`, {
      cause,
    })
  } finally {
    input.destroy()
  }
}

/** JSON lines, one read at a time; a file that is one JSON value is read as that, a list by its items. */
async function* jsonRecords(path: string): AsyncGenerator<JsonRecord> {
  const first = parse((await firstLine(path)).replace(/^\uFEFF/, ''))
  if ('problem' in first || Array.isArray(first.value)) {
    yield* wholeFile(path)
    return
  }
  let line = 0
  for await (const text of linesOf(path)) {
    line++
    if (text.trim() !== '') yield { line, ...parse(text.replace(/^\uFEFF/, '')) }
  }
}

/** The attempts of a file of JSON records that all fit one schema; others are told by line and problem. */
export async function* readJsonLog<T>(
  path: string,
  schema: z.ZodType<T>,
  attemptOf: (record: T) => ForeignAttempt,
): AsyncGenerator<ReadRecord> {
  for await (const record of jsonRecords(path)) {
    const { line } = record
    if ('problem' in record) {
      yield { line, problem: record.problem }
      continue
    }
    const parsed = schema.safeParse(record.value)
    if (parsed.success) yield { line, attempt: attemptOf(parsed.data) }
    else {
      const issue = parsed.error.issues[0]
      yield { line, problem: `${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'not a record'}` }
    }
  }
}
