import { open, readFile } from 'node:fs/promises'
import { extname } from 'node:path'
import { readLines } from './jsonl.ts'
import { makeRecordError } from './validate/problem.ts'

/** A record of a file before it is checked, or why it cannot be read. */
export type FileRecord = JsonRecordPlace &
  (
    | { readonly value: unknown; readonly problem?: never }
    | { readonly value?: never; readonly problem: string }
  )

interface JsonRecordPlace {
  readonly file: string
  readonly line: number
  /** The number of the record in a list, from 1. Null when the file is no list. */
  readonly index: number | null
  /** The id of a record that has none: that of the file, and the number of the line or of the place in the list. */
  readonly name: string
}

/** Describes where a record is, for the collector of tasks. */
export const placeJsonRecord = (
  { file, line, index }: FileRecord,
  noun: string,
  recordId: string | null,
) => ({
  file,
  line,
  recordId,
  prefix: index === null ? '' : `${noun} ${index} of the list: `,
})

/**
 * Returns the value of a record.
 *
 * @throws DataError `invalid-record` when it cannot be read
 */
export function requireValue(record: FileRecord): unknown {
  if (record.problem !== undefined) throw makeRecordError(record.problem)
  return record.value
}

/**
 * Reads the records of a file: one record, a list of records, or a record per line.
 *
 * @param id - the beginning of the names
 * @throws ConfigError `unreadable-tasks`
 */
export async function* readJsonRecords(file: string, id: string): AsyncGenerator<FileRecord> {
  const whole = { file, line: 1, index: null, name: id }
  if (await isUtf16(file)) return yield { ...whole, problem: 'the file is UTF-16. Save it as UTF-8.' }
  if (extname(file) !== '.json' && !(await startsWithList(file))) return yield* readLineRecords(file, id)
  const text = decodeText(await readFile(file))
  if (text === null) return yield { ...whole, problem: notUtf8 }
  const parsed = parseJson(text)
  if ('value' in parsed)
    return yield* Array.isArray(parsed.value)
      ? parsed.value.map((value, at) => ({ ...whole, index: at + 1, name: `${id}_${at + 1}`, value }))
      : [{ ...whole, value: parsed.value }]
  const [first = '', ...further] = text.split('\n').filter(line => line.trim() !== '')
  if (further.length > 0 && 'value' in parseJson(first)) return yield* readLineRecords(file, id)
  yield { ...whole, problem: `the file is not JSON (${parsed.problem}). Correct it.` }
}

async function* readLineRecords(file: string, id: string): AsyncGenerator<FileRecord> {
  for await (const { line, text } of readLines(file)) {
    const place = { file, line, index: null, name: `${id}_${line}` }
    if (text === null) yield { ...place, problem: notUtf8 }
    else {
      const parsed = parseJson(text)
      yield {
        ...place,
        ...('value' in parsed
          ? parsed
          : { problem: `the record is not JSON (${parsed.problem}). Correct it.` }),
      }
    }
  }
}

const notUtf8 = 'the record is not UTF-8. Save it as UTF-8.'

/**
 * Whether a file begins with the byte order mark of UTF-16, or with a character whose second byte is 0. Returns false for a
 * file that cannot be read; reading its records reports why.
 */
async function isUtf16(file: string): Promise<boolean> {
  const handle = await open(file).catch(() => null)
  if (handle === null) return false
  const start = Buffer.alloc(2, ' ')
  const reading = handle.read(start, 0, start.length, 0).catch(() => null)
  await reading.finally(() => handle.close())
  return utf16Marks.has(start.toString('hex')) || start.includes(0)
}

const utf16Marks: ReadonlySet<string> = new Set(['fffe', 'feff'])

async function startsWithList(file: string): Promise<boolean> {
  for await (const { text } of readLines(file)) return text?.trimStart().startsWith('[') === true
  return false
}

function decodeText(bytes: Buffer): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return null
  }
}

function parseJson(text: string): { readonly value: unknown } | { readonly problem: string } {
  try {
    return { value: JSON.parse(text) }
  } catch (error) {
    return { problem: (error as SyntaxError).message }
  }
}
