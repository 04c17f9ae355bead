import { readdir, readFile } from 'node:fs/promises'
import { basename, dirname, join, relative, resolve, sep } from 'node:path'
import { ConfigError, DataError } from '../src/core/errors.ts'
import {
  type JsonGold,
  type LoadedTasks,
  namedDocuments,
  type SkippedRecord,
  type Task,
} from '../src/core/task.ts'
import { isObject } from '../src/text/json.ts'

const schemaEnd = '-schema.json'
const goldEnd = '.gold.json'
const query =
  'Extract from the document everything that the JSON Schema asks for, as one JSON value that follows the schema.'
/** So many of the schema's own fields are named in the question: what a search by it goes by. */
const mostNamed = 40

/**
 * Reads ExtractBench's folder layout: a folder at any depth that holds one `*-schema.json`, and beside it a
 * `NAME.gold.json` for each document, whose hint is `NAME.pdf`. A schema under `schema_definition` is unwrapped.
 * A gold file that cannot be used is skipped by name; the others load. Rejects with ConfigError when there is no such
 * folder.
 */
export async function loadExtractBench(path: string): Promise<LoadedTasks<JsonGold>> {
  const files = await filesUnder(path)
  const tasks: Task<JsonGold>[] = []
  const skipped: SkippedRecord[] = []
  for (const file of files.filter(name => name.endsWith(goldEnd))) {
    const place = relative(path, file)
    const taskId = place.slice(0, -goldEnd.length).split(sep).join('_')
    try {
      const gold = await readGold(file, schemaBeside(file, files))
      const task = taskOf(taskId, domainOf(path, place), basename(file, goldEnd), gold)
      tasks.push({ ...task, source: { file, line: 1 } })
    } catch (error) {
      if (!(error instanceof DataError)) throw error
      skipped.push({ line: 1, recordId: taskId, problem: error.message, code: 'invalid-record', file })
    }
  }
  return { tasks, skipped }
}

function taskOf(taskId: string, domain: string, name: string, gold: JsonGold): Task<JsonGold> {
  return {
    question: {
      taskId,
      benchmark: 'extract-bench',
      domain,
      language: 'en',
      query: queryFor(gold.schema),
      documentNames: [`${name}.pdf`],
      form: { kind: 'json', schema: gold.schema },
    },
    gold,
    ...namedDocuments([`${name}.pdf`]),
  }
}

function queryFor(schema: unknown): string {
  const { properties } = schema as { properties?: unknown }
  const names = properties !== null && typeof properties === 'object' ? Object.keys(properties) : []
  if (names.length === 0) return query
  const named = names.slice(0, mostNamed).map(name => name.replaceAll('_', ' '))
  return `${query} It asks for: ${named.join(', ')}${names.length > mostNamed ? ', …' : ''}.`
}

/** The first folder below the one given (`finance`), or that one's own name. */
function domainOf(path: string, place: string): string {
  const folders = dirname(place).split(sep)
  return folders[0] === undefined || folders[0] === '.' ? basename(resolve(path)) : folders[0]
}

async function filesUnder(path: string): Promise<string[]> {
  try {
    const names = await readdir(path, { recursive: true })
    return names.map(name => join(path, name)).sort()
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error
    const what = { ENOENT: 'no such folder', ENOTDIR: 'is not a folder' }[String(error.code)]
    throw new ConfigError(
      `--tasks ${path}: ${what ?? `can't be read (${String(error.code)})`}; --benchmark extract-bench reads a folder of schemas and gold files`,
      { cause: error },
    )
  }
}

function schemaBeside(goldFile: string, files: readonly string[]): string {
  const schemas = files.filter(file => dirname(file) === dirname(goldFile) && file.endsWith(schemaEnd))
  const [schema, second] = schemas
  if (schema === undefined)
    throw new DataError(`no *${schemaEnd} beside it. Put the schema into the same folder.`)
  if (second !== undefined) {
    throw new DataError(`more than one schema beside it: ${schemas.map(file => basename(file)).join(', ')}`)
  }
  return schema
}

async function readGold(goldFile: string, schemaFile: string): Promise<JsonGold> {
  const schema = unwrap(parse(await readText(schemaFile), basename(schemaFile)))
  if (!isObject(schema)) {
    throw new DataError(`${basename(schemaFile)} is not a JSON object`)
  }
  const text = await readText(goldFile)
  const schemaName = basename(schemaFile, schemaEnd)
  return { kind: 'json', schemaName, schema, value: parse(text, 'gold'), text }
}

function unwrap(schema: unknown): unknown {
  const wrapped = schema !== null && typeof schema === 'object' && 'schema_definition' in schema
  return wrapped ? schema.schema_definition : schema
}

async function readText(file: string): Promise<string> {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(await readFile(file))
  } catch (error) {
    if (error instanceof TypeError) throw new DataError(`${basename(file)} is not UTF-8`)
    throw new ConfigError(`${file} can't be read`, { cause: error })
  }
}

function parse(text: string, what: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    throw new DataError(`${what} is not JSON (${error.message.replaceAll('\n', ' ')})`)
  }
}
