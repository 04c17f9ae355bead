import { scorers } from '../../../tasks/registry.ts'
import { writeScorerNotice } from '../../../tasks/scorers.ts'
import { groupBy } from '../../core/group-by.ts'
import { formatMetric, formatPercent } from '../../report/tables/value-text.ts'
import { formatCount } from '../../score/explain/wording.ts'
import { joinToOneLine } from '../../text/plain-text.ts'
import { placeOfProblem } from '../plan/task-notices.ts'
import type { AskedTask, TaskCheck } from './check-tasks.ts'

/** Formats the result of a check for a terminal: each task as a model is asked it, then the problems. */
export function checkLines({ tasks, problems, scorers: runScorers, ...check }: TaskCheck): string[] {
  const byKind = groupBy(problems, ({ severity, code }) => `${severity} ${code}`)
  const problemLines = [...byKind.values()].flatMap(listLinesOfKind)
  return [
    ...check.asked.flatMap(listTaskLines),
    ...(runScorers.length === 0 ? [] : [...runScorers.map(writeScorerNotice), '']),
    ...problemLines,
    ...(problemLines.length === 0 ? [] : ['']),
    writeSummary(tasks, problems),
  ]
}

/** More warnings of a kind are counted only. */
const mostWarnings = 20

function listLinesOfKind(problems: TaskCheck['problems']): string[] {
  const { severity, code } = problems[0]!
  const shown = severity === 'error' ? problems : problems.slice(0, mostWarnings)
  const more = problems.length - shown.length
  return [
    ...shown.map(
      problem => `${severity}: ${placeOfProblem(problem)}: ${joinToOneLine(problem.message)} [${code}]`,
    ),
    ...(more === 0
      ? []
      : [`${severity}: ${more.toLocaleString('en')} more like these. --json lists all. [${code}]`]),
  ]
}

function listTaskLines(task: AskedTask): string[] {
  const prompt = task.promptLanguage === 'zh' ? 'Chinese' : 'English'
  const lines: readonly (readonly [string, string])[] = [
    ['question', `${joinToOneLine(task.query)}${formatFurther(task)}`],
    ['documents', task.documents.map(formatDocument).join(', ') || 'none'],
    ['language', `${task.language} (${prompt} prompt)`],
    ...answerLines(task),
    ...listValueLines(task),
    ...limitLines(task),
    ['settings', formatSettings(task)],
  ]
  const width = Math.max(...lines.map(([name]) => name.length))
  return [
    `${task.taskId} (line ${task.line}, ${task.domain})`,
    ...lines.map(([name, text]) => `  ${name.padEnd(width)}  ${text}`),
    '',
  ]
}

function answerLines(task: AskedTask): [string, string][] {
  if (task.answerKind === 'json') return [['answer', 'one JSON value by the schema, which the model sees']]
  if (task.answerKind === 'text') {
    const { goldItems } = task
    return [
      ['answer', goldItems === null ? 'a text' : `a list, compared with ${formatCount(goldItems, 'item')}`],
    ]
  }
  const isNumeric = (column: string): boolean => task.numericColumns.includes(column)
  const targets = task.targetColumns.map(column => `${column}${isNumeric(column) ? ' #' : ''}`)
  return [
    [
      'answer',
      `a table, compared with ${formatCount(task.goldRows ?? 0, 'gold row')}; the model does not see these columns:`,
    ],
    ['keys', task.keyColumns.join(', ')],
    [
      'targets',
      `${targets.join(', ')}${task.numericColumns.length > 0 ? '   (# compared as a number)' : ''}`,
    ],
  ]
}

/** Says how many gold values the documents contain, and in which columns only in another unit, or not at all. */
function listValueLines({ goldValues }: AskedTask): [string, string][] {
  if (goldValues === null) return []
  const { otherUnit, notFound } = goldValues
  const sum = (counts: Readonly<Record<string, number>>): number =>
    Object.values(counts).reduce((total, count) => total + count, 0)
  const columns = (counts: Readonly<Record<string, number>>): string => {
    const named = Object.entries(counts).filter(([name]) => name !== '')
    return named.length === 0 ? '' : ` (${named.map(([name, count]) => `${name} ${count}`).join(', ')})`
  }
  const [otherUnitCount, lost] = [sum(otherUnit), sum(notFound)]
  const parts = [
    `${goldValues.found} of ${goldValues.found + otherUnitCount + lost} are in the documents`,
    ...(otherUnitCount === 0 ? [] : [`${otherUnitCount} only in another unit${columns(otherUnit)}`]),
    ...(lost === 0 ? [] : [`${lost} not found${columns(notFound)}`]),
  ]
  return [['values', parts.join('; ')]]
}

/** Shows the ends of the scale for each scorer, and how many rows the question gives away. */
function limitLines({ limits }: AskedTask): [string, string][] {
  return limits.flatMap(({ scorer, floor, ceiling, keysGiven }): [string, string][] => {
    const primary = scorers.get(scorer).metrics.find(metric => metric.primary)
    if (primary === undefined || ceiling === null) return []
    const text = formatMetric(primary, ceiling[primary.key] ?? null)
    const floorText =
      floor === null
        ? ''
        : `${formatMetric(primary, floor[primary.key] ?? null)} with right keys and empty cells, `
    const keys =
      keysGiven === null || keysGiven === 0
        ? ''
        : `; the question or the file names contain the keys of ${formatPercent(keysGiven)}% of the gold rows`
    return [['scale', `${primary.label} (${scorer}): ${floorText}${text} by the gold itself${keys}`]]
  })
}

function formatDocument({ hint, state }: AskedTask['documents'][number]): string {
  const marks = { read: '', 'not-looked-for': '', 'partly-read': ' (in part)', unreadable: ' (unreadable)' }
  return `${hint}${state === 'missing' ? ' (missing)' : marks[state]}`
}

function formatFurther({ furtherQuestions }: AskedTask): string {
  return furtherQuestions === 0 ? '' : ` (and ${formatCount(furtherQuestions, 'further question')})`
}

function formatSettings({ settings, lackingDocuments, documents }: AskedTask): string {
  const settingNames = settings.join(', ')
  if (lackingDocuments.length === 0) return settingNames
  const isUnknown = documents.some(({ state }) => state === 'not-looked-for')
  const need = documents.length === 0 ? 'documents' : isUnknown ? '--docs DIR' : 'a document that can be read'
  return `${settingNames === '' ? '' : `${settingNames}; `}${lackingDocuments.join(' and ')} need ${need}`
}

function writeSummary(tasks: number, problems: TaskCheck['problems']): string {
  const errors = problems.filter(({ severity }) => severity === 'error').length
  if (tasks === 0 && problems.length === 0)
    return '0 tasks: there is no record. Name a file or folder with records.'
  if (problems.length === 0) return `${formatCount(tasks, 'task')}, no problem`
  const effect =
    errors > 0 ? 'a run leaves out tasks with an error' : 'a run includes tasks that only have warnings'
  return `${formatCount(tasks, 'task')}, ${formatCount(errors, 'error')}, ${formatCount(problems.length - errors, 'warning')}: ${effect}`
}
