import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import type { AsyncBuffer, Compressors } from 'hyparquet'
import { z } from 'zod/v4'
import { ConfigError } from '../../../src/core/errors.ts'
import { describeZodProblem } from '../../../src/core/zod-problems.ts'
import { readTextLines } from '../../../src/system/text-lines.ts'
import { parseJsonOrNull } from '../../../src/text/json.ts'

const recordSchema = z.object({
  docid: z.union([z.string().trim().min(1), z.int(), z.bigint()]).transform(String),
  text: z.string(),
  url: z.string().nullish(),
  title: z.string().nullish(),
})

/** A document of a corpus of texts. */
export interface CorpusRecord {
  /** Its id in relevance judgements. */
  readonly docid: string
  readonly text: string
  readonly url: string | null
  readonly title: string | null
}

/** Whether a file contains a corpus of texts, by its name. */
export const isCorpusFile = (path: string): boolean => /\.(?:jsonl|parquet)$/i.test(path)

/**
 * Reads the documents of JSONL files line by line, and of Parquet files one row group at a time. Each has `docid` and `text`, and may have `url` and `title`.
 *
 * @throws ConfigError `invalid-corpus-document` for a record that is not such a document or repeats an id,
 * `unreadable-corpus-file`
 */
export async function* readCorpusRecords(files: readonly string[]): AsyncGenerator<CorpusRecord> {
  const places = new Map<string, string>()
  for (const file of files) {
    const rows = /\.parquet$/i.test(file) ? readParquet(file) : readJsonLines(file)
    for await (const { place, value } of rows) {
      const parsed = recordSchema.safeParse(value)
      if (!parsed.success) throw invalid(place, `${describeZodProblem(parsed.error, 'the record')}.`)
      const { docid, text, url = null, title = null } = parsed.data
      const before = places.get(docid)
      if (before !== undefined) throw invalid(place, `${before} has the docid '${docid}' too.`)
      places.set(docid, place)
      yield { docid, text, url, title }
    }
  }
}

function invalid(place: string, problem: string): ConfigError {
  return new ConfigError(
    `${place}: ${problem} Each document needs a docid of its own and a text; url and title may be missing.`,
    { code: 'invalid-corpus-document' },
  )
}

interface TextRow {
  /** `FILE:LINE` or `FILE, row N`. */
  readonly place: string
  readonly value: unknown
}

async function* readJsonLines(file: string): AsyncGenerator<TextRow> {
  try {
    for await (const { line, text } of readTextLines(file)) {
      const place = `${file}:${line}`
      if (text === null) throw invalid(place, 'the line is not UTF-8 text.')
      const value = parseJsonOrNull(text)
      if (value === null) throw invalid(place, 'the line is not JSON.')
      yield { place, value }
    }
  } catch (error) {
    if (!(error instanceof Error && 'syscall' in error)) throw error
    throw unreadable(file, error)
  }
}

const columns = ['docid', 'text', 'url', 'title']

/** Decompression for the codecs that node:zlib has. Snappy is built into the reader. */
const compressors: Compressors = {
  GZIP: input => gunzipSync(input),
  BROTLI: input => brotliDecompressSync(input),
}

async function* readParquet(path: string): AsyncGenerator<TextRow> {
  const { asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects } = await import('hyparquet')
  const opened = await openParquet(path, asyncBufferFromFile, parquetMetadataAsync)
  const present = columns.filter(name => opened.metadata.schema.some(field => field.name === name))
  let start = 0
  for (const group of opened.metadata.row_groups) {
    const end = start + Number(group.num_rows)
    const rows = await parquetReadObjects({
      ...opened,
      ...{ columns: present, rowStart: start, rowEnd: end, compressors },
    }).catch((cause: unknown) => {
      throw unreadable(path, cause)
    })
    for (const [at, value] of rows.entries()) yield { place: `${path}, row ${start + at + 1}`, value }
    start = end
  }
}

async function openParquet(
  path: string,
  asyncBufferFromFile: (path: string) => Promise<AsyncBuffer>,
  parquetMetadataAsync: typeof import('hyparquet').parquetMetadataAsync,
) {
  try {
    const file = await asyncBufferFromFile(path)
    return { file, metadata: await parquetMetadataAsync(file) }
  } catch (cause) {
    throw unreadable(path, cause)
  }
}

function unreadable(path: string, cause: unknown): ConfigError {
  const why = cause instanceof Error ? cause.message : String(cause)
  const advice = why.includes('compression codec')
    ? 'Write it with Snappy, gzip, Brotli or no compression.'
    : 'Check the file and its permissions.'
  return new ConfigError(`${path} cannot be read (${why}). ${advice}`, {
    code: 'unreadable-corpus-file',
    cause,
  })
}
