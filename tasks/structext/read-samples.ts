import { readdir, readFile, stat } from 'node:fs/promises'
import { extname, join, sep } from 'node:path'
import { ConfigError } from '../../src/core/errors.ts'
import { readLines } from '../jsonl.ts'

/** A sample of a file before it is checked, or why it cannot be read. */
export type SampleRecord = SamplePlace &
  ({ readonly value: unknown; readonly problem?: never } | { readonly problem: string })

interface SamplePlace {
  readonly file: string
  readonly line: number
  /** The number of the sample in a list, from 1. Null when the file is no list. */
  readonly index: number | null
  /** The id of a sample that has none. */
  readonly name: string
}

/**
 * Reads the samples at a path: a file, or every `.json` and `.jsonl` file below a folder. A file contains one sample, a list
 * of samples, or a sample per line.
 *
 * @throws ConfigError `tasks-not-found` or `unreadable-tasks`
 */
export async function* readSamples(path: string): AsyncGenerator<SampleRecord> {
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => {
    throw new ConfigError(
      `--tasks ${path} cannot be read (${error.code}). Name a folder of StrucText-Eval's JSON files, or a file of samples.`,
      { code: error.code === 'ENOENT' ? 'tasks-not-found' : 'unreadable-tasks', cause: error },
    )
  })
  if (!found.isDirectory()) return yield* samplesOfFile(path, 'structext')
  const names = await readdir(path, { recursive: true })
  for (const name of names.filter(one => ['.json', '.jsonl'].includes(extname(one))).sort()) {
    const id = name.slice(0, -extname(name).length).split(sep).join('_')
    yield* samplesOfFile(join(path, name), id)
  }
}

async function* samplesOfFile(file: string, id: string): AsyncGenerator<SampleRecord> {
  if (extname(file) !== '.json' && !(await startsWithList(file))) return yield* samplesOfLines(file, id)
  const whole = { file, line: 1, index: null, name: id }
  const text = decoded(await readFile(file))
  if (text === null) return yield { ...whole, problem: notUtf8 }
  const parsed = parsedJson(text)
  if ('value' in parsed)
    return yield* Array.isArray(parsed.value)
      ? parsed.value.map((value, at) => ({ ...whole, index: at + 1, name: `${id}_${at + 1}`, value }))
      : [{ ...whole, value: parsed.value }]
  const [first = '', ...others] = text.split('\n').filter(line => line.trim() !== '')
  if (others.length > 0 && 'value' in parsedJson(first)) return yield* samplesOfLines(file, id)
  yield { ...whole, problem: `the file is not JSON (${parsed.problem}). Correct it.` }
}

async function* samplesOfLines(file: string, id: string): AsyncGenerator<SampleRecord> {
  for await (const { line, text } of readLines(file)) {
    const place = { file, line, index: null, name: `${id}_${line}` }
    if (text === null) yield { ...place, problem: notUtf8 }
    else {
      const parsed = parsedJson(text)
      yield {
        ...place,
        ...('value' in parsed
          ? parsed
          : { problem: `the sample is not JSON (${parsed.problem}). Correct it.` }),
      }
    }
  }
}

const notUtf8 = 'the sample is not UTF-8. Save it as UTF-8.'

async function startsWithList(file: string): Promise<boolean> {
  for await (const { text } of readLines(file)) return text?.trimStart().startsWith('[') === true
  return false
}

function decoded(bytes: Buffer): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return null
  }
}

function parsedJson(text: string): { readonly value: unknown } | { readonly problem: string } {
  try {
    return { value: JSON.parse(text) }
  } catch (error) {
    return { problem: (error as SyntaxError).message }
  }
}
