import { ConfigError } from '../../src/core/errors.ts'
import { nearestField, plainField } from '../../src/core/nearest-name.ts'
import { formatShortList } from '../../src/text/plain-text.ts'

/** The columns of a file of questions, each with its usual names. The first name is the one that docs use. */
export const qaColumns = {
  question: ['question', 'query', 'prompt', 'input'],
  answer: [
    ...[
      'answer',
      'answers',
      'expected',
      'expected_answer',
      'expected_output',
      'reference',
      'reference_answer',
    ],
    ...['ground_truth', 'gold', 'gold_answer', 'correct_answer', 'target', 'ideal', 'output'],
  ],
  documents: [
    ...[
      'documents',
      'document',
      'docs',
      'doc',
      'file',
      'files',
      'filename',
      'file_name',
      'source',
      'sources',
    ],
    ...['source_document', 'input_doc', 'context', 'contexts'],
  ],
  id: ['id', 'task_id', 'question_id', 'query_id', 'record_id', 'qid'],
  domain: ['domain', 'category', 'topic', 'subject'],
  language: ['language', 'lang', 'locale'],
} as const satisfies Readonly<Record<string, readonly string[]>>

type QaField = keyof typeof qaColumns

/** The columns of a file by what they contain. */
export type MappedColumns = Readonly<Partial<Record<QaField, string>>> & {
  readonly question: string
  readonly answer: string
}

const fields = Object.keys(qaColumns) as QaField[]

const listColumnsFor = (field: QaField, columns: readonly string[]): string[] =>
  columns.filter(column => (qaColumns[field] as readonly string[]).includes(plainField(column)))

/** Whether a header names a question and an answer. */
export const looksLikeQuestions = (columns: readonly string[]): boolean =>
  listColumnsFor('question', columns).length > 0 && listColumnsFor('answer', columns).length > 0

/**
 * Finds the columns of questions and answers by their names.
 *
 * @param place - the file, for messages
 * @throws ConfigError `qa-columns` when the question or the answer has no column, or a field has two
 */
export function mapColumns(place: string, columns: readonly string[]): MappedColumns {
  const mapped: Partial<Record<QaField, string>> = {}
  for (const field of fields) {
    const [column, second] = listColumnsFor(field, columns)
    if (second !== undefined)
      throw refuse(
        place,
        `columns '${column}' and '${second}' can both be the ${field}. Keep that name for one, and rename the other`,
      )
    if (column !== undefined) mapped[field] = column
  }
  const { question, answer } = mapped
  if (question !== undefined && answer !== undefined) return { ...mapped, question, answer }
  const field = question === undefined ? 'question' : 'answer'
  throw refuse(
    place,
    `no column for the ${field} (columns: ${columns.join(', ')}). Name it ${field}, or one of ${qaColumns[field].slice(1).join(', ')}`,
  )
}

const refuse = (place: string, problem: string): ConfigError =>
  new ConfigError(`${place}: ${problem}.`, { code: 'qa-columns' })

/** Describes the columns that are not read; null when all are. */
export function describeUnreadColumns(columns: readonly string[], mapped: MappedColumns): string | null {
  const used = Object.values(mapped)
  const unread = columns.filter(column => !used.includes(column))
  if (unread.length === 0) return null
  const free = Object.fromEntries(
    fields.filter(field => mapped[field] === undefined).map(field => [field, qaColumns[field]]),
  )
  const describe = (column: string): string => {
    const near = nearestField(column, free)
    return `'${column}'${near === null ? '' : ` (did you mean '${near}'?)`}`
  }
  const [noun, verb] = unread.length === 1 ? ['column', 'is'] : ['columns', 'are']
  return `${noun} ${formatShortList(unread, describe, 8)} ${verb} not read. A file of questions has the columns ${fields.join(', ')}; rename what is one of them, and ignore this otherwise.`
}
