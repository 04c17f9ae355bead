import { access, readdir } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { z } from 'zod/v4'
import { ConfigError, DataError } from '../../src/core/errors.ts'
import type { TextGold } from '../../src/core/gold.ts'
import type { LoadedTasks, Task, TaskDocument, TextForm } from '../../src/core/task.ts'
import type { SkippedRecord } from '../../src/core/task-problem.ts'
import { describeZodProblem } from '../../src/core/zod-problems.ts'
import { isObject, parseJsonOrNull } from '../../src/text/json.ts'
import { parsePythonJson, readMarkedNumber, writePythonJson } from '../../src/text/python-json.ts'
import { createTaskCollector } from '../collect-tasks.ts'
import { makeRecordError } from '../validate/problem.ts'
import { explainUnreadable, readTables, readUtf8 } from './documents.ts'

const tiers = ['8k', '32k', 'inf'] as const
const turnKinds = ['single', 'multi'] as const

const answerForm =
  'Answer with a Python list of texts, such as ["A12", "7"], and write nothing else in it. Write an item as often as it occurs. Write numbers in digits and dates as YYYY-MM-DD, also when the tables write them in another way: numbers as Roman numerals, in words or as a power of ten, and dates as DD/MM/YYYY, as MM.DD.YYYY, or with the year first in words or Roman numerals. Some questions ask whether the tables support a statement. If they do, answer with the whole row as a Python dict of column names and values, with None for missing values. If they do not, answer with ["Unsupported"]. Write the answer between <answer> and </answer>.'
const instructions = {
  single: `${answerForm} The list has at most 10 items.`,
  multi: answerForm,
}

const scalar = z.union([z.string(), z.number(), z.boolean(), z.null()])
const questionFields = {
  question: z.string(),
  // A record of zod refuses a row with the column `constructor`.
  answer: z.union([z.array(scalar), z.object({}).catchall(scalar)]),
}
const common = {
  db_path: z.string(),
  db_id: z.string(),
  is_multi_table: z.boolean(),
  highlighted_table: z.array(z.string()).min(1),
  evidence: z.string().nullish(),
  /** The kind of task, such as EM. The published files do not contain it. */
  task: z.string().optional(),
  domain: z.string().optional(),
}
const recordSchemas = {
  single: z.object({ ...common, ...questionFields }),
  multi: z.object({ ...common, QA: z.array(z.object(questionFields)).min(1) }),
}
type LongTableRecord = z.infer<(typeof recordSchemas)[keyof typeof recordSchemas]>
type Scalar = z.infer<typeof scalar>
type RecordAnswer = readonly Scalar[] | Readonly<Record<string, Scalar>>

/** A file of questions, which says the size of the tables and whether there are conversations. */
interface QuestionFile {
  readonly file: string
  readonly tier: string
  readonly turns: (typeof turnKinds)[number]
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
  const files = await listQuestionFiles(root)
  if (files.length === 0)
    throw new ConfigError(
      `--tasks ${path}: no file datasets/questions/{8k,32k,inf}/longtablebench_{single,multi}.json. Name the folder that contains datasets.`,
      { code: 'tasks-not-found' },
    )
  const kinds = await listTaskKinds(join(root, '..', 'seeds.jsonl'))
  const unknown = await listUnknownFiles(join(root, 'questions'), files)
  const collector = createTaskCollector<TextGold>()
  const findTables = readTables(join(root, 'tables'))
  for (const file of files)
    for (const [at, value] of (await readRecords(file.file)).entries()) {
      const taskId = `${file.tier}_${file.turns}_${at}`
      await collector.add({ file: file.file, line: at + 1, recordId: taskId }, async () => {
        const record = withKind(readRecord(value, file), kinds)
        return toTask(record, { taskId, file, documents: await findTables(record) })
      })
    }
  return { tasks: collector.tasks, skipped: [...unknown, ...collector.skipped] }
}

async function listQuestionFiles(root: string): Promise<QuestionFile[]> {
  const candidates = tiers.flatMap(tier =>
    turnKinds.map(turns => ({
      file: join(root, 'questions', tier, `longtablebench_${turns}.json`),
      tier,
      turns,
    })),
  )
  const exist = await Promise.all(
    candidates.map(({ file }) =>
      access(file).then(
        () => true,
        () => false,
      ),
    ),
  )
  return candidates.filter((_, at) => exist[at])
}

/** Reports files of questions whose folder or name is not one of the benchmark. */
async function listUnknownFiles(
  questions: string,
  readFiles: readonly QuestionFile[],
): Promise<SkippedRecord[]> {
  const names = await readdir(questions, { recursive: true }).catch(() => [])
  const files = names
    .filter(name => /^longtablebench_.*\.json$/.test(basename(name)))
    .map(name => join(questions, name))
    .filter(file => !readFiles.some(question => question.file === file))
  return files.sort().map(file => ({
    file,
    line: 1,
    recordId: null,
    code: 'invalid-record',
    problem: `the file is not read. Rename it to one of {${tiers.join(',')}}/longtablebench_{${turnKinds.join(',')}}.json in ${questions}, or remove it.`,
  }))
}

async function readRecords(file: string): Promise<readonly unknown[]> {
  const invalid = (problem: string, cause?: unknown): DataError =>
    new DataError(`${file}: ${problem}`, { code: 'invalid-questions', cause })
  const text = await readUtf8(file).catch((cause: unknown) => {
    throw invalid(`the file cannot be read: ${explainUnreadable(cause)}. Correct the file.`, cause)
  })
  let value: unknown
  try {
    value = parsePythonJson(text)
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause
    throw invalid(`not JSON (${cause.message.replaceAll('\n', ' ')}). Correct the file.`, cause)
  }
  if (Array.isArray(value)) return value
  throw invalid('not a list of questions. Write a JSON list.')
}

function readRecord(value: unknown, { turns }: QuestionFile): LongTableRecord {
  const { kind, parsed } = parseRecord(value, turns)
  if (!parsed.success)
    throw makeRecordError(`${describeZodProblem(parsed.error, 'record')}. Correct the record.`)
  if (kind !== turns)
    throw makeRecordError(
      kind === 'multi'
        ? 'it has QA, which belongs into longtablebench_multi.json. Move the record.'
        : 'it has one question, which belongs into longtablebench_single.json. Move the record.',
    )
  return parsed.data
}

/** Parses a record with one question, or with several in QA. `usual` decides about a record that has neither. */
function parseRecord(value: unknown, usual: QuestionFile['turns']) {
  const fields = isObject(value) ? value : {}
  const kind = 'QA' in fields ? 'multi' : 'question' in fields ? 'single' : usual
  return { kind, parsed: recordSchemas[kind].safeParse(value) }
}

type Kinds = ReadonlyMap<string, LongTableRecord>

const listQuestions = (record: LongTableRecord): readonly { question: string; answer: RecordAnswer }[] =>
  'QA' in record ? record.QA : [record]
const identifyRecord = (record: LongTableRecord): string =>
  JSON.stringify([record.db_path, record.db_id, listQuestions(record).map(({ question }) => question)])

/** Reads the kinds and domains of the questions. Returns none when the file is missing. */
async function listTaskKinds(file: string): Promise<Kinds> {
  const invalid = (place: string, problem: string, cause: unknown): DataError =>
    new DataError(`${place}: ${problem}`, { code: 'invalid-questions', cause })
  const text = await readUtf8(file).catch((cause: NodeJS.ErrnoException) => {
    if (cause.code === 'ENOENT') return ''
    throw invalid(
      file,
      `the file cannot be read: ${explainUnreadable(cause)}. Correct or remove the file.`,
      cause,
    )
  })
  const kinds = new Map<string, LongTableRecord>()
  for (const [at, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue
    const value = parseJsonOrNull(line)
    const { parsed } = parseRecord(value, 'single')
    if (!parsed.success) {
      const why = isObject(value) ? describeZodProblem(parsed.error, 'record') : 'it is no JSON object'
      throw invalid(
        `${file}:${at + 1}`,
        `not a question of the benchmark (${why}). Correct or remove the line.`,
        parsed.error,
      )
    }
    kinds.set(identifyRecord(parsed.data), parsed.data)
  }
  return kinds
}

function withKind(record: LongTableRecord, kinds: Kinds): LongTableRecord {
  const { task, domain } = kinds.get(identifyRecord(record)) ?? {}
  return { ...record, task: record.task ?? task, domain: record.domain ?? domain }
}

function toTask(
  record: LongTableRecord,
  { taskId, file, documents }: { taskId: string; file: QuestionFile; documents: readonly TaskDocument[] },
): Task<TextGold> {
  const questions = listQuestions(record)
  const [first, ...further] = questions.map(({ question, answer }) => ({
    query: question,
    form: writeRequest(answer, file),
    gold: readLongTableGold(answer),
  }))
  const names = documents.map(({ name }) => name)
  const evidence = record.evidence ?? ''
  return {
    question: {
      taskId,
      benchmark: 'longtablebench',
      domain: record.domain ?? record.db_id,
      language: 'en',
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
function writeRequest(answer: RecordAnswer, { turns }: QuestionFile): TextForm {
  return {
    kind: 'text',
    instructions: instructions[turns],
    ...(Array.isArray(answer) ? { isList: true } : {}),
  }
}

/**
 * Returns the gold of an answer. Its first reference is the answer as the prompt asks for it.
 *
 * @throws DataError `empty-gold` for an object without members
 */
export function readLongTableGold(
  answer: RecordAnswer,
): TextGold & { readonly scoring: { readonly answer: string } } {
  const scoring = { answer: writePythonJson(answer) }
  if (!Array.isArray(answer)) {
    if (Object.keys(answer).length === 0)
      throw makeRecordError(
        'an answer is an object without members. Write the row, or ["Unsupported"].',
        undefined,
        'empty-gold',
      )
    const members = Object.entries(answer).map(
      ([key, value]) => `${JSON.stringify(key)}: ${writeLiteral(value)}`,
    )
    return { kind: 'text', references: [`{${members.join(', ')}}`], scoring }
  }
  const items = answer.map(item =>
    typeof item === 'string' ? (readMarkedNumber(item) ?? item) : writeLiteral(item),
  )
  return { kind: 'text', references: [JSON.stringify(items)], items, scoring }
}

/** Writes a value as a Python literal. */
function writeLiteral(value: z.infer<typeof scalar>): string {
  if (value === null) return 'None'
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  return writePythonJson(value)
}
