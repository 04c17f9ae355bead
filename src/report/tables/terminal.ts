import { settingLabel } from '../../core/arm.ts'
import type { Table } from '../../core/table.ts'
import { withoutControlCharacters } from '../../text/plain-text.ts'
import { findMetric, type RunScorers } from '../model/metrics.ts'
import type { Report } from '../model/report.ts'
import type { ExplainedAttempt } from '../model/report-rows.ts'
import { displayWidth, fitMiddle, padWidth, wrapLine } from './display-width.ts'
import { fitNames } from './fit-names.ts'
import { reportHeading, reportTables } from './report-sections.ts'
import { makeTextTable, type TextTable } from './text-table.ts'
import { formatMetric } from './value-text.ts'

const gap = 2
const narrowestColumn = 6

/** Computes column widths that fit the terminal. The widest left-aligned column shrinks first. */
function fitWidths(table: TextTable, columns: number): number[] {
  const widths = table.columns.map((column, at) =>
    Math.max(
      ...column.head.split('\n').map(displayWidth),
      ...table.rows.map(row => displayWidth(row[at] ?? '')),
    ),
  )
  const total = (): number => widths.reduce((sum, width) => sum + width, 0) + gap * (widths.length - 1)
  while (total() > columns) {
    const widest = table.columns
      .map((column, at) => ({ at, width: column.align === 'left' ? (widths[at] ?? 0) : 0 }))
      .sort((a, b) => b.width - a.width)[0]
    if (widest === undefined || widest.width <= narrowestColumn) break
    widths[widest.at] = widest.width - 1
  }
  return widths
}

/** Splits column heads into lines, aligned at the bottom. */
function wrapHead(table: TextTable): string[][] {
  const names = table.columns.map(column => column.head.split('\n'))
  const height = Math.max(...names.map(lines => lines.length))
  return Array.from({ length: height }, (_, row) =>
    names.map(lines => lines[row - (height - lines.length)] ?? ''),
  )
}

/** Longer lines of prose are hard to read. */
const maxProseColumns = 120

const writePlain = (cell: string): string => cell.replace(/\p{Cc}/gu, ' ')

function renderTable(typed: Table, columns: number): string {
  const table = makeTextTable(typed)
  const widths = fitWidths(table, columns)
  const line = makeLineWriter(table, widths)
  const tableWidth = widths.reduce((sum, width) => sum + width + gap, -gap)
  const rule = '─'.repeat(Math.min(columns, tableWidth))
  const wrap = (text: string): string[] => wrapLine(text, Math.min(maxProseColumns, columns))
  return [
    ...wrap(table.title),
    ...wrapHead(table).map(line),
    rule,
    ...wrapBody(table, line),
    rule,
    ...table.remarks.flatMap(wrap),
  ].join('\n')
}

/** Returns a function that writes cells in columns of these widths. Names in a column stay distinct when they are cut. */
function makeLineWriter(table: TextTable, widths: readonly number[]): (cells: readonly string[]) => string {
  const names = widths.map((width, at) => {
    if (table.columns[at]?.align !== 'left') return null
    const columnTexts = table.rows.map(row => writePlain(row[at] ?? ''))
    return fitNames(columnTexts, width)
  })
  const fitted = (cell: string, at: number): string => {
    const width = widths[at] ?? 0
    const text = names[at]?.get(writePlain(cell)) ?? fitMiddle(writePlain(cell), width)
    return padWidth(text, width, table.columns[at]?.align ?? 'left')
  }
  return cells => cells.map(fitted).join(' '.repeat(gap)).trimEnd()
}

/** Writes the rows, with blank lines between groups of rows with the same first cell in longer tables. */
function wrapBody({ rows }: TextTable, line: (cells: readonly string[]) => string): string[] {
  const startsGroup = rows.map((row, at) => at === 0 || row[0] !== rows[at - 1]?.[0])
  const groups = startsGroup.filter(isStart => isStart).length
  // Without repeated first cells, every row would be its own group.
  const isGrouped = rows.length > 6 && groups < rows.length
  return rows.flatMap((row, at) => [
    ...(isGrouped && at > 0 && startsGroup[at] === true ? [''] : []),
    line(row),
  ])
}

/**
 * Renders tables for a terminal, with blank lines between them. Ends with a newline.
 *
 * @param options - `columns` is the width of the terminal, at least 100. Infinity cuts nothing.
 */
export function renderTables(tables: readonly Table[], options: { readonly columns: number }): string {
  const columns = Math.max(100, options.columns)
  return withoutControlCharacters(`${tables.map(table => renderTable(table, columns)).join('\n\n')}\n`)
}

/** Lists the attempts that a reader should look at first, with the explanations of their scores. */
function explainColumns({ explained, scorers }: Report, columns: number): string[] {
  if (explained.length === 0) return []
  const prose = Math.min(maxProseColumns, columns)
  return [
    'Attempts with the lowest scores, and why',
    ...explained.flatMap(attempt => [
      explainHead(attempt, scorers),
      ...attempt.sentences.flatMap(sentence =>
        wrapLine(sentence, prose - 4).map((line, at) => (at === 0 ? `  - ${line}` : `    ${line}`)),
      ),
    ]),
    `The page of each attempt in report.html shows every item of the gold. Its steps: tablehunt logs show RUN ${explained[0]!.attemptId}`,
  ]
}

function explainHead(attempt: ExplainedAttempt, scorers: RunScorers): string {
  const { taskId, model, trial } = attempt
  const score = explainText(attempt, scorers)
  const parts = [taskId, settingLabel(attempt), model, ...(trial === 0 ? [] : [`trial ${trial}`])]
  return `${parts.join(' · ')}: ${score}`
}

/** Formats the score of an explained attempt: `Cell F1 12.5`. */
function explainText({ scorer, metric: key, value }: ExplainedAttempt, scorers: RunScorers): string {
  const metric = findMetric(scorers, scorer, key)
  return metric === undefined ? key : `${metric.label} ${formatMetric(metric, value)}`
}

/** Renders all tables of a report for a terminal, as `renderTables` does. */
export function renderTerminal(report: Report, options: { readonly columns: number }): string {
  const columns = Math.max(100, options.columns)
  const parts = [
    reportHeading(report)
      .flatMap(line => wrapLine(line, Math.min(maxProseColumns, columns)))
      .join('\n'),
    ...reportTables(report).map(table => renderTable(table, columns)),
    explainColumns(report, columns).join('\n'),
  ].filter(part => part !== '')
  return withoutControlCharacters(`${parts.join('\n\n')}\n`)
}
