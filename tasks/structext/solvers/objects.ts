import { parseDocument } from 'yaml'
import type { AskedTemplate } from './asked-template.ts'

/** An object of a JSON or YAML text: its lines, and what it contains. */
interface ParsedObject {
  readonly lines: readonly string[]
  readonly id: string
  /** Keys and values without `id` and `subs`. */
  readonly values: readonly (readonly [string, string])[]
  readonly subs: readonly ParsedObject[]
}

/** Answers a question about nested objects in JSON or YAML. Excerpts are indented as if the object were the outermost. */
export function solveObjects(
  language: 'json' | 'yaml',
  { template, parameters, reference }: AskedTemplate,
): string | null {
  if (template === 2) return isSound(language, reference) ? 'False' : 'True'
  const root = language === 'json' ? parseJsonLines(reference) : parseYamlLines(reference)
  const [parameter = ''] = parameters
  const objects = listObjects(root)
  if (template === 0) return writeObject(objects.find(({ id }) => id === parameter))
  if (template === 1) return root.subs[0]?.id ?? null
  if (template === 3) return findPath(root, parameter, 'obj')
  return objects
    .filter(({ subs }) => subs.length === 0)
    .map(writeObject)
    .join('\n\n')
}

const writeObject = (object: ParsedObject | undefined): string | null => object?.lines.join('\n') ?? null

const listObjects = (object: ParsedObject): ParsedObject[] => [object, ...object.subs.flatMap(listObjects)]

function findPath({ values, subs }: ParsedObject, target: string, path: string): string | null {
  const key = values.find(([, value]) => value === target)?.[0]
  if (key !== undefined) return `${path}["${key}"]`
  for (const [at, sub] of subs.entries()) {
    const subPath = findPath(sub, target, `${path}["subs"][${at}]`)
    if (subPath !== null) return subPath
  }
  return null
}

function isSound(language: 'json' | 'yaml', text: string): boolean {
  if (language === 'yaml') return parseDocument(text).errors.length === 0
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** Divides JSON by its indentation: an object is the lines from `{` to the `}` with the same indentation. */
function parseJsonLines(text: string): ParsedObject {
  return readJsonObject(text.trim().split('\n'))
}

function readJsonObject(block: readonly string[]): ParsedObject {
  const indent = measureIndent(block[0]!)
  const lines = block.map(line => line.slice(indent))
  lines.push(lines.pop()!.replace(/,$/, ''))
  const members = lines.filter(line => measureIndent(line) === 0)
  const pairs = members.flatMap(line => {
    const match = /^"([^"]+)":"([^"]*)",?$/.exec(line)
    return match === null ? [] : [[match[1]!, match[2]!] as const]
  })
  const starts = lines.flatMap((line, at) => (line === ' {' ? [at] : []))
  const ends = lines.flatMap((line, at) => (/^ \},?$/.test(line) ? [at] : []))
  const subs = starts.map((start, at) => readJsonObject(lines.slice(start, ends[at]! + 1)))
  return createObject(lines, pairs, subs)
}

/** Divides YAML by its indentation: the items of a list begin with `- `. */
function parseYamlLines(text: string): ParsedObject {
  return readYamlObject(text.trim().split('\n'))
}

function readYamlObject(lines: readonly string[]): ParsedObject {
  const pairs = lines.flatMap(line => {
    const match = /^(\w+): (.+)$/.exec(line)
    return match === null || match[1] === 'subs' ? [] : [[match[1]!, removeQuotes(match[2]!)] as const]
  })
  const starts = lines.flatMap((line, at) => (line.startsWith('- ') ? [at] : []))
  const subs = starts.map((start, at) =>
    readYamlObject(lines.slice(start, starts[at + 1] ?? lines.length).map(line => line.slice(2))),
  )
  return createObject(lines, pairs, subs)
}

/** The published YAML has a comma after each value. */
const removeQuotes = (value: string): string =>
  value
    .trim()
    .replace(/,$/, '')
    .replace(/^"(.*)"$/, '$1')

function createObject(
  lines: readonly string[],
  pairs: readonly (readonly [string, string])[],
  subs: readonly ParsedObject[],
): ParsedObject {
  const id = pairs.find(([key]) => key === 'id')?.[1] ?? ''
  return { lines, id, values: pairs.filter(([key]) => key !== 'id'), subs }
}

const measureIndent = (line: string): number => line.length - line.trimStart().length
