import type { Random } from '../../../src/core/runtime.ts'
import { quoteName } from '../../../src/system/sql/table-database.ts'
import {
  type Condition,
  drawComparison,
  drawEquality,
  drawParentCondition,
  drawTextMatch,
  type JoinedCondition,
  listUsableColumns,
  pick,
  writeColumnSql,
  writeValueSql,
} from './conditions.ts'
import { type Database, formatLabel, type KeyedTable, readCells } from './databases.ts'

/** The kinds of tasks in LongTableBench's paper. */
export const taskKinds = ['EM', 'BCF', 'FCM', 'FR', 'EKF', 'INI'] as const
export type TaskKind = (typeof taskKinds)[number]

/** A question with the query that answers it. */
interface DraftQuestion {
  readonly question: string
  readonly sql: string
  /** `row`: the answer is the whole row of the query, or Unsupported when there is none. */
  readonly answer: 'list' | 'row'
  /** Of a question for the first rows of an order. */
  readonly top?: TopRows
}

/** The first rows of an order. They are known only when the row after them has another value. */
export interface TopRows {
  readonly size: number
  /** The query for the ordered values of all rows. */
  readonly valuesSql: string
}

/** A question or a conversation before its queries have run. */
export interface QuestionDraft {
  /** A sentence that the first question needs. */
  readonly evidence?: string
  readonly questions: readonly DraftQuestion[]
}

/** Where questions are drawn from. */
export interface DraftSource {
  /** The table whose rows are asked for. */
  readonly subject: KeyedTable
  /** The tables that questions may join; null for questions about one table. */
  readonly database: Database | null
  readonly isConversation: boolean
  readonly random: Random
}

/** The rows that a question is about. */
interface RowSelection {
  readonly words: string
  /** The end of the query, from FROM on. */
  readonly from: string
}

/** Draws a question or a conversation of a kind; null when the drawn values do not suit it. */
export function draftQuestion(kind: TaskKind, source: DraftSource): QuestionDraft | null {
  switch (kind) {
    case 'EM':
      return draftSelection(source, [drawExactCondition(source)], 'which')
    case 'BCF':
      return draftComparison(source)
    case 'FCM':
      return draftFuzzy(source)
    case 'FR':
      return draftStatement(source)
    case 'EKF':
      return draftKnowledge(source)
    case 'INI':
      return draftQuestion(
        pick(['EM', 'BCF', ...(source.isConversation ? [] : ['FR' as const])] as const, source.random),
        source,
      )
  }
}

const noColumns: ReadonlySet<string> = new Set()

/** The most rows with a value that an exact match asks for. */
const maxMatches = 5

const drawExactCondition = ({ subject, random }: DraftSource): Condition | null =>
  drawEquality(subject, { random, not: noColumns, maxOften: maxMatches })

const drawAnyEquality = (
  { subject, random }: DraftSource,
  not: ReadonlySet<string> = noColumns,
): Condition | null => drawEquality(subject, { random, not, maxOften: null })

/** Draws a question with an equal value in one column and a comparison in another. */
function draftComparison(source: DraftSource): QuestionDraft | null {
  const equal = drawAnyEquality(source)
  if (equal === null) return null
  const compared = drawComparison(source.subject, source.random, new Set([equal.column]))
  return draftSelection(source, [equal, compared], 'list')
}

/** Joins conditions; one on another table comes first when the question may join tables. */
function select(source: DraftSource, conditions: readonly (Condition | null)[]): RowSelection | null {
  const { subject, database, random } = source
  const joined: JoinedCondition | null =
    database === null ? null : drawParentCondition(subject, database, random)
  const drawnConditions = [...conditions, ...(database === null ? [] : [joined])]
  if (drawnConditions.some(condition => condition === null)) return null
  const usableConditions = drawnConditions as Condition[]
  return {
    words: usableConditions.map(({ words }) => words).join(' and '),
    from: `FROM ${quoteName(subject.table.name)}${joined?.join ?? ''} WHERE ${usableConditions.map(({ sql }) => sql).join(' AND ')}`,
  }
}

function draftSelection(
  source: DraftSource,
  conditions: readonly (Condition | null)[],
  form: 'which' | 'list',
): QuestionDraft | null {
  const selection = select(source, conditions)
  if (selection === null) return null
  const { subject } = source
  const [key, name] = [formatLabel(subject.key), formatLabel(subject.table.name)]
  const question =
    form === 'which'
      ? `Which ${key} belongs to the ${name} ${selection.words}?`
      : `List the ${key} of every ${name} ${selection.words}.`
  const sql = `SELECT ${writeColumnSql(subject.table.name, subject.key)} ${selection.from}`
  return { questions: [{ question, sql, answer: 'list' }, ...drawFollowUps(source, sql)] }
}

/** Draws the further rounds of a conversation, each about the rows of the first answer. */
function drawFollowUps(source: DraftSource, sql: string): DraftQuestion[] {
  if (!source.isConversation) return []
  const { subject, random } = source
  const { table, key } = subject
  const rounds: DraftQuestion[] = []
  const columns = listUsableColumns(subject, noColumns)
  const count = 1 + Math.floor(random() * 3)
  const usedColumns = new Set<string>()
  for (let round = 0; round < count; round++) {
    const left = columns.filter(({ name }) => !usedColumns.has(name))
    if (left.length === 0) break
    const { name } = pick(left, random)
    usedColumns.add(name)
    rounds.push({
      question: `What is the ${formatLabel(name)} of each of them?`,
      sql: `SELECT ${writeColumnSql(table.name, name)} FROM ${quoteName(table.name)} WHERE ${writeColumnSql(table.name, key)} IN (${sql})`,
      answer: 'list',
    })
  }
  return rounds
}

function draftFuzzy(source: DraftSource): QuestionDraft | null {
  const { subject, random } = source
  const { table, key } = subject
  const way = pick(['count', 'top', 'part'] as const, random)
  if (way === 'part' || (way === 'count' && source.isConversation))
    return draftSelection(source, [drawTextMatch(subject, random, noColumns)], 'list')
  if (way === 'count') {
    const selection = select(source, [
      pick([drawTextMatch, drawComparison], random)(subject, random, noColumns),
    ])
    if (selection === null) return null
    const question = `How many ${formatLabel(table.name)} entries are there ${selection.words}?`
    return { questions: [{ question, sql: `SELECT COUNT(*) ${selection.from}`, answer: 'list' }] }
  }
  const numbers = listUsableColumns(subject, noColumns).filter(({ isNumeric }) => isNumeric)
  const selection = select(source, [drawAnyEquality(source)])
  if (numbers.length === 0 || selection === null) return null
  const { name } = pick(numbers, random)
  const [most, order] = pick(
    [
      ['highest', 'DESC'],
      ['lowest', 'ASC'],
    ] as const,
    random,
  )
  const size = 2 + Math.floor(random() * 4)
  const column = writeColumnSql(table.name, name)
  const ordered = `${selection.from} AND ${column} IS NOT NULL ORDER BY ${column} ${order}`
  const sql = `SELECT ${writeColumnSql(table.name, key)} ${ordered} LIMIT ${size}`
  const question = `Which ${size} of the ${formatLabel(table.name)} entries ${selection.words} have the ${most} ${formatLabel(name)}? Give their ${formatLabel(key)}, ${most} first.`
  const top = { size, valuesSql: `SELECT ${column} ${ordered}` }
  return { questions: [{ question, sql, answer: 'list', top }, ...drawFollowUps(source, sql)] }
}

const statementEnd =
  'Do the tables support this statement? If they do, answer with the full row as a Python dict with the column names as keys. If they do not, answer with Unsupported.'

/** Draws statements about a row, some of which are wrong in one value. */
function draftStatement({ subject, isConversation, random }: DraftSource): QuestionDraft | null {
  const { table, key } = subject
  const at = Math.floor(random() * table.rows.length)
  const row = table.rows[at]!
  const keyValue = row[table.columns.indexOf(key)]!
  const columns = listUsableColumns(subject, noColumns).filter(({ name }) =>
    isShort(row[table.columns.indexOf(name)]),
  )
  if (columns.length === 0 || /['"\n]/.test(String(keyValue))) return null
  const half = Math.ceil(columns.length / 2)
  const parts =
    isConversation && columns.length > 1 ? [columns.slice(0, half), columns.slice(half)] : [columns]
  const stated = parts.map((part, at) => {
    const wrong = random() < 0.5 ? pick(part, random).name : null
    const facts = part.map(({ name, isNumeric }) => {
      const right = row[table.columns.indexOf(name)]!
      const wrongValues = readCells(table, name).filter(value => value !== right && isShort(value))
      const value = name === wrong && wrongValues.length > 0 ? pick(wrongValues, random)! : right
      return {
        words: `its ${formatLabel(name)} is ${value}`,
        sql: `${writeColumnSql(table.name, name)} = ${writeValueSql(value, isNumeric)}`,
      }
    })
    const start =
      at === 0
        ? `The ${formatLabel(table.name)} with ${formatLabel(key)} ${keyValue} is on record: `
        : 'A further statement about the same row: '
    const keyType = listUsableColumns({ table, key: '' }, noColumns).find(({ name }) => name === key)!
    const where = [
      `${writeColumnSql(table.name, key)} = ${writeValueSql(keyValue, keyType.isNumeric)}`,
      ...facts.map(({ sql }) => sql),
    ]
    return {
      question: `${start}${facts.map(({ words }) => words).join('; ')}. ${statementEnd}`,
      sql: `SELECT * FROM ${quoteName(table.name)} WHERE ${where.join(' AND ')}`,
      answer: 'row' as const,
    }
  })
  return { questions: stated }
}

const isShort = (value: unknown): boolean => {
  const text = String(value ?? '')
  return text !== '' && text.length <= 60 && !/['"\n]/.test(text)
}

/** Draws a question whose words are explained by a sentence before it. */
function draftKnowledge(source: DraftSource): QuestionDraft | null {
  const { subject, random } = source
  const rule = pick([drawComparison, drawTextMatch], random)(subject, random, noColumns)
  if (rule === null) return null
  const name = formatLabel(subject.table.name)
  const furtherConditions = source.database === null ? [drawAnyEquality(source, new Set([rule.column]))] : []
  const marked = { ...rule, words: 'that is notable' }
  const draft = draftSelection(source, [marked, ...furtherConditions], 'list')
  return draft === null
    ? null
    : { ...draft, evidence: `A ${name} is called notable if it is one ${rule.words};` }
}
