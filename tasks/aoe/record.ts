import { z } from 'zod/v4'
import type { GoldRow, GoldValue, TableGold } from '../../src/core/gold.ts'
import { nearestField } from '../../src/core/nearest-name.ts'
import type { Language, Task } from '../../src/core/task.ts'
import { describeZodProblems } from '../../src/core/zod-problems.ts'
import { readMarkedNumber, writePythonJson } from '../../src/text/python-json.ts'
import { requireLanguage } from '../parse-record.ts'
import { makeRecordError } from '../validate/problem.ts'
import { findPublishedColumns, listPublishedLanguages, type PublishedColumns } from './columns.ts'
import { readInputDocuments } from './documents.ts'

const columnList = z.array(z.string().min(1)).optional()

const recordSchema = z.object({
  answers: z.array(z.record(z.string(), z.unknown())).min(1),
  key_cols: columnList,
  target_value_columns: columnList,
  numeric_columns: columnList,
  query: z.string().trim().min(1),
  language: z.string().optional(),
  domain: z.string().trim().min(1).optional(),
  input_doc: z.unknown(),
})

/** Fields of a record, each with names that people write in their place. */
const otherNames = {
  record_id: ['id', 'task_id'],
  query: ['question', 'prompt', 'instruction'],
  answers: ['answer', 'gold', 'rows', 'table', 'expected', 'ground_truth'],
  input_doc: ['input_docs', 'documents', 'document', 'docs', 'files', 'file'],
  key_cols: ['key_columns', 'keys', 'key_column', 'primary_keys'],
  target_value_columns: ['target_columns', 'targets', 'target_cols', 'value_columns', 'target_value_cols'],
  numeric_columns: ['numeric_cols', 'numeric', 'number_columns', 'numerical_columns'],
  language: ['lang', 'locale'],
  domain: ['category', 'topic'],
} as const satisfies Readonly<Record<string, readonly string[]>>

/** Asks about each unknown field of a record that is likely meant for a missing one: `Did you mean key_cols by 'keys'?` */
export function findSlips(record: Readonly<Record<string, unknown>>): string[] {
  const isAbsent = (field: string): boolean => !Object.hasOwn(record, field)
  const absent = Object.fromEntries(Object.entries(otherNames).filter(([field]) => isAbsent(field)))
  const unknown = Object.keys(record).filter(field => !Object.hasOwn(otherNames, field))
  return unknown.flatMap(field => {
    const near = nearestField(field, absent)
    return near === null ? [] : [`Did you mean ${near} by '${field}'?`]
  })
}

/** The parts of an id such as `financial_12_3_en`, `legal_4_1` or the older `academic_coco_1`. */
interface RecordId {
  readonly domain: string
  /** `<domain>_<task>`; null when the id does not name a task. */
  readonly task: string | null
  readonly language: Language | null
}

/** Splits a record id into its parts. */
export function parseRecordId(recordId: string): RecordId {
  const domain = recordId.split('_', 1)[0] ?? ''
  const language = /_(zh|en)$/.exec(recordId)?.[1] ?? null
  const stem = recordId.replace(/_(?:zh|en)$/, '')
  const number = /_(\d+)$/.exec(stem)?.[1]
  // A legal id may continue after its task number, so the number is searched from the front.
  const legalNumber = domain === 'legal' ? /^legal_[^_]+_(\d+)(?:_|$)/.exec(stem)?.[1] : undefined
  const task = legalNumber ?? number
  return {
    domain,
    task: task === undefined ? null : `${domain}_${task}`,
    language: language === 'zh' || language === 'en' ? language : null,
  }
}

/** Whether an id is one of AOE's own records: it names one of its domains and one of that domain's tasks. */
export function isAoeRecordId(recordId: string): boolean {
  const { task } = parseRecordId(recordId)
  return task !== null && /^[^_]+_.+_\d/.test(recordId) && listPublishedLanguages(task).length > 0
}

/**
 * Converts a record of AOE to a task.
 *
 * @param record - the value beside or under the id, as `parsePythonJson` returned it
 * @throws DataError `invalid-record`. The message is one line and does not name the place of the record.
 */
export function readRecord(recordId: string, record: unknown): Task<TableGold> {
  const id = parseRecordId(recordId)
  const fields = parseFields(record)
  const language = readLanguage(fields.language, id)
  const gold = readGold(fields, id.task === null ? null : findPublishedColumns(id.task, language))
  const documents = readInputDocuments(fields.input_doc)
  const documentNames = documents.map(({ name }) => name)
  const statutes = id.task === 'legal_0' ? listCitedStatutes(gold) : []
  const domain = (fields.domain ?? id.domain).toLowerCase()
  if (domain === '')
    throw makeRecordError('the domain is missing. Add the field `domain`, or begin the id with a domain.')
  return {
    question: {
      taskId: recordId,
      benchmark: 'aoe',
      domain,
      language,
      query: fields.query,
      documentNames,
      form: { kind: 'table' },
    },
    gold,
    documents,
    ...(statutes.length === 0 ? {} : { optionalDocuments: statutes }),
    evidence: { kind: 'documents', names: documentNames },
  }
}

function parseFields(record: unknown): z.infer<typeof recordSchema> {
  const parsed = recordSchema.safeParse(record)
  if (parsed.success) return parsed.data
  throw makeRecordError(describeZodProblems(parsed.error, 'record').join('; '))
}

function readLanguage(tag: string | undefined, id: RecordId): Language {
  if (tag !== undefined) return requireLanguage(tag)
  if (id.language !== null) return id.language
  const only = id.task === null ? [] : listPublishedLanguages(id.task)
  if (only.length === 1 && only[0] !== undefined) return only[0]
  throw makeRecordError('the language is missing. Add the field `language`, or end the id with _zh or _en.')
}

function readGold(fields: z.infer<typeof recordSchema>, published: PublishedColumns | null): TableGold {
  const keyColumns = fields.key_cols ?? published?.keys
  const targetColumns = fields.target_value_columns ?? published?.targets
  const numericColumns = fields.numeric_columns ?? published?.numeric
  if (keyColumns === undefined || targetColumns === undefined || numericColumns === undefined) {
    const lists = {
      key_cols: keyColumns,
      target_value_columns: targetColumns,
      numeric_columns: numericColumns,
    }
    const missing = Object.entries(lists).flatMap(([name, columns]) => (columns === undefined ? [name] : []))
    throw makeRecordError(
      `the columns are unknown, because the id names none of AOE's tasks in this language. Add ${missing.join(', ').replace(/, (?=\w+$)/, ' and ')}.`,
    )
  }
  return { kind: 'table', keyColumns, targetColumns, numericColumns, rows: fields.answers.map(readRow) }
}

function readRow(row: Readonly<Record<string, unknown>>, index: number): GoldRow {
  return Object.fromEntries(
    Object.entries(row).map(([column, value]) => [column, readValue(value, `answers[${index}].${column}`)]),
  )
}

function readValue(value: unknown, place: string): GoldValue {
  if (Array.isArray(value)) return writePythonJson(value)
  switch (typeof value) {
    case 'string':
      return readMarkedNumber(value) ?? value
    case 'number':
    case 'boolean':
      return value
    default:
      if (value === null) return null
      throw makeRecordError(`${place} is an object. Write a value or a list.`)
  }
}

const statuteColumn = '关联索引'

/**
 * Returns the names of the statutes that the gold of AOE's task legal_0 cites, each once, in the order of the gold:
 * 中华人民共和国刑法 for 《中华人民共和国刑法》第234条.
 */
function listCitedStatutes({ rows }: TableGold): string[] {
  const cited = rows.flatMap(row => readCitations(row[statuteColumn])).flatMap(readStatutes)
  return [...new Set(cited)]
}

/** Returns the citations of a cell, which is a text or the JSON text of a list. */
function readCitations(value: unknown): readonly string[] {
  if (typeof value !== 'string') return []
  try {
    const list: unknown = JSON.parse(value)
    return Array.isArray(list) ? list.filter(item => typeof item === 'string') : [value]
  } catch {
    return [value]
  }
}

/** Returns the names in 《》. Without any, the name is what stands before the article. */
function readStatutes(citation: string): string[] {
  const marked = [...citation.matchAll(/《([^《》]+)》/g)].map(([, name = '']) => name.trim())
  if (marked.length > 0) return marked
  const name = /^(.+?)\s*第[\d〇零一二三四五六七八九十百千]+条/.exec(citation.trim())?.[1]
  return name === undefined ? [] : [name]
}

/** Matches the task number at the end of an id, before the language: `financial_10q-all_4_en`. */
const taskNumber = /_(\d+)(?:_(?:zh|en|cn|ch))?$/i

/** Returns the type of a task, such as `financial_4`; the domain when the id has no task number. */
export function readTaskType({
  taskId,
  domain,
}: {
  readonly taskId: string
  readonly domain: string
}): string {
  const number = taskNumber.exec(taskId)?.[1]
  return number === undefined ? domain : `${domain}_${number}`
}
