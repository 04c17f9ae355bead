import { readNumber } from '../../text/amounts.ts'
import { withoutFences } from '../../text/fences.ts'
import { isObject } from '../../text/json.ts'

type JsonSchemaNode = Readonly<Record<string, unknown>>

/** The maximum depth to which recursive definitions are filled. */
const maxDepth = 12

/**
 * Fills a JSON schema from lines of the form `label value` in the documents. A value that is not found is null or the
 * empty value of its type.
 *
 * @param schemaText JSON, with or without a fence
 * @returns the value as JSON; null when `schemaText` is not JSON
 */
export function fillSchema(
  schemaText: string,
  documents: readonly { readonly text: string }[],
): string | null {
  let schema: unknown
  try {
    schema = JSON.parse(/^\s*[`~]/.test(schemaText) ? withoutFences(schemaText) : schemaText)
  } catch (error) {
    if (error instanceof SyntaxError) return null
    throw error
  }
  return JSON.stringify(fill(schema, { root: schema, lines: splitLines(documents) }, '', 0), null, 1)
}

interface SchemaInput {
  readonly root: unknown
  readonly lines: readonly FoldedLine[]
}

interface FoldedLine {
  readonly text: string
  /** The text in lower case, for comparison. */
  readonly folded: string
}

function splitLines(documents: readonly { readonly text: string }[]): FoldedLine[] {
  return documents.flatMap(({ text }) =>
    text
      .split('\n')
      .filter(line => line.trim() !== '' && line.length < 2_000)
      .map(line => ({ text: line.trim(), folded: line.trim().toLowerCase() })),
  )
}

/** Returns the value after the label, or null, or the empty value of its type. */
function fill(schema: unknown, reading: SchemaInput, name: string, depth: number): unknown {
  const node = resolve(schema, reading.root)
  if (node === null || depth > maxDepth) return null
  if (Array.isArray(node.anyOf)) return fillBranches(node.anyOf, reading, name, depth)
  const types = [node.type].flat()
  const nullable = node.nullable === true || types.includes('null')
  if (types.includes('object')) return fillObject(node, reading, depth)
  if (types.includes('array')) return []
  const value = scalar(types, label(name), reading.lines)
  if (value !== null) return value
  if (nullable) return null
  if (types.includes('string')) return ''
  if (types.includes('boolean')) return false
  return types.includes('number') || types.includes('integer') ? 0 : null
}

/** Returns the value of the first branch that finds one. Otherwise, it returns null when a branch allows null. */
function fillBranches(
  branches: readonly unknown[],
  reading: SchemaInput,
  name: string,
  depth: number,
): unknown {
  const nodes = branches.map(branch => resolve(branch, reading.root))
  for (const node of nodes) {
    if (node === null || node.type === 'object' || node.type === 'array' || node.type === 'null') continue
    const value = scalar([node.type].flat(), label(name), reading.lines)
    if (value !== null) return value
  }
  if (nodes.some(node => node?.type === 'null')) return null
  return fill(branches[0], reading, name, depth + 1)
}

function fillObject(node: JsonSchemaNode, reading: SchemaInput, depth: number): unknown {
  const properties = Object.entries((node.properties ?? {}) as JsonSchemaNode)
  return Object.fromEntries(properties.map(([name, child]) => [name, fill(child, reading, name, depth + 1)]))
}

function resolve(schema: unknown, root: unknown): JsonSchemaNode | null {
  let node = schema
  for (let hops = 0; hops < maxDepth; hops++) {
    if (!isObject(node)) return null
    const { $ref: reference } = node as JsonSchemaNode
    if (typeof reference !== 'string') return node as JsonSchemaNode
    node = reference
      .split('/')
      .slice(1)
      .reduce<unknown>(
        (part, step) => (part !== null && typeof part === 'object' ? Reflect.get(part, step) : undefined),
        root,
      )
  }
  return null
}

/** Returns the name of a property as documents write it: `closing_date` becomes `closing date`. */
function label(name: string): string {
  return name
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .replaceAll('_', ' ')
    .trim()
    .toLowerCase()
}

function scalar(
  types: readonly unknown[],
  words: string,
  lines: readonly FoldedLine[],
): string | number | null {
  if (words === '' || types.includes('boolean')) return null
  for (const { text, folded } of lines) {
    if (!folded.startsWith(words)) continue
    const rest = text.slice(words.length)
    if (types.includes('string')) {
      const value = /^\s*[:：]\s*(\S.*)$/.exec(rest)?.[1]
      if (value !== undefined && value.length <= 300) return value.trim()
    } else if (/^[\s:：|$]/.test(rest)) {
      const value = firstNumber(rest)
      if (value !== null && (!types.includes('integer') || Number.isInteger(value))) return value
    }
  }
  return null
}

function firstNumber(text: string): number | null {
  const written = /\(?-?\$?\s?\d[\d,]*(?:\.\d+)?\)?/.exec(text)?.[0]
  return written === undefined ? null : (readNumber(written.replace('$', ''))?.value ?? null)
}
