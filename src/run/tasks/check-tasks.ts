import { settings } from '../../../agents/registry.ts'
import { findAnswerKind, listGoldItems } from '../../../tasks/kinds/answer-kinds.ts'
import { benchmarks } from '../../../tasks/registry.ts'
import { checkGold } from '../../../tasks/validate/check-gold.ts'
import { scoreLimits } from '../../../tasks/validate/score-limits.ts'
import type { ValidatedTasks } from '../../../tasks/validate/validate-tasks.ts'
import type { GoldProblem } from '../../core/answer-kind.ts'
import { documentEndings } from '../../core/document.ts'
import { choosePromptLanguage } from '../../core/language.ts'
import type { ScoreLimits } from '../../core/score-limits.ts'
import type { Task } from '../../core/task.ts'
import type { TaskPlace, TaskProblem } from '../../core/task-problem.ts'
import { type LookedUpValue, lookUpGold } from '../../evidence/gold-lookup.ts'
import { createTextIndexes } from '../../evidence/text-index.ts'
import { pickVerb, shortenText } from '../../score/explain/wording.ts'
import { formatShortList } from '../../text/plain-text.ts'
import { chooseScorers } from '../plan/choose-scorers.ts'
import { withOptionalDocuments } from '../plan/optional-documents.ts'
import { readTasksToCheck, type TaskOptions } from '../plan/read-tasks.ts'
import { type ReadDocument, readDocuments } from './read-documents.ts'

/** What a model is asked in a task, and what its answer is compared with. */
export interface AskedTask {
  readonly taskId: string
  readonly file: string
  readonly line: number
  readonly domain: string
  readonly language: string
  readonly promptLanguage: string
  readonly query: string
  readonly documents: readonly { readonly hint: string; readonly state: ReadDocument['state'] }[]
  readonly answerKind: Task['gold']['kind']
  /** For a table. The model does not see these columns. */
  readonly keyColumns: readonly string[]
  readonly targetColumns: readonly string[]
  readonly numericColumns: readonly string[]
  readonly goldRows: number | null
  /** The number of elements of a list answer; null when the answer is no list. */
  readonly goldItems: number | null
  /** The number of further questions in the same conversation. */
  readonly furtherQuestions: number
  /** How many gold values were looked up in the documents; null when a document could not be read. */
  readonly goldValues: GoldValueCounts | null
  /** What the gold's keys with empty cells get (`floor`), and the gold itself (`ceiling`), by each scorer of a run. */
  readonly limits: readonly ScoreLimits[]
  /** The benchmark's settings that can use the task with the documents that were found. */
  readonly settings: readonly string[]
  /** The benchmark's settings that cannot, because documents are missing. */
  readonly lackingDocuments: readonly string[]
}

/** The gold values of a task by what its documents contain. */
export interface GoldValueCounts {
  readonly found: number
  /** Only found in another unit, such as thousands, with the number by column. */
  readonly otherUnit: Readonly<Record<string, number>>
  readonly notFound: Readonly<Record<string, number>>
}

/** The options of a check. */
export interface TaskCheckOptions extends TaskOptions {
  readonly docs: string | null
  readonly scorer: readonly string[]
  readonly judge: string
  /** The folder that keeps the texts of documents. */
  readonly cache: string
}

/** The result of a check. */
export interface TaskCheck {
  /** The number of records in the file, including those that are no valid task. */
  readonly tasks: number
  readonly problems: readonly TaskProblem[]
  readonly asked: readonly AskedTask[]
  /** The scorers of a run with these tasks. Empty without a valid task. */
  readonly scorers: readonly string[]
}

/** Reads and validates tasks, scores their gold against itself, and opens their documents where `docs` is given. */
export async function checkTasks(options: TaskCheckOptions): Promise<TaskCheck> {
  const loaded = await readTasksToCheck(options)
  const tasks = await withOptionalDocuments(loaded.tasks, options.docs)
  const lookups = new Map<Task, readonly LookedUpValue[]>()
  const indexes = createTextIndexes()
  const documents = await readDocuments(tasks, {
    ...options,
    countTokens: null,
    visit(task, texts) {
      if (texts.length > 0 && texts.every(({ state }) => state === 'read'))
        lookups.set(task, lookUpGold(task, texts, indexes, listGoldItems))
    },
  })
  const { scorers } = benchmarks.get(options.benchmark)
  const runScorers = tasks.length === 0 ? [] : chooseScorers(options, tasks)
  const limits = await Promise.all(tasks.map(async task => await measureTaskLimits(task, runScorers)))
  const problems: TaskProblem[] = [...loaded.problems]
  for (const [at, task] of tasks.entries()) {
    const taskProblems = [
      ...(await findGoldProblems(task, scorers)),
      ...documents[at]!.flatMap(findDocumentProblems),
      ...lookupProblems(lookups.get(task) ?? [], task.gold.kind),
    ]
    problems.push(...taskProblems.map(problem => ({ ...problem, ...locateTask(task, options.tasks) })))
  }
  return {
    tasks: loaded.tasks.length + loaded.skipped.length,
    problems: sortLines(problems, loaded),
    asked: tasks.map((task, at) => ({
      ...describeTask(task, documents[at]!, options, lookups.get(task) ?? null),
      limits: limits[at]!,
    })),
    scorers: runScorers,
  }
}

async function measureTaskLimits(task: Task, scorers: readonly string[]): Promise<ScoreLimits[]> {
  const limits = await Promise.all(scorers.map(async scorer => await scoreLimits(task, scorer)))
  return limits.filter(limit => limit !== null)
}

/** Checks the gold of the question, and the gold of each further question of a conversation. */
async function findGoldProblems(task: Task, scorers: readonly string[]): Promise<GoldProblem[]> {
  const { question, gold, turnGolds = [] } = task
  const problems = [...(await checkGold(gold, question, scorers))]
  for (const [at, turnGold] of turnGolds.entries()) {
    const ofTurn = await checkGold(turnGold, { ...question, ...question.turns?.[at] }, scorers)
    problems.push(
      ...ofTurn.map(({ message, ...rest }) => ({ ...rest, message: `question ${at + 2}: ${message}` })),
    )
  }
  return problems
}

function locateTask(task: Task, path: string): TaskPlace {
  const { file, line } = task.source ?? { file: path, line: 1 }
  return { file, line, taskId: task.question.taskId }
}

/** Sorts problems by file and line. */
function sortLines(problems: readonly TaskProblem[], { tasks, skipped }: ValidatedTasks): TaskProblem[] {
  const files = new Set([
    ...skipped.flatMap(({ file }) => file ?? []),
    ...tasks.map(({ source }) => source?.file ?? ''),
  ])
  const order = [...files].sort()
  return [...problems].sort((a, b) => order.indexOf(a.file) - order.indexOf(b.file) || a.line - b.line)
}

/** The ending of a document's name, before another name or the end. */
const endOfName = new RegExp(`\\.(?:${documentEndings})(?=[\\s,|&+/]|$)`, 'gi')
const singleName = 'Put it directly into that folder, or fix its name in the task.'
const severalNames =
  'If these are several documents, separate their names by ; in a cell, or write a list of names in JSON.'

function findDocumentProblems({ hint, state, problem, notices }: ReadDocument): GoldProblem[] {
  if (state === 'read' || state === 'not-looked-for')
    return notices.map(notice => ({
      severity: 'warning',
      code: 'document-notice',
      message: `document '${hint}': ${notice}. Compare it with the document; replace the document if this matters.`,
    }))
  if (state === 'missing') {
    const fix = (hint.match(endOfName)?.length ?? 0) > 1 ? severalNames : singleName
    const message = `document '${hint}' is not in the folder of documents. ${fix}`
    return [{ severity: 'warning', code: 'missing-document', message }]
  }
  const what = state === 'unreadable' ? 'has no text' : 'is read only in part, or is not what its name says'
  const message = `document '${hint}' ${what} (${problem}). Open it, and replace it with a readable copy.`
  return [{ severity: 'warning', code: 'unreadable-document', message }]
}

function describeTask(
  task: Task,
  documents: readonly ReadDocument[],
  { tasks: path, benchmark }: TaskOptions,
  lookup: readonly LookedUpValue[] | null,
): Omit<AskedTask, 'limits'> {
  const { question, gold } = task
  const { file, line } = locateTask(task, path)
  const hasText = documents.some(({ state }) => state === 'read' || state === 'partly-read')
  const { settings: usual } = benchmarks.get(benchmark)
  const lackingDocuments = hasText ? [] : usual.filter(name => settings.get(name).source === 'documents')
  const { keyColumns, targetColumns, numericColumns, rows } = findAnswerKind(gold).shape(gold)
  return {
    taskId: question.taskId,
    file,
    line,
    domain: question.domain,
    language: question.language,
    promptLanguage: choosePromptLanguage(question.language),
    query: question.query,
    documents: documents.map(({ hint, state }) => ({ hint, state })),
    answerKind: gold.kind,
    keyColumns,
    targetColumns,
    numericColumns,
    goldRows: rows,
    goldItems: gold.kind === 'text' ? (gold.items?.length ?? null) : null,
    furtherQuestions: question.turns?.length ?? 0,
    goldValues: lookup === null ? null : countValues(lookup),
    settings: usual.filter(name => !lackingDocuments.includes(name)),
    lackingDocuments,
  }
}

function countValues(lookup: readonly LookedUpValue[]): GoldValueCounts {
  const byColumn = (state: LookedUpValue['state']): Record<string, number> => {
    const counts: Record<string, number> = {}
    for (const value of lookup)
      if (value.state === state) counts[value.column] = (counts[value.column] ?? 0) + 1
    return counts
  }
  const foundCount = lookup.filter(({ state }) => state === 'found').length
  return { found: foundCount, otherUnit: byColumn('other-unit'), notFound: byColumn('not-found') }
}

/** Values that a warning names. */
const mostNamed = 3

/** Warns, for each column, of gold values that the documents do not contain. */
function lookupProblems(lookup: readonly LookedUpValue[], kind: Task['gold']['kind']): GoldProblem[] {
  const columns = [...new Set(lookup.map(({ column }) => column))]
  return columns.flatMap(column => {
    const columnValues = lookup.filter(value => value.column === column)
    const lost = columnValues.filter(({ state }) => state === 'not-found')
    if (lost.length === 0) return []
    const nameOf = ({ value, goldRow }: (typeof lost)[number]): string =>
      `${shortenText(JSON.stringify(value))}${kind === 'table' ? ` (gold row ${goldRow + 1})` : ''}`
    const otherUnit = columnValues.filter(({ state }) => state === 'other-unit').length
    const values = `${lost.length} of ${columnValues.length} gold values ${pickVerb(lost.length, 'is', 'are')} not in the task's documents`
    const message = [
      `${column === '' ? '' : `column '${column}': `}${values}: ${formatShortList(lost, nameOf, mostNamed)}.`,
      ...(otherUnit === 0
        ? []
        : [`${otherUnit} more ${pickVerb(otherUnit, 'is', 'are')} only there in another unit.`]),
      'Correct what was mistyped. Values that must be derived from others are not found either.',
    ]
    return [{ severity: 'warning', code: 'gold-not-found', message: message.join(' ') }]
  })
}
