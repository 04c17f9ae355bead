import { access, readdir, readFile } from 'node:fs/promises'
import { basename, join, relative, resolve } from 'node:path'
import { CsvError, parse } from 'csv-parse/sync'
import { z } from 'zod/v4'
import { ConfigError, DataError } from '../src/core/errors.ts'
import type {
  DocumentTable,
  LoadedTasks,
  SkippedRecord,
  Task,
  TaskDocument,
  TaskProblemCode,
  TextForm,
  TextGold,
} from '../src/core/task.ts'
import { zodProblemOf } from '../src/core/zod-problems.ts'
import { markedNumber, parsePythonJson, pythonJsonText } from '../src/text/python-json.ts'

const tiers = ['8k', '32k', 'inf'] as const
const turnKinds = ['single', 'multi'] as const

const answerForm =
  'Answer with a Python list of texts, such as ["A12", "7"], and write nothing else in it. Write an item as often as it occurs. Write numbers in digits and dates as YYYY-MM-DD, also when the tables write them in another way: numbers as Roman numerals, in words or as a power of ten, and dates as DD/MM/YYYY, as MM.DD.YYYY, or with the year first in words or Roman numerals. Some questions ask whether the tables support a statement. If they do, answer with the whole row as a Python dict of column names and values, with None for missing values. If they do not, answer with ["Unsupported"]. Write the answer between <answer> and </answer>.'
const instructions = {
  single: `${answerForm} The list has at most 10 items.`,
  multi: answerForm,
}

const scalar = z.union([z.string(), z.number(), z.boolean(), z.null()])
const asked = {
  question: z.string(),
  answer: z.union([z.array(scalar), z.record(z.string(), scalar)]),
}
const recordSchema = z.intersection(
  z.object({
    db_path: z.string(),
    db_id: z.string(),
    is_multi_table: z.boolean(),
    highlighted_table: z.array(z.string()).min(1),
    evidence: z.string().nullish(),
    /** The kind of task, such as EM. The published files do not contain it. */
    task: z.string().optional(),
    domain: z.string().optional(),
  }),
  z.union([z.object(asked), z.object({ QA: z.array(z.object(asked)).min(1) })], {
    error: 'needs question and answer, or QA with a list of them',
  }),
)
type LongTableRecord = z.infer<typeof recordSchema>
type Answer = z.infer<(typeof asked)['answer']>

/** A file of questions, which says the size of the tables and whether there are conversations. */
interface QuestionFile {
  readonly file: string
  readonly tier: string
  readonly turns: (typeof turnKinds)[number]
}

/** A record that cannot become a task. */
class UnusableRecord extends Error {
  readonly code: TaskProblemCode
  constructor(code: TaskProblemCode, message: string) {
    super(message)
    this.code = code
  }
}

/**
 * Reads LongTableBench's folder. The path is the folder that contains `datasets`, or `datasets` itself. A file
 * `seeds.jsonl` beside `datasets` may give the kind of task and the domain of each question, which the published files
 * lack.
 *
 * @throws ConfigError `tasks-not-found`
 * @throws DataError `invalid-questions`
 */
export async function loadLongTableBench(path: string): Promise<LoadedTasks<TextGold>> {
  const root = basename(resolve(path)) === 'datasets' ? resolve(path) : join(path, 'datasets')
  const files = await questionFiles(root)
  if (files.length === 0)
    throw new ConfigError(
      `--tasks ${path}: no file datasets/questions/{8k,32k,inf}/longtablebench_{single,multi}.json. Name the folder that contains datasets.`,
      { code: 'tasks-not-found' },
    )
  const kinds = await taskKinds(join(root, '..', 'seeds.jsonl'))
  const tasks: Task<TextGold>[] = []
  const skipped: SkippedRecord[] = []
  for (const file of files)
    for (const [at, value] of (await recordsIn(file.file)).entries()) {
      const taskId = `${file.tier}_${file.turns}_${at}`
      const place = { file: file.file, line: at + 1 }
      try {
        const record = withKind(readRecord(value, file), kinds)
        const documents = await documentsOf(record, join(root, 'tables'))
        tasks.push({ ...taskOf(record, { taskId, file, documents }), source: place })
      } catch (error) {
        if (!(error instanceof UnusableRecord)) throw error
        skipped.push({ ...place, recordId: taskId, problem: error.message, code: error.code })
      }
    }
  return { tasks, skipped }
}

async function questionFiles(root: string): Promise<QuestionFile[]> {
  const all = tiers.flatMap(tier =>
    turnKinds.map(turns => ({
      file: join(root, 'questions', tier, `longtablebench_${turns}.json`),
      tier,
      turns,
    })),
  )
  const found = await Promise.all(
    all.map(({ file }) =>
      access(file).then(
        () => true,
        () => false,
      ),
    ),
  )
  return all.filter((_, at) => found[at])
}

async function recordsIn(file: string): Promise<readonly unknown[]> {
  const text = (await readFile(file, 'utf8')).replace(/^\uFEFF/, '')
  let value: unknown
  try {
    value = parsePythonJson(text)
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause
    const why = cause.message.replaceAll('\n', ' ')
    throw new DataError(`${file}: not JSON (${why}). Correct the file.`, { code: 'invalid-questions', cause })
  }
  if (Array.isArray(value)) return value
  throw new DataError(`${file}: not a list of questions. Write a JSON list.`, { code: 'invalid-questions' })
}

function readRecord(value: unknown, { turns }: QuestionFile): LongTableRecord {
  const parsed = recordSchema.safeParse(value)
  if (!parsed.success)
    throw new UnusableRecord('invalid-record', `${zodProblemOf(parsed.error, 'record')}. Correct the record.`)
  const isConversation = 'QA' in parsed.data
  if (isConversation !== (turns === 'multi'))
    throw new UnusableRecord(
      'invalid-record',
      isConversation
        ? 'it has QA, which belongs into longtablebench_multi.json. Move the record.'
        : 'it has one question, which belongs into longtablebench_single.json. Move the record.',
    )
  return parsed.data
}

type Kinds = ReadonlyMap<string, { readonly task?: string | undefined; readonly domain?: string | undefined }>
const seedSchema = z.looseObject({ task: z.string().optional(), domain: z.string().optional() })

const questionsOf = (record: LongTableRecord): readonly { question: string; answer: Answer }[] =>
  'QA' in record ? record.QA : [record]
const keyOf = (record: LongTableRecord): string =>
  JSON.stringify([record.db_path, record.db_id, questionsOf(record).map(({ question }) => question)])

/** Reads the kinds and domains of the questions. Returns none when the file is missing. */
async function taskKinds(file: string): Promise<Kinds> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return ''
    throw error
  })
  const kinds = new Map<string, z.infer<typeof seedSchema>>()
  for (const [at, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue
    try {
      const value: unknown = JSON.parse(line)
      kinds.set(keyOf(recordSchema.parse(value)), seedSchema.parse(value))
    } catch (cause) {
      throw new DataError(`${file}:${at + 1}: not a question of the benchmark. Correct or remove the line.`, {
        code: 'invalid-questions',
        cause,
      })
    }
  }
  return kinds
}

function withKind(record: LongTableRecord, kinds: Kinds): LongTableRecord {
  const { task, domain } = kinds.get(keyOf(record)) ?? {}
  return { ...record, task: record.task ?? task, domain: record.domain ?? domain }
}

/** The tables of a record: the file of its table, or all files of its folder, sorted by name. */
async function documentsOf(record: LongTableRecord, tables: string): Promise<TaskDocument[]> {
  const folder = join(tables, record.db_path, record.db_id)
  const place = relative(tables, folder)
  const names = place.startsWith('..') ? [] : await readdir(folder).catch(() => [])
  const files = names.filter(name => /\.csv$/i.test(name)).sort()
  const [wanted = ''] = record.highlighted_table
  const used = record.is_multi_table
    ? files
    : files.filter(name => tableName(name).toLowerCase() === wanted.toLowerCase())
  if (used.length === 0) {
    const what = record.is_multi_table ? 'no CSV file' : `no file ${wanted}.csv`
    throw new UnusableRecord(
      'missing-document',
      `${what} in datasets/tables/${place}. Add the table or correct db_path, db_id and highlighted_table.`,
    )
  }
  return used.map(file => ({
    name: `${record.db_path}/${record.db_id}/${tableName(file)}`,
    title: tableName(file),
    load: async () => ({ kind: 'tables', tables: [await readTable(join(folder, file))] }),
  }))
}

const tableName = (file: string): string => basename(file).replace(/\.csv$/i, '')

/**
 * Reads a CSV file as a table of texts. Empty fields are null.
 *
 * @throws DataError `unreadable-table`
 */
export async function readTable(file: string): Promise<DocumentTable> {
  const unreadable = (why: string, cause?: unknown): DataError =>
    new DataError(`${file}: the table cannot be read: ${why}. Correct the CSV file.`, {
      code: 'unreadable-table',
      cause,
    })
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(await readFile(file))
    const [columns, ...rows] = parse(text, { bom: true, skip_empty_lines: true }) as string[][]
    if (columns === undefined) throw unreadable('it has no header')
    const cells = rows.map(row => row.map(cell => (cell === '' ? null : cell)))
    return { name: tableName(file), columns, rows: cells }
  } catch (error) {
    if (error instanceof CsvError) throw unreadable(error.message, error)
    if (error instanceof TypeError) throw unreadable('it is not UTF-8', error)
    throw error
  }
}

function taskOf(
  record: LongTableRecord,
  { taskId, file, documents }: { taskId: string; file: QuestionFile; documents: readonly TaskDocument[] },
): Task<TextGold> {
  const questions = questionsOf(record)
  const [first, ...further] = questions.map(({ question, answer }) => ({
    query: question,
    form: formOf(answer, file),
    gold: goldOf(answer),
  }))
  const names = documents.map(({ name }) => name)
  const evidence = record.evidence ?? ''
  return {
    question: {
      ...{ taskId, benchmark: 'longtablebench', domain: record.domain ?? record.db_id, language: 'en' },
      query: evidence === '' ? first!.query : `${evidence} ${first!.query}`,
      documentNames: names,
      form: first!.form,
      ...(further.length === 0 ? {} : { turns: further.map(({ query, form }) => ({ query, form })) }),
      facets: {
        task: record.task ?? 'unknown',
        tier: file.tier,
        turns: file.turns,
        tables: record.is_multi_table ? 'several' : 'one',
      },
    },
    gold: first!.gold,
    ...(further.length === 0 ? {} : { turnGolds: further.map(({ gold }) => gold) }),
    documents,
    evidence: { kind: 'documents', names },
  }
}

/** The instructions are the same for rows and lists, so that they do not reveal whether a statement is supported. */
function formOf(answer: Answer, { turns }: QuestionFile): TextForm {
  return {
    kind: 'text',
    instructions: instructions[turns],
    ...(Array.isArray(answer) ? { isList: true } : {}),
  }
}

function goldOf(answer: Answer): TextGold {
  const scoring = { answer: pythonJsonText(answer) }
  if (!Array.isArray(answer)) {
    const members = Object.entries(answer).map(([key, value]) => `${JSON.stringify(key)}: ${literal(value)}`)
    return { kind: 'text', references: [`{${members.join(', ')}}`], scoring }
  }
  const items = answer.map(item => (typeof item === 'string' ? (markedNumber(item) ?? item) : literal(item)))
  return { kind: 'text', references: [JSON.stringify(items)], items, scoring }
}

/** Writes a value as a Python literal. */
function literal(value: z.infer<typeof scalar>): string {
  if (value === null) return 'None'
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  return pythonJsonText(value)
}
