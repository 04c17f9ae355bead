import { z } from 'zod/v4'
import { ConfigError } from '../../src/core/errors.ts'
import type { Gold } from '../../src/core/gold.ts'
import type { LoadedTasks, Task, TaskDocument } from '../../src/core/task.ts'
import { describeZodProblem } from '../../src/core/zod-problems.ts'
import { readTextFile } from '../../src/system/files.ts'
import { parsePythonJson, readMarkedNumber } from '../../src/text/python-json.ts'
import { createTaskCollector, pickRequestForm } from '../collect-tasks.ts'
import { requireFile } from '../jsonl.ts'
import { makeRecordError } from '../validate/problem.ts'

const scalar = z.union([z.string(), z.number(), z.boolean()])
const answerSchema = z.union([scalar, z.array(scalar).min(1), z.record(z.string(), scalar)], {
  error: 'answer is a value, a list of values, or an object of keys and values',
})
const evidenceSchema = z.object({ revid: z.number().int(), title: z.string().min(1), url: z.url() })

interface SubQuestion {
  readonly evidence?: z.infer<typeof evidenceSchema> | null | undefined
  readonly decomposition: readonly SubQuestion[]
}
const subQuestionSchema: z.ZodType<SubQuestion> = z.lazy(() =>
  z.object({ evidence: evidenceSchema.nullish(), decomposition: z.array(subQuestionSchema).default([]) }),
)
const recordSchema = z.object({
  id: z.string().min(1),
  question: z.string().min(1),
  answer: answerSchema,
  categories: z.array(z.string()).default([]),
  decomposition: z.array(subQuestionSchema).default([]),
})
type FanOutRecord = z.infer<typeof recordSchema>

/** The columns of gold tables. The data set has pairs of keys and values without names. */
export const [keyColumn, valueColumn] = ['item', 'value']

/**
 * Reads the development set, a JSON list. Its test set has no answers.
 *
 * @throws ConfigError `tasks-not-found` or `unreadable-tasks`
 */
export async function loadFanOutQa(path: string): Promise<LoadedTasks> {
  await requireFile(path, 'fanout-final-dev.json')
  const text = await readTextFile(path)
  const collector = createTaskCollector()
  for (const value of listIn(text, path)) {
    const recordId = z.object({ id: z.string() }).safeParse(value).data?.id ?? null
    await collector.add({ file: path, line: findLine(text, recordId), recordId }, () => toTask(value))
  }
  return collector
}

function listIn(text: string, path: string): readonly unknown[] {
  const refuse = (why: string, cause?: unknown): ConfigError =>
    new ConfigError(`--tasks ${path}: ${why}. Name fanout-final-dev.json.`, {
      code: 'unreadable-tasks',
      cause,
    })
  try {
    const value = parsePythonJson(withMarkedKeys(text))
    if (Array.isArray(value)) return value
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    throw refuse(`not JSON (${error.message.replaceAll('\n', ' ')})`, error)
  }
  throw refuse('not a JSON list')
}

/** Before keys that are whole numbers. Without it an object lists these first and in ascending order, not in that of the file. */
const keyMark = '\u2060'

/** Marks the keys of a JSON text that are whole numbers. */
function withMarkedKeys(text: string): string {
  return text.replace(/"((?:[^"\\]|\\.)*)"(\s*:)?/g, (string, key: string, colon: string | undefined) =>
    colon !== undefined && /^\d+$/.test(key) ? `"${keyMark}${key}"${colon}` : string,
  )
}

/** The line that contains the id of a record; 1 for a record without an id. */
function findLine(text: string, id: string | null): number {
  const at = id === null ? -1 : text.indexOf(JSON.stringify(id))
  return at < 0 ? 1 : text.slice(0, at).split('\n').length
}

function toTask(value: unknown): Task {
  const parsed = recordSchema.safeParse(value)
  if (!parsed.success)
    throw makeRecordError(`${describeZodProblem(parsed.error, 'record')}. The test set has no answers.`)
  const record = parsed.data
  const pages = listPages(record.decomposition)
  const gold = toGold(record.answer)
  return {
    question: {
      taskId: record.id,
      benchmark: 'fanoutqa',
      language: 'en',
      query: record.question,
      domain: record.categories[0]?.toLowerCase() ?? 'general',
      documentNames: [],
      form: pickRequestForm(gold),
      facets: { answer: gold.kind === 'text' && gold.items !== undefined ? 'list' : gold.kind },
    },
    gold,
    documents: listDocuments(pages),
    evidence:
      pages.length === 0
        ? null
        : { kind: 'urls', urls: pages.map(({ url, revision, document }) => ({ url, revision, document })) },
  }
}

interface EvidencePage {
  readonly url: string
  readonly title: string
  readonly revision: string
  /** The name of the downloaded page. */
  readonly document: string
}

/** The downloaded pages. Two addresses can lead to the same page. */
function listDocuments(pages: readonly EvidencePage[]): TaskDocument[] {
  const byName = new Map(pages.map(({ title, document }) => [document, { name: document, title }] as const))
  return [...byName.values()]
}

/** The pages of all sub-questions, each once. */
function listPages(questions: readonly SubQuestion[]): EvidencePage[] {
  const pages = new Map<string, EvidencePage>()
  const visit = ({ evidence, decomposition }: SubQuestion): void => {
    if (evidence != null && !pages.has(evidence.url)) {
      const { url, title, revid } = evidence
      pages.set(url, { url, title, revision: String(revid), document: `${revid}.html` })
    }
    for (const question of decomposition) visit(question)
  }
  for (const question of questions) visit(question)
  return [...pages.values()]
}

function toGold(answer: FanOutRecord['answer']): Gold {
  if (Array.isArray(answer)) {
    const items = answer.map(writeValue)
    return { kind: 'text', references: [items.join('\n')], items }
  }
  if (typeof answer !== 'object') return { kind: 'text', references: [writeValue(answer)] }
  const values = Object.values(answer)
  const areNumbers = values.every(value => typeof value === 'number' || readMarkedNumber(value) !== null)
  return {
    kind: 'table',
    keyColumns: [keyColumn],
    targetColumns: [valueColumn],
    numericColumns: areNumbers ? [valueColumn] : [],
    rows: Object.entries(answer).map(([key, value]) => ({
      [keyColumn]: key.replace(keyMark, ''),
      [valueColumn]: typeof value === 'boolean' ? writeValue(value) : value,
    })),
  }
}

/** A value as the published code writes it: true is yes, and numbers are written as in Python. */
function writeValue(value: z.infer<typeof scalar>): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  return readMarkedNumber(value) ?? String(value)
}
