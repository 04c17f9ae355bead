import { readdir, readFile } from 'node:fs/promises'
import { basename, dirname, join, relative, resolve, sep } from 'node:path'
import { ConfigError } from '../../src/core/errors.ts'
import type { JsonGold } from '../../src/core/gold.ts'
import { type LoadedTasks, namedDocuments, type Task } from '../../src/core/task.ts'
import { isObject } from '../../src/text/json.ts'
import { createTaskCollector } from '../collect-tasks.ts'
import { makeRecordError } from '../validate/problem.ts'

const schemaEnd = '-schema.json'
const goldEnd = '.gold.json'
const query =
  'Extract from the document everything that the JSON Schema asks for, as one JSON value that follows the schema.'
/** The most fields of the schema that the question names, so that a search can use them. */
const maxNamedFields = 40

/**
 * Reads the folder layout of ExtractBench: folders at any depth with one `*-schema.json` and a `NAME.gold.json` for each
 * document `NAME.pdf`. A schema under `schema_definition` is unwrapped. Gold files that cannot be used are returned as
 * `skipped`.
 *
 * @throws ConfigError `tasks-not-found` or `unreadable-tasks`
 */
export async function loadExtractBench(path: string): Promise<LoadedTasks<JsonGold>> {
  const files = await listFilesUnder(path)
  const collector = createTaskCollector<JsonGold>()
  for (const file of files.filter(name => name.endsWith(goldEnd))) {
    const place = relative(path, file)
    const recordId = place.slice(0, -goldEnd.length).split(sep).join('_')
    await collector.add({ file, line: 1, recordId }, async () => {
      const gold = await readGold(file, findSchemaBeside(file, files))
      return toTask(recordId, findDomain(path, place), basename(file, goldEnd), gold)
    })
  }
  return collector
}

function toTask(taskId: string, domain: string, name: string, gold: JsonGold): Task<JsonGold> {
  return {
    question: {
      taskId,
      benchmark: 'extract-bench',
      domain,
      language: 'en',
      query: queryFor(gold.schema),
      documentNames: [`${name}.pdf`],
      form: { kind: 'json', schema: gold.schema },
      facets: { schema: gold.schemaName },
    },
    gold,
    ...namedDocuments([`${name}.pdf`]),
  }
}

function queryFor(schema: unknown): string {
  const { properties } = schema as { properties?: unknown }
  const names = properties !== null && typeof properties === 'object' ? Object.keys(properties) : []
  if (names.length === 0) return query
  const named = names.slice(0, maxNamedFields).map(name => name.replaceAll('_', ' '))
  return `${query} It asks for: ${named.join(', ')}${names.length > maxNamedFields ? ', …' : ''}.`
}

/** Returns the first folder below the tasks folder, such as `finance`, or else the name of the tasks folder. */
function findDomain(path: string, place: string): string {
  const folders = dirname(place).split(sep)
  return folders[0] === undefined || folders[0] === '.' ? basename(resolve(path)) : folders[0]
}

async function listFilesUnder(path: string): Promise<string[]> {
  try {
    const names = await readdir(path, { recursive: true })
    return names.map(name => join(path, name)).sort()
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error
    const what = { ENOENT: 'no such folder', ENOTDIR: 'not a folder' }[String(error.code)]
    throw new ConfigError(
      `--tasks ${path}: ${what ?? `the folder cannot be read (${String(error.code)})`}. Name a folder of schemas and gold files for --benchmark extract-bench.`,
      { code: error.code === 'ENOENT' ? 'tasks-not-found' : 'unreadable-tasks', cause: error },
    )
  }
}

function findSchemaBeside(goldFile: string, files: readonly string[]): string {
  const schemas = files.filter(file => dirname(file) === dirname(goldFile) && file.endsWith(schemaEnd))
  const [schema, second] = schemas
  if (schema === undefined)
    throw makeRecordError(`the folder contains no *${schemaEnd}. Put the schema into the same folder.`)
  if (second !== undefined) {
    const names = schemas.map(file => basename(file)).join(', ')
    throw makeRecordError(`the folder contains several schemas: ${names}. Leave one of them.`)
  }
  return schema
}

async function readGold(goldFile: string, schemaFile: string): Promise<JsonGold> {
  const schema = unwrap(parse(await readText(schemaFile), basename(schemaFile)))
  if (!isObject(schema)) {
    throw makeRecordError(`${basename(schemaFile)} is not a JSON object. Write a JSON Schema.`)
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
    if (error instanceof TypeError)
      throw makeRecordError(`${basename(file)} is not UTF-8. Save the file as UTF-8.`, error)
    throw new ConfigError(`${file} cannot be read. Check the file and its permissions.`, {
      code: 'unreadable-tasks',
      cause: error,
    })
  }
}

function parse(text: string, what: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    throw makeRecordError(`${what} is not JSON (${error.message.replaceAll('\n', ' ')}). Correct it.`, error)
  }
}
