// Writes the text of docs/records.md: types from the zod schemas, descriptions from the comments above their fields.
import { readFileSync } from 'node:fs'
import ts from 'typescript'
import { z } from 'zod/v4'
import { observationSchema, storedTextSchema } from '../logs/event-parts.ts'
import { envelopeSchema, eventBodySchema } from '../logs/events.ts'
import { attemptSchema } from '../src/core/attempt.ts'
import { scoreSchema } from '../src/core/score.ts'
import { terminationReasons } from '../src/core/termination.ts'
import { numberUnit } from '../src/run/export/table.ts'
import { leakSchema } from '../src/run/records/leaks.ts'
import { manifestSchema } from '../src/run/records/manifest.ts'
import { notesSchema } from '../src/run/view/notes.ts'
import { exportReference } from './export-reference.ts'

/** The files that declare the schemas. */
const sources = [
  'src/core/termination.ts',
  'src/core/usage.ts',
  'src/core/discovery.ts',
  'src/core/fork.ts',
  'src/core/attempt.ts',
  'src/core/scored-item.ts',
  'src/core/score.ts',
  'src/run/records/manifest.ts',
  'src/run/records/leaks.ts',
  'src/run/view/notes.ts',
  'logs/event-parts.ts',
  'logs/events.ts',
]

const intro = `# Records

This page is generated from the schemas of the program (\`npm run reference\`). It describes every field of the files in a run's folder, and
the [tables of an export](#exported-tables). The package contains JSON Schemas in \`docs/schemas/\`.

| file | contents |
|---|---|
| [\`manifest.json\`](#manifestjson) | what was run, and with what |
| [\`attempts.jsonl\`](#attemptsjsonl) | one line per attempt |
| [\`scores.jsonl\`](#scoresjsonl) | one line per attempt and scorer |
| [\`traces/ID.jsonl\`](#trace-events) | the events of attempt ID |
| \`traces/blobs/\` | texts of traces by their SHA-256 |
| \`answers/ID.txt\` | the final text of attempt ID as the model wrote it |
| [\`leaks.jsonl\`](#leaksjsonl) | sources that give answers away, met or asked for |
| [\`notes.json\`](#notesjson) | what a person wrote about the run in \`view\` |
| \`audit.csv\` | the items and whole answers that persons marked, with their marks and notes ([scoring.md](scoring.md#compare-a-judge-with-a-person)) |

- The manifest has the number of the records' version. A folder of another version is refused (\`other-record-version\`).
- An unknown value is \`null\`, never 0. An *optional* field may be absent. The description says when.
- Times are ISO 8601 in UTC. Counts are whole numbers. Shares are numbers of 0 to 1.
- \`[]\` after a name means: each element of the list. \`*\` means: each member of an object.
- From a program, read a run with [\`readRun\`](library.md#read-a-run): it checks every line and has the types of these records.
`

/**
 * Returns the text of docs/records.md.
 *
 * @throws Error when a field has no description, or its description does not say when it is null or absent
 *
 * @example
 * await writeFile('docs/records.md', recordReference())
 */
export function recordReference(): string {
  const [run, imported] = listVariants(unwrapObject(manifestSchema) as unknown as z.ZodType)
  const parts = [
    intro,
    '## manifest.json\n',
    'Written when a run begins, completed when it ends.\n',
    ...sections('manifest.json', run!),
    '### manifest.json of imported logs\n',
    'A manifest with `source: "import"` has the common fields and these:\n',
    table(importFields(run!, imported!)),
    '## attempts.jsonl\n',
    ...sections('attempts.jsonl', attemptSchema),
    ...terminationParts(),
    '## scores.jsonl\n',
    ...sections('scores.jsonl', scoreSchema),
    '## leaks.jsonl\n',
    table(listRows(leakSchema)),
    '## notes.json\n',
    table(listRows(notesSchema)),
    '## Trace events\n',
    'Every line of a trace has these fields, and those of its `type`:\n',
    table(listRows(envelopeSchema)),
    ...eventParts(),
    '### Stored texts\n',
    'A text of at most 4,000 characters is in the event. A longer one is a file in `traces/blobs/`:\n',
    table(listVariants(storedTextSchema).flatMap(variant => listRows(variant))),
    '### Observations\n',
    'What a tool call returned. Discovery and evidence are computed from these.\n',
    ...listVariants(observationSchema).map(variant => table(listRows(variant))),
    exportReference(),
  ]
  return `${parts.join('\n').trimEnd()}\n`
}

interface FieldRow {
  readonly path: string
  readonly type: string
  readonly unit: string
  readonly missing: string
  readonly description: string
}

type ObjectSchema = z.ZodObject

/** The fields of one file: its plain fields in a table, then one table for each field that is an object or a list of objects. */
function sections(file: string, schema: ObjectSchema): string[] {
  const nested = Object.entries(schema.shape).filter(([, field]) => objectsIn(field as z.ZodType).length > 0)
  const ownRows = listRows(schema, '', 1)
  return [
    table(ownRows),
    ...nested.flatMap(([name, field]) => [
      `### ${file}: ${name}${suffixOf(unwrap(field as z.ZodType).inner)}\n`,
      table(objectsIn(field as z.ZodType).flatMap(object => unique(listRows(object)))),
    ]),
  ]
}

/** Terminations are a closed set of pairs, and share their further fields. */
function terminationParts(): string[] {
  const rows = Object.entries(terminationReasons).map(
    ([cause, reasons]) => `| \`${cause}\` | ${reasons.map(reason => `\`${reason}\``).join(', ')} |`,
  )
  return ['### Causes and reasons\n', ['| cause | reasons |', '|---|---|', ...rows, ''].join('\n')]
}

function importFields(run: ObjectSchema, imported: ObjectSchema): FieldRow[] {
  const isCommon = (name: string): boolean => run.shape[name] === imported.shape[name]
  return listRows(imported).filter(({ path }) => !isCommon(path.split('.')[0]!) && path !== 'source')
}

function eventParts(): string[] {
  return listVariants(eventBodySchema).flatMap(variant => {
    const [type] = (variant.shape.type as z.ZodLiteral<string>).values
    const rows = listRows(variant).filter(({ path }) => path !== 'type')
    return [`### ${type}\n`, `${commentOfEvent(type!)}\n`, table(rows)]
  })
}

const unique = (rows: readonly FieldRow[]): FieldRow[] => [
  ...new Map(rows.map(row => [row.path, row])).values(),
]

function table(rows: readonly FieldRow[]): string {
  const head = ['| field | type | unit | may be | meaning |', '|---|---|---|---|---|']
  const lines = unique(rows).map(
    ({ path, type, unit, missing, description }) =>
      `| \`${path}\` | ${type} | ${unit} | ${missing} | ${description.replaceAll('|', '\\|')} |`,
  )
  return [...head, ...lines, ''].join('\n')
}

/** A row for each field of an object, and for the fields of the objects inside it down to `depth` levels. */
function listRows(schema: ObjectSchema, prefix = '', depth = 9): FieldRow[] {
  const comments = findComments(schema)
  return Object.entries(schema.shape).flatMap(([name, field]) => {
    const { inner, isNull, isAbsent } = unwrap(field as z.ZodType)
    const description = comments.get(name) || (name === 'type' ? 'The type of the event.' : '')
    const path = `${prefix}${name}`
    requireDescription(path, description, { isNull, isAbsent })
    const row: FieldRow = {
      path,
      type: describeType(inner),
      unit: findUnit(name, inner, description),
      missing: [isNull && '`null`', isAbsent && 'absent'].filter(word => word !== false).join(', '),
      description,
    }
    const objects = depth > 1 ? objectsIn(inner) : []
    return [row, ...objects.flatMap(object => listRows(object, `${path}${suffixOf(inner)}.`, depth - 1))]
  })
}

function requireDescription(path: string, text: string, { isNull, isAbsent }: Record<string, boolean>): void {
  const place = `the comment above the field ${path}: '${text}'`
  if (text === '') throw new Error(`${place} says nothing. Say what the field contains.`)
  if (isNull && !/\bnull\b/i.test(text)) throw new Error(`${place} does not say when the field is null.`)
  if (isAbsent && !/\babsent\b/i.test(text))
    throw new Error(`${place} does not say when the field is absent.`)
}

interface Unwrapped {
  readonly inner: z.ZodType
  readonly isNull: boolean
  readonly isAbsent: boolean
}

/** Returns the schema without optional, nullable and read-only wrappers. */
function unwrap(schema: z.ZodType): Unwrapped {
  if (schema instanceof z.ZodOptional) return { ...unwrap(schema.unwrap() as z.ZodType), isAbsent: true }
  if (schema instanceof z.ZodNullable) return { ...unwrap(schema.unwrap() as z.ZodType), isNull: true }
  if (schema instanceof z.ZodReadonly) return unwrap(schema.def.innerType as z.ZodType)
  return { inner: schema, isNull: false, isAbsent: false }
}

const shared = new Map<z.ZodType, string>([
  [storedTextSchema, '[stored text](#stored-texts)'],
  [observationSchema, '[observation](#observations)'],
])

function describeType(schema: z.ZodType): string {
  const { inner, isNull } = unwrap(schema)
  const orNull = isNull ? ' or null' : ''
  const name = shared.get(inner)
  if (name !== undefined) return `${name}${orNull}`
  if (inner instanceof z.ZodArray)
    return `list of ${plural(describeType(inner.element as z.ZodType))}${orNull}`
  if (inner instanceof z.ZodRecord)
    return `object: each member ${describeType(inner.valueType as z.ZodType)}${orNull}`
  if (inner instanceof z.ZodEnum) return `${inner.options.map(option => `\`${option}\``).join(', ')}${orNull}`
  if (inner instanceof z.ZodLiteral)
    return `${[...inner.values].map(value => `\`${value}\``).join(', ')}${orNull}`
  if (inner instanceof z.ZodTuple) return 'list of two values'
  if (inner instanceof z.ZodNumber) return (inner.isInt ? 'whole number' : 'number') + orNull
  if (inner instanceof z.ZodString) return `text${orNull}`
  if (inner instanceof z.ZodBoolean) return `true or false${orNull}`
  if (inner instanceof z.ZodNull) return 'null'
  return objectsIn(inner).length > 0 ? `object${orNull}` : 'any JSON value'
}

const plural = (type: string): string =>
  ({ text: 'texts', object: 'objects', 'whole number': 'whole numbers', 'any JSON value': 'JSON values' })[
    type
  ] ?? type

const suffixOf = (schema: z.ZodType): string =>
  schema instanceof z.ZodArray ? '[]' : schema instanceof z.ZodRecord ? '.*' : ''

function findUnit(name: string, schema: z.ZodType, description: string): string {
  const { inner } = unwrap(schema instanceof z.ZodRecord ? (schema.valueType as z.ZodType) : schema)
  return inner instanceof z.ZodNumber ? numberUnit(name, description) : ''
}

/**
 * Returns the objects inside a schema, below lists, records and unions. Shared schemas have sections of their
 * own.
 */
function objectsIn(schema: z.ZodType): ObjectSchema[] {
  const { inner } = unwrap(schema)
  if (shared.has(inner)) return []
  if (inner instanceof z.ZodObject) return [inner]
  if (inner instanceof z.ZodArray) return objectsIn(inner.element as z.ZodType)
  if (inner instanceof z.ZodRecord) return objectsIn(inner.valueType as z.ZodType)
  if (inner instanceof z.ZodIntersection) {
    const { left, right } = inner.def
    return [
      ...objectsIn(left as z.ZodType)
        .map(withAllReasons)
        .slice(0, 1),
      ...objectsIn(right as z.ZodType),
    ]
  }
  if (inner instanceof z.ZodUnion) return (inner.options as z.ZodType[]).flatMap(objectsIn)
  return []
}

/** Cause and reason of a termination, whose values a table of their own lists. */
function withAllReasons(end: ObjectSchema): ObjectSchema {
  return z.object(Object.fromEntries(Object.keys(end.shape).map(name => [name, z.string()])))
}

/** Returns the variants of a union of objects. */
function listVariants(schema: z.ZodType): ObjectSchema[] {
  return schema instanceof z.ZodUnion ? (schema.options as ObjectSchema[]) : objectsIn(schema)
}

/** Returns the schema that a preprocessed schema reads. */
function unwrapObject(schema: z.ZodType): z.ZodType {
  return schema instanceof z.ZodPipe ? (schema.out as z.ZodType) : schema
}

interface DeclaredObject {
  /** Comments by field. */
  readonly comments: ReadonlyMap<string, string>
  /** The comment above the object itself. */
  readonly above: string
  /** The value of the field `type`. */
  readonly eventType: string | null
}

let declared: readonly DeclaredObject[] | null = null

/** Returns every object literal in the sources that is the shape of a schema. */
function declaredObjects(): readonly DeclaredObject[] {
  declared ??= sources.flatMap(path => objectsOfFile(new URL(`../${path}`, import.meta.url)))
  return declared
}

function objectsOfFile(url: URL): DeclaredObject[] {
  const text = readFileSync(url, 'utf8')
  const file = ts.createSourceFile(url.pathname, text, ts.ScriptTarget.Latest, true)
  const shapes = new Map<string, ts.ObjectLiteralExpression>()
  const objects: { readonly literal: ts.ObjectLiteralExpression; readonly above: string }[] = []
  const commentAbove = (node: ts.Node): string => {
    const comment = (ts.getLeadingCommentRanges(text, node.getFullStart()) ?? []).at(-1)
    return comment === undefined ? '' : plainComment(text.slice(comment.pos, comment.end))
  }
  const visit = (node: ts.Node): void => {
    if (ts.isVariableDeclaration(node) && node.initializer && ts.isObjectLiteralExpression(node.initializer))
      shapes.set(node.name.getText(), node.initializer)
    if (ts.isCallExpression(node) && /^z\s*\.(looseO|o)bject$/.test(node.expression.getText())) {
      const [literal] = node.arguments
      if (literal && ts.isObjectLiteralExpression(literal))
        objects.push({ literal, above: commentAbove(node) })
    }
    ts.forEachChild(node, visit)
  }
  visit(file)
  const fieldsOf = (literal: ts.ObjectLiteralExpression): [string, string][] =>
    literal.properties.flatMap(property => {
      if (!ts.isSpreadAssignment(property)) return [[property.name!.getText(), commentAbove(property)]]
      const shape = shapes.get(property.expression.getText())
      return shape === undefined ? [] : fieldsOf(shape)
    })
  return objects.map(({ literal, above }) => ({
    comments: new Map(fieldsOf(literal)),
    above,
    eventType: /type: z\.literal\('([\w-]+)'\)/.exec(literal.getText())?.[1] ?? null,
  }))
}

/** Returns the text of a comment on one line. */
function plainComment(comment: string): string {
  return comment
    .replace(/^\/\*\*?|\*\/$/g, '')
    .split('\n')
    .map(line => line.trim().replace(/^\* ?/, ''))
    .join(' ')
    .trim()
}

/**
 * Returns the comments of the object literal that has the fields of the schema. Two literals with equal
 * fields share their comments.
 */
function findComments(schema: ObjectSchema): ReadonlyMap<string, string> {
  const names = Object.keys(schema.shape).sort().join()
  const same = declaredObjects().filter(({ comments }) => [...comments.keys()].sort().join() === names)
  if (same.length === 0) throw new Error(`no z.object in ${sources.join(', ')} has the fields ${names}`)
  const { shape } = schema
  const literalType = shape.type instanceof z.ZodLiteral ? String([...shape.type.values][0]) : null
  return (same.find(({ eventType }) => eventType === literalType) ?? same[0]!).comments
}

function commentOfEvent(type: string): string {
  const { above } = declaredObjects().find(({ eventType }) => eventType === type)!
  if (above === '') throw new Error(`${type}: no comment above the event. Say what happens.`)
  return above
}
