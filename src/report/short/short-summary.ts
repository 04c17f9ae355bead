import { basename } from 'node:path'
import { type Attempt, isInfrastructureCause } from '../../core/attempt.ts'
import type { Score } from '../../core/score.ts'
import { oneLine, withoutControlCharacters } from '../../text/plain-text.ts'
import {
  attemptsLeft,
  classlessNote,
  type ReportManifest,
  skippedNote,
  unfinishedNote,
} from '../model/build-report.ts'
import { type Entry, joinEntries } from '../model/entries.ts'
import type { Report, ReportGroup } from '../model/report.ts'
import { scoringOf } from '../model/scorings.ts'
import { firstScoring } from '../model/termination-rows.ts'
import { fitMiddle } from '../tables/display-width.ts'
import { type ArmNaming, armNaming } from '../tables/fit-names.ts'
import { signedText } from '../tables/metric-text.ts'
import { pText } from '../tables/numbers.ts'
import { toolFailureLines } from '../tables/tool-failure-table.ts'
import { armTable } from './arm-table.ts'
import { type Headline, headlineOf } from './headline-columns.ts'
import { largestDifference } from './largest-difference.ts'
import {
  costText,
  disturbanceTexts,
  endsText,
  keepTogether,
  lowestLines,
  skippedTexts,
  unscoredText,
  wrapWithin,
} from './outcome-lines.ts'

/** What the short summary of a run is made of. */
export interface ShortSummaryInput {
  readonly report: Report
  readonly records: {
    readonly manifest: ReportManifest
    readonly attempts: readonly Attempt[]
    readonly scores: readonly Score[]
  }
  /** The run's folder, as the user named it. */
  readonly folder: string
  /** Columns of the terminal; 80 where there is none. */
  readonly columns: number
  /** Another process is making the attempts that are left. */
  readonly isRunning: boolean
  /** Files that the HTML report was written to. */
  readonly reportFiles: readonly string[]
  readonly commands: {
    /** Prints all tables. */
    readonly full: string
    /** Makes the attempts that are left. */
    readonly resume: string
    /** Shows how far a run is that another process works on. */
    readonly status: string
    /** Makes attempts again that the provider or the harness ended. */
    readonly retry: string
  }
}

/** Lines that the summary never exceeds. */
export const mostLines = 25
const [fewestColumns, mostColumns] = [80, 100]

interface Parts extends ShortSummaryInput {
  readonly width: number
  /** One for each arm, over all its tasks, of the first scoring. */
  readonly arms: readonly ReportGroup[]
  /** Of all scorings. */
  readonly allEntries: readonly Entry[]
  /** Of the first scoring. */
  readonly entries: readonly Entry[]
  readonly naming: ArmNaming
  readonly headline: Headline
}

/**
 * A run in at most 25 lines of at most 80 columns (100 on a wide terminal): the arms, the largest difference, why attempts
 * ended, what failed, cost, and where to go on. A path or command that is longer stays whole, so that it can be copied.
 */
export function shortSummary(input: ShortSummaryInput): string {
  const { report, records } = input
  const width = Number.isFinite(input.columns)
    ? Math.min(mostColumns, Math.max(fewestColumns, input.columns))
    : fewestColumns
  const first = report.groups[0]
  const arms = report.groups.filter(
    group => group.domain === 'all' && first !== undefined && scoringOf(group) === scoringOf(first),
  )
  const allEntries = joinEntries(records.attempts, records.scores)
  const entries = firstScoring(allEntries)
  const headline = headlineOf(report.scorers, first?.profile ?? 'none')
  const parts = { ...input, width, arms, allEntries, entries, naming: armNaming(arms), headline }
  return withoutControlCharacters(`${fittingLines(parts).join('\n')}\n`)
}

/** How many lines some parts may take: from roomy to tight. */
const rooms = [
  { lowest: 3, notes: 4, blanks: true },
  { lowest: 3, notes: 2, blanks: false },
  { lowest: 2, notes: 2, blanks: false },
  { lowest: 1, notes: 1, blanks: false },
] as const
type Room = (typeof rooms)[number]

/** So many arms are shown whole where there is room; of more, the best and the worst. */
const mostArms = 11
/** Rows that the table of arms gets before other parts do. */
const wantedRows = 7
const headLines = 2

/** The roomiest lines that leave the table of arms as many rows as it wants. */
function fittingLines(parts: Parts): string[] {
  const wanted = Math.min(parts.arms.length, wantedRows)
  const layouts = rooms.map(room => ({
    room,
    rows: mostLines - headLines - linesWithin(parts, room, 0).length,
  }))
  const { room, rows } = layouts.find(layout => layout.rows >= wanted) ?? layouts.at(-1)!
  return linesWithin(parts, room, Math.min(mostArms, rows))
}

function linesWithin(parts: Parts, room: Room, rows: number): string[] {
  const { report, records, arms, width, naming, headline } = parts
  const text = (line: string, lines = 2): string[] => wrapWithin(line, width, lines)
  const notes = notesOf(parts)
    .flatMap(note => text(`Note: ${oneLine(note)}.`))
    .slice(0, room.notes)
  const blank = room.blanks ? [''] : []
  return [
    ...headingLines(parts),
    ...blank,
    ...(arms.length === 0 || rows === 0 ? [] : armTable({ arms, headline, naming, columns: width, rows })),
    ...blank,
    ...text(differenceText(parts), 3).filter(line => line !== ''),
    ...lowestLines(report, arms, { metric: headline.metric, naming, columns: width, lines: room.lowest }),
    ...text(endsText(report)),
    ...failureLines(parts, text),
    ...text(costText(records.attempts, report.run)),
    ...notes,
    ...leftLines(parts),
    `Report: ${parts.reportFiles.join(', ')}`,
    `All tables: ${parts.commands.full}`,
  ]
}

/** What the run is, and how its scores are to be read: at most three lines. */
function headingLines({ report, records, folder, width, arms, naming, headline }: Parts): string[] {
  const { run } = report
  const tasks = new Set(records.attempts.map(attempt => attempt.taskId)).size
  const [first] = arms
  const model = naming.models.several
    ? `${new Set(arms.map(arm => arm.model)).size} models`
    : `model ${fitMiddle(oneLine(first?.model ?? 'none'), 40)}`
  const facts = [
    `${run.attempts} ${run.attempts === 1 ? 'attempt' : 'attempts'} on ${tasks} ${tasks === 1 ? 'task' : 'tasks'}`,
    model,
    ...naming.shared,
    ...(run.web === null ? [] : [`${run.web.split(':')[0]} web`]),
  ]
  const name = fitMiddle(oneLine(basename(folder)), 30)
  const scoring =
    first === undefined || first.profile === 'none'
      ? 'No attempt has a score record.'
      : `${unitText(headline)}, mean over tasks [95% interval]; ${scoringOf(first)}.`
  return [...wrapWithin(`Run ${name}: ${facts.join(', ')}`, width, 2), ...wrapWithin(scoring, width, 1)]
}

/** Shares are in percent, as whether there is an answer always is. */
function unitText({ metric }: Headline): string {
  return metric === null || metric.unit === 'share' ? 'Percent' : 'Shares in percent'
}

/** Empty for a single arm. */
function differenceText({ report, arms, entries, naming, headline }: Parts): string {
  if (arms.length < 2) return ''
  const { metric } = headline
  if (metric === null) return ''
  const found = largestDifference({ report, entries, metric: metric.key })
  if (found === null) return 'Largest difference: no two comparable arms have a scored task in common'
  const nameOf = naming.fit(28)
  const [from, to] = [nameOf(found.from), nameOf(found.to)]
  const { n, mean, low, high, pValue } = found
  const text = (value: number): string => signedText(metric, value)
  const points = metric.unit === 'count' ? '' : ' points'
  if (Number(text(mean)) === 0)
    return `Largest difference in ${metric.label}: 0.0${points}, n=${n} ${n === 1 ? 'task' : 'tasks'}`
  const interval = low === null || high === null ? '' : ` [${text(low)}, ${text(high)}]`
  const direction = metric.better === 'lower' ? ' (less is better)' : ''
  return `Largest difference in ${metric.label}${direction}: ${to} minus ${from} ${keepTogether(`${text(mean)}${points}${interval},`)} p${pText(pValue).replace(/^(?!<)/, '=')}, ${keepTogether(`n=${n} ${n === 1 ? 'task' : 'tasks'}`)}`
}

const mostToolWarnings = 2

/** What failed: attempts without a score, tools, tasks that could not be read. */
function failureLines(parts: Parts, text: (line: string, lines?: number) => string[]): string[] {
  const { report, records, arms, entries, naming, headline, commands } = parts
  const isKilled = ({ termination }: Attempt): boolean => isInfrastructureCause(termination.cause)
  // While attempts are left, the command that makes them comes first.
  const isComplete = attemptsLeft(records.manifest, records.attempts) === 0
  const again = isComplete && records.attempts.some(isKilled) ? [`Try again: ${commands.retry}`] : []
  return [
    ...text(unscoredText(entries, arms, { metric: headline.metric, naming })),
    ...again,
    ...disturbanceTexts(records.attempts, arms).flatMap(line => text(line)),
    ...toolFailureLines(report)
      .slice(0, mostToolWarnings)
      .flatMap(line => text(line, 1)),
    ...skippedTexts(report).flatMap(line => text(line, 1)),
  ]
}

/** What a reader must know of the scores; what other lines say is left out. */
function notesOf({ report, records, allEntries }: Parts): string[] {
  const elsewhere = new Set([
    unfinishedNote(records.manifest, records.attempts),
    skippedNote(report.skippedTasks.length),
    classlessNote(allEntries),
  ])
  return report.notes.filter(note => !elsewhere.has(note))
}

/** How many attempts are left and the command that makes them; empty for a finished run. */
function leftLines({ records, commands, isRunning }: Parts): string[] {
  const left = attemptsLeft(records.manifest, records.attempts)
  if (left === 0) return []
  const what = `Not finished: ${left} of ${records.manifest.planned} attempts are left.`
  return isRunning
    ? [`${what} They are being made; watch with:`, `  ${commands.status}`]
    : [`${what} Go on with:`, `  ${commands.resume}`]
}
