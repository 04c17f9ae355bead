import { basename } from 'node:path'
import type { Attempt } from '../../core/attempt.ts'
import type { MetricDefinition } from '../../core/metric.ts'
import type { Score } from '../../core/score.ts'
import { isInfrastructureCause } from '../../core/termination.ts'
import { minComponents } from '../../score/statistics/intervals.ts'
import { oneLine, withoutControlCharacters } from '../../text/plain-text.ts'
import { unequalTasksNotes } from '../model/common-tasks.ts'
import { type Entry, joinEntries } from '../model/entries.ts'
import { documentNotes, unratedNotes } from '../model/record-notes.ts'
import type { Report, ReportArm } from '../model/report.ts'
import type { ReportGroup } from '../model/report-group.ts'
import type { ReportManifest } from '../model/report-input.ts'
import {
  attemptsLeft,
  classlessNote,
  missingDocumentsNote,
  skippedNote,
  unfinishedNote,
} from '../model/report-notes.ts'
import type { DifferenceRow } from '../model/report-rows.ts'
import { nameScoring } from '../model/scorings.ts'
import { firstScoring } from '../model/termination-rows.ts'
import { simultaneous, testTexts } from '../tables/difference-tables.ts'
import { fitMiddle } from '../tables/display-width.ts'
import { domainMeansText } from '../tables/domain-means.ts'
import { toolFailureLines } from '../tables/end-tables.ts'
import { sampleText } from '../tables/few-groups.ts'
import { type ArmNaming, armNaming } from '../tables/fit-names.ts'
import { scaleTexts } from '../tables/score-scale.ts'
import { changeText } from '../tables/text-table.ts'
import { narrowRemark, signedText } from '../tables/value-text.ts'
import { armTable, type FittedColumns, fitColumns, type Headline, makeHeadline } from './arm-table.ts'
import {
  costText,
  disturbanceTexts,
  endsText,
  hasManyUnrated,
  keepTogether,
  lowestLines,
  skippedTexts,
  unratedTexts,
  unscoredText,
  wrapWithin,
} from './outcome-lines.ts'

/** The report, records and commands that a short summary shows. */
export interface ShortSummaryInput {
  readonly report: Report
  readonly records: {
    readonly manifest: ReportManifest
    readonly attempts: readonly Attempt[]
    readonly scores: readonly Score[]
  }
  /** The run's folder, as the user named it. */
  readonly folder: string
  /** The width of the terminal. Infinity when there is none, which prints 80 columns. */
  readonly columns: number
  /** Whether another process is making the missing attempts. */
  readonly isRunning: boolean
  /** The files to which the HTML report was written. */
  readonly reportFiles: readonly string[]
  readonly commands: {
    /** Prints all tables. */
    readonly full: string
    /** Makes the missing attempts. */
    readonly resume: string
    /** Shows the progress of a run that another process is making. */
    readonly status: string
    /** Repeats attempts that the provider or the harness ended. */
    readonly retry: string
  }
}

/** The largest number of lines of a summary. */
export const maxLines = 25
const [minColumns, maxColumns] = [80, 100]

interface Parts extends ShortSummaryInput {
  readonly width: number
  /** One group for each arm, over all its tasks, in the first scoring. */
  readonly arms: readonly ReportGroup[]
  /** Entries of all scorings. */
  readonly allEntries: readonly Entry[]
  /** Entries of the first scoring. */
  readonly entries: readonly Entry[]
  readonly naming: ArmNaming
  readonly headline: Headline
  /** The columns of the table that fit beside the names of the arms. */
  readonly fitted: FittedColumns
}

/**
 * Summarises a run in at most 25 lines of at most 80 columns, or 100 on a wide terminal. It shows the arms, the largest
 * difference, why attempts ended, what failed, the cost, and the next commands. Paths and commands are never cut, so that
 * they can be copied.
 */
export function shortSummary(input: ShortSummaryInput): string {
  const { report, records } = input
  const width = Number.isFinite(input.columns)
    ? Math.min(maxColumns, Math.max(minColumns, input.columns))
    : minColumns
  const first = report.groups[0]
  const arms = report.groups.filter(
    group => group.domain === 'all' && first !== undefined && nameScoring(group) === nameScoring(first),
  )
  const allEntries = joinEntries(records.attempts, records.scores)
  const entries = firstScoring(allEntries)
  const headline = makeHeadline(report, first?.scorer ?? 'none')
  const naming = armNaming(arms)
  const fitted = fitColumns({ arms, headline, naming, columns: width })
  const parts = { ...input, width, arms, allEntries, entries, naming, headline, fitted }
  return withoutControlCharacters(`${fittingLines(parts).join('\n')}\n`)
}

/** How many lines some parts may take, from the most generous layout to the tightest. */
const layouts = [
  { lowest: 3, notes: 4, blanks: true },
  { lowest: 3, notes: 2, blanks: false },
  { lowest: 2, notes: 2, blanks: false },
  { lowest: 1, notes: 1, blanks: false },
] as const
type Layout = (typeof layouts)[number]

/** The table shows at most this many arms. If there are more, it shows the best and the worst. */
const maxArms = 11
/** The table of arms gets this many rows before other parts get more lines. */
const wantedRows = 7
const headLines = 2

/** Lays the summary out as generously as possible while the table of arms has enough rows. */
function fittingLines(parts: Parts): string[] {
  const leastRows = Math.min(parts.arms.length, wantedRows)
  const possible = layouts.map(layout => ({
    layout,
    rows: maxLines - headLines - makeLines(parts, layout, 0).length,
  }))
  const { layout, rows } = possible.find(option => option.rows >= leastRows) ?? possible.at(-1)!
  return makeLines(parts, layout, Math.min(maxArms, rows))
}

function makeLines(parts: Parts, layout: Layout, rows: number): string[] {
  const { report, records, arms, width, naming, headline, fitted } = parts
  const text = (line: string, lines = 2): string[] => wrapWithin(line, width, lines)
  const notes = furtherNotes(parts)
    .flatMap(note => text(`Note: ${oneLine(note)}.`))
    .slice(0, layout.notes)
  const blank = layout.blanks ? [''] : []
  return [
    ...headingLines(parts),
    ...blank,
    ...(arms.length === 0 || rows === 0
      ? []
      : armTable({ arms, headline, naming, columns: width }, fitted, rows)),
    ...leftOutLines(fitted),
    ...blank,
    ...text(differenceText(parts), 3).filter(line => line !== ''),
    ...scaleTexts(report.scorers, arms.map(headline.compared), naming.fit(30)).flatMap(line => text(line)),
    ...domainLines(parts).flatMap(line => text(line)),
    ...narrowLines(parts).flatMap(line => text(line, 3)),
    ...lowestLines(report, arms, { metric: headline.metric, naming, columns: width, lines: layout.lowest }),
    ...text(endsText(report)).filter(line => line !== ''),
    ...failureLines(parts, text),
    ...text(costText(records.attempts, report.run), 3),
    ...notes,
    ...leftLines(parts),
    `Report: ${parts.reportFiles.join(', ')}`,
    `All tables: ${parts.commands.full}`,
  ]
}

/** Names the metrics for which the table has no space. */
function leftOutLines({ leftOut }: FittedColumns): string[] {
  return leftOut.length === 0 ? [] : [`No space for ${leftOut.join(', ')}: see "All tables".`]
}

/** Says what the run is and how to read its scores, in at most four lines. */
function headingLines({ report, records, folder, width, arms, entries, naming, headline }: Parts): string[] {
  const { run } = report
  const tasks = new Set(records.attempts.map(attempt => attempt.taskId)).size
  const groups = new Set(entries.map(({ component }) => component)).size
  const few = groups < minComponents ? ` (fewer than ${minComponents}: no interval, no p)` : ''
  const [first] = arms
  const model = naming.models.several
    ? `${new Set(arms.map(arm => arm.model)).size} models`
    : `model ${fitMiddle(oneLine(first?.model ?? 'none'), 40)}`
  const facts = [
    `${run.attempts} ${run.attempts === 1 ? 'attempt' : 'attempts'} on ${tasks} ${tasks === 1 ? 'task' : 'tasks'} in ${groups} ${groups === 1 ? 'group' : 'groups'}${few}`,
    model,
    ...naming.shared,
    ...(run.web === null ? [] : [`${run.web.split(':')[0]} web`]),
  ]
  const name = fitMiddle(oneLine(basename(folder)), 30)
  const scoring =
    first === undefined || first.scorer === 'none'
      ? 'No attempt has a score record.'
      : `${unitText(headline)}, mean over ${tasksText(arms, headline)}${groups < minComponents ? '' : ' [95% interval]'}; ${nameScoring(first)}.`
  return [...wrapWithin(`Run ${name}: ${facts.join(', ')}`, width, 2), ...wrapWithin(scoring, width, 2)]
}

/** Names the tasks over which the means are that stand side by side. */
function tasksText(arms: readonly ReportGroup[], { compared }: Headline): string {
  const tasks = arms.map(compared).find(({ domain }) => domain === 'common')?.tasks
  if (tasks === undefined) return 'tasks'
  return tasks === 1 ? 'the only task that all arms scored' : `the ${tasks} tasks that all arms scored`
}

/** Names the unit of the scores. Shares, such as `answered`, are always in percent. */
function unitText({ metric }: Headline): string {
  return metric === null || metric.unit === 'share' ? 'Percent' : 'Shares in percent'
}

/** Says which two arms differ most. Empty for a single arm. */
function differenceText({ report, arms, naming, headline }: Parts): string {
  if (arms.length < 2) return ''
  const { metric } = headline
  if (metric === null) return ''
  const difference = largestDifference(report, metric)
  if (difference === null)
    return 'Largest difference: none, because no two arms are both comparable and scored on a same task'
  const nameOf = naming.fit(28)
  const [from, to] = [difference.from, difference.to].map(nameOf)
  const { row } = difference
  const sample = sampleText(row.n, row.components)
  const points = metric.unit === 'count' ? '' : ' points'
  if (Number(signedText(metric, row.mean)) === 0)
    return `Largest difference in ${metric.label}: 0.0${points}, ${sample}`
  const size = changeText({ unit: metric.unit, ...simultaneous(row) }, points)
  const direction = metric.better === 'lower' ? ' (lower is better)' : ''
  const texts = [size, ...testTexts(row, metric), sample].map(keepTogether)
  return `Largest difference in ${metric.label}${direction}: ${to} minus ${from} ${texts.join(', ')}`
}

/** Shows the mean of domains where it is far from the mean over tasks. */
function domainLines({ report, arms, naming, headline }: Parts): string[] {
  const line = domainMeansText(report, arms.map(headline.compared), naming.fit(30))
  return line === null ? [] : [line]
}

/** Explains the mark of intervals that are too narrow for their scores. Empty when there are none. */
function narrowLines({ report, arms, headline: { metric, compared } }: Parts): string[] {
  if (metric === null) return []
  const difference = arms.length < 2 ? null : largestDifference(report, metric)
  const scores = arms.flatMap(arm => compared(arm).metrics[metric.key] ?? [])
  return narrowRemark([
    ...scores.filter(({ bounds }) => bounds === null),
    ...(difference === null ? [] : [difference.row]),
  ])
}

/** A difference of the report, with its arms. */
interface ArmDifference {
  readonly row: DifferenceRow
  readonly from: ReportArm
  readonly to: ReportArm
}

/** Finds the largest difference in a metric over all tasks, in the first scoring. Null when no two arms share a scored task. */
function largestDifference(
  { differences, arms, groups }: Report,
  metric: MetricDefinition,
): ArmDifference | null {
  const scoring = nameScoring(groups[0]!)
  const [row] = differences
    .filter(({ domain }) => domain === 'all')
    .filter(difference => difference.metric === metric.key && nameScoring(difference) === scoring)
    .sort((a, b) => Math.abs(b.mean) - Math.abs(a.mean))
  const [from, to] = [row?.fromArm, row?.arm].map(id => arms.find(arm => arm.id === id))
  return row === undefined || from === undefined || to === undefined ? null : { row, from, to }
}

const maxToolWarnings = 2

/** Says what failed: attempts without a score, tool calls, and tasks that could not be read. */
function failureLines(parts: Parts, text: (line: string, lines?: number) => string[]): string[] {
  const { report, records, arms, entries, naming, headline, commands } = parts
  const isKilled = ({ termination }: Attempt): boolean =>
    isInfrastructureCause(termination.cause) || termination.endedByRunBudget === true
  // While attempts are missing, the command that makes them is more important.
  const isComplete = attemptsLeft(records.manifest, records.attempts) === 0
  const again = isComplete && records.attempts.some(isKilled) ? [`Try again: ${commands.retry}`] : []
  return [
    ...text(unscoredText(entries, arms, { metric: headline.metric, naming })),
    ...unratedTexts(report, arms, naming).flatMap(line => text(line)),
    ...again,
    ...disturbanceTexts(records.attempts, arms).flatMap(line => text(line)),
    ...toolFailureLines(report)
      .slice(0, maxToolWarnings)
      .flatMap(line => text(line, 1)),
    ...documentNotes(records.attempts).flatMap(note => text(`D${note.slice(1)}.`)),
    ...skippedTexts(report).flatMap(line => text(line, 1)),
  ]
}

/** Returns the notes of the report that no other line of the summary repeats. */
function furtherNotes({ report, records, allEntries, entries, arms }: Parts): string[] {
  const elsewhere = new Set([
    // The line above the table says so.
    ...(report.common.length > 0 ? unequalTasksNotes(allEntries, report.scorers) : []),
    unfinishedNote(records.manifest, records.attempts),
    skippedNote(report.skippedTasks.length),
    ...documentNotes(records.attempts),
    classlessNote(allEntries),
    ...(arms.some(hasManyUnrated) ? unratedNotes(records.scores) : []),
    // The line of unscored attempts names the documents.
    ...(entries.some(({ score }) => score?.cause === 'documents')
      ? [missingDocumentsNote(records.attempts, records.scores)]
      : []),
  ])
  return report.notes.filter(note => !elsewhere.has(note))
}

/** Says how many attempts are missing and which command makes them. Empty for a finished run. */
function leftLines({ records, commands, isRunning }: Parts): string[] {
  const left = attemptsLeft(records.manifest, records.attempts)
  if (left === 0) return []
  const what = `Not finished: ${left} of ${records.manifest.planned} attempts are left.`
  return isRunning
    ? [`${what} Another process makes them. Watch it with:`, `  ${commands.status}`]
    : [`${what} Continue with:`, `  ${commands.resume}`]
}
