import type { Attempt } from '../../core/attempt.ts'
import type { Score } from '../../core/score.ts'
import { isInfrastructureCause } from '../../core/termination.ts'
import { minComponents } from '../../score/statistics/intervals.ts'
import { joinToOneLine, withoutControlCharacters } from '../../text/plain-text.ts'
import { type ArmStanding, listArmStandings } from '../model/arm-standings.ts'
import { listUnequalTasksNotes } from '../model/common-tasks.ts'
import { type Entry, joinEntries } from '../model/entries.ts'
import { listDocumentNotes, listUnratedNotes } from '../model/record-notes.ts'
import type { Report } from '../model/report.ts'
import type { ReportGroup } from '../model/report-group.ts'
import type { ReportManifest } from '../model/report-input.ts'
import {
  countAttemptsLeft,
  writeClasslessNote,
  writeMissingDocumentsNote,
  writeSkippedNote,
  writeUnfinishedNote,
} from '../model/report-notes.ts'
import { nameScoring } from '../model/scorings.ts'
import { filterFirstScoring } from '../model/termination-rows.ts'
import { fitMiddle } from '../tables/display-width.ts'
import { formatDomainMeans } from '../tables/domain-means.ts'
import { listToolFailureLines } from '../tables/end-tables.ts'
import { type ArmNaming, makeArmNaming } from '../tables/fit-names.ts'
import { formatRepeats, withAgreement } from '../tables/judge-text.ts'
import { scaleTexts } from '../tables/score-scale.ts'
import { listNarrowRemarks } from '../tables/value-text.ts'
import { formatExtraRows, formatLoss, listBestTexts, listPooledLines } from './answer-lines.ts'
import {
  type FittedColumns,
  fitColumns,
  formatArmTable,
  type Headline,
  hasInterval,
  makeHeadline,
  type ShownArms,
  selectArms,
} from './arm-table.ts'
import {
  formatCost,
  formatEnds,
  formatUnscored,
  hasManyUnrated,
  keepTogether,
  listDisturbanceTexts,
  listLowestLines,
  listSkippedTexts,
  listUnratedTexts,
  wrapText,
} from './outcome-lines.ts'

/** The report, records and commands that a short summary shows. */
export interface ShortSummaryInput {
  readonly report: Report
  readonly records: {
    readonly manifest: ReportManifest
    readonly attempts: readonly Attempt[]
    readonly scores: readonly Score[]
  }
  /** What the summary is about: `Run first`, or the compared runs. */
  readonly title: string
  /** The width of the terminal. Infinity when there is none, which prints 80 columns. */
  readonly columns: number
  /** Whether another process is making the missing attempts. */
  readonly isRunning: boolean
  /** The files to which the HTML report was written. */
  readonly reportFiles: readonly string[]
  readonly commands: {
    /** Prints all tables. */
    readonly full: string
    /** Makes the missing attempts. Null for several runs. */
    readonly resume: string | null
    /** Shows the progress of a run that another process is making. Null for several runs. */
    readonly status: string | null
    /** Repeats attempts that the provider or the harness ended. Null for several runs. */
    readonly retry: string | null
  }
}

/** A summary of at most eight arms has about this many lines. Warnings are never cut, so there may be more. */
const wantedLines = 40
/** Summaries of more arms have no blank lines and no example of a low score. */
const fewArms = 4
/** The tables show at least so many arms. If there are more than fit, they show the best and the worst. */
const leastArms = 8
const [minColumns, maxColumns] = [80, 100]

interface Parts extends ShortSummaryInput {
  readonly width: number
  /** The arms in the first scoring. */
  readonly arms: readonly ArmStanding[]
  /** Each arm over all its tasks. */
  readonly groups: readonly ReportGroup[]
  /** Entries of all scorings. */
  readonly allEntries: readonly Entry[]
  /** Entries of the first scoring. */
  readonly entries: readonly Entry[]
  readonly naming: ArmNaming
  readonly headline: Headline
}

/**
 * Summarises a run in lines of at most 80 columns, or 100 on a wide terminal. It answers in this order: which arm is best,
 * whether that is real, where items were lost, why attempts ended, and what they cost. Paths, commands and warnings are never
 * cut.
 */
export function writeShortSummary(input: ShortSummaryInput): string {
  const { report, records } = input
  const width = Number.isFinite(input.columns)
    ? Math.min(maxColumns, Math.max(minColumns, input.columns))
    : minColumns
  const first = report.groups[0]
  const arms = first === undefined ? [] : listArmStandings(report, nameScoring(first))
  const groups = arms.map(({ own }) => own)
  const allEntries = joinEntries(records.attempts, records.scores)
  const entries = filterFirstScoring(allEntries)
  const headline = makeHeadline(report.scorers, first?.scorer ?? 'none', arms)
  const parts = {
    ...input,
    width,
    arms,
    groups,
    allEntries,
    entries,
    naming: makeArmNaming(groups),
    headline,
  }
  return withoutControlCharacters(`${fitLines(parts).join('\n')}\n`)
}

/** Shows as many arms as fit into the wanted lines, and at least eight. */
function fitLines(parts: Parts): string[] {
  const { arms } = parts
  const withoutArms = makeLines(parts, 0).length
  const rows = Math.max(leastArms, Math.floor((wantedLines - withoutArms) / 2))
  return makeLines(parts, Math.min(arms.length, rows))
}

function makeLines(parts: Parts, rows: number): string[] {
  const { report, records, arms, groups, width, naming, headline } = parts
  const text = (line: string): string[] => wrapText(line, width)
  const sentence = (line: string): string[] => (line === '' ? [] : text(line))
  const shown = selectArms(arms, headline, rows)
  const blank = arms.length > fewArms ? [] : ['']
  const table = (columns: Headline['columns']): string[] => {
    const input = { arms, columns, naming, width }
    const fitted = fitColumns(input)
    if (fitted.columns.length === 0) return []
    return [...formatArmTable(input, fitted, shown), ...listLeftOutLines(fitted, width)]
  }
  return [
    ...listHeadingLines(parts),
    ...blank,
    ...table(headline.columns),
    ...listHiddenLines(parts, shown),
    ...listBestTexts(parts).flatMap(sentence),
    ...listPooledLines(parts, width),
    ...blank,
    ...sentence(formatLoss(parts)),
    ...table(headline.lossColumns),
    ...sentence(formatExtraRows(parts)),
    ...listCauseTexts(report).flatMap(text),
    ...(arms.length > fewArms
      ? []
      : listLowestLines(report, groups, { metric: headline.metric, naming, columns: width })),
    ...blank,
    ...sentence(formatEnds(report)),
    ...listFailureLines(parts, text),
    ...text(formatCost(records.attempts, report.run)),
    ...blank,
    ...scaleTexts(
      report.scorers,
      arms.map(({ group }) => group),
      naming.fit(30),
    ).flatMap(sentence),
    ...listDomainLines(parts).flatMap(sentence),
    ...listRepeatsTexts(parts).flatMap(text),
    ...listNarrowLines(parts).flatMap(text),
    ...noteLines(parts),
    ...listLeftLines(parts),
    ...(parts.reportFiles.length === 0 ? [] : [`Report: ${parts.reportFiles.join(', ')}`]),
    `All tables: ${parts.commands.full}`,
  ].filter((line, at, lines) => line !== '' || lines[at - 1] !== '')
}

/** Says what the forks of a run show about the causes of its losses. */
function listCauseTexts({ causes }: Report): string[] {
  if (causes === null) return []
  return [...(causes.sentence === null ? [] : [`Causes: ${causes.sentence}`]), ...causes.doubts]
}

/** Says how many arms are hidden, and which command shows them. */
function listHiddenLines({ arms, commands }: Parts, { hidden }: ShownArms): string[] {
  return hidden === 0 ? [] : [`${hidden} of ${arms.length} arms are not shown. All arms: ${commands.full}`]
}

/** Names the metrics for which a table has no space. */
function listLeftOutLines({ leftOut }: FittedColumns, width: number): string[] {
  return leftOut.length === 0
    ? []
    : wrapText(`No space for ${leftOut.join(', ')}: ${keepTogether('see "All tables"')}.`, width)
}

/** Prints the notes of the report whole. Those about answers without documents come last. */
function noteLines(parts: Parts): string[] {
  const notes = listFurtherNotes(parts).map(note => `Note: ${joinToOneLine(note)}.`)
  const isAboutMemory = (note: string): boolean => note.includes('closed-book')
  return [...notes.filter(note => !isAboutMemory(note)), ...notes.filter(isAboutMemory)].flatMap(note =>
    wrapText(note, parts.width),
  )
}

/** Says what the run is and how to read its scores, in at most four lines. */
function listHeadingLines({
  report,
  records,
  title,
  width,
  arms,
  groups: armGroups,
  entries,
  naming,
  headline,
}: Parts): string[] {
  const { run } = report
  const tasks = new Set(records.attempts.map(attempt => attempt.taskId)).size
  const groups = new Set(entries.map(({ component }) => component)).size
  const few = groups < minComponents ? ` (fewer than ${minComponents}: no interval, no p)` : ''
  const [first] = armGroups
  const model = naming.models.several
    ? `${new Set(armGroups.map(arm => arm.model)).size} models`
    : `model ${fitMiddle(joinToOneLine(first?.model ?? 'none'), 40)}`
  const facts = [
    `${run.attempts} ${run.attempts === 1 ? 'attempt' : 'attempts'} on ${tasks} ${tasks === 1 ? 'task' : 'tasks'} in ${groups} ${groups === 1 ? 'group' : 'groups'}${few}`,
    model,
    ...naming.shared,
    ...(run.web === null ? [] : [`${run.web.split(':')[0]} web`]),
  ]
  const scoring =
    first === undefined || first.scorer === 'none'
      ? 'No attempt has a score record.'
      : `${formatUnit(headline)}, mean over ${formatTasks(arms)}${hasInterval(headline.metric, arms) ? ' [95% interval]' : ''}${formatDifferenceTasks(arms)}; ${withAgreement(report, nameScoring(first))}.`
  return [...wrapText(`${joinToOneLine(title)}: ${facts.join(', ')}`, width), ...wrapText(scoring, width)]
}

/** Names the tasks over which the means are that stand side by side. */
function formatTasks(arms: readonly ArmStanding[]): string {
  const tasks = arms.find(({ group }) => group.domain === 'common')?.group.tasks
  if (tasks === undefined) return 'tasks'
  return tasks === 1 ? 'the only task that all arms scored' : `the ${tasks} tasks that all arms scored`
}

/** Says over which tasks differences are, where these are others than those of the means. */
function formatDifferenceTasks(arms: readonly ArmStanding[]): string {
  const isOther = arms.some(
    ({ group, difference }) =>
      group.domain === 'common' && difference !== null && difference.n !== group.tasks,
  )
  return isOther ? ', differences over the tasks that both arms scored' : ''
}

/** Names the unit of the scores. Shares, such as `answered`, are always in percent. */
function formatUnit({ metric }: Headline): string {
  return metric === null || metric.unit === 'share' ? 'Percent' : 'Shares in percent'
}

/** Shows the mean of domains where it is far from the mean over tasks. */
function listDomainLines({ report, arms, naming }: Parts): string[] {
  const groups = arms.map(({ group }) => group)
  const line = formatDomainMeans(report, groups, naming.fit(30))
  return line === null ? [] : [line]
}

/** Says how stable the shown scores are, when they were made several times. */
function listRepeatsTexts({ report, groups: [first] }: Parts): string[] {
  const repeats = first === undefined ? null : formatRepeats(report, nameScoring(first))
  return repeats === null ? [] : [`Repeats: ${repeats}`]
}

/** Explains the mark of intervals that are too narrow for their scores. Empty when there are none. */
function listNarrowLines({ report, arms, headline: { metric } }: Parts): string[] {
  if (metric === null) return []
  const scores = arms.flatMap(({ group }) => group.metrics[metric.key] ?? [])
  const scoring = arms.map(({ own }) => nameScoring(own))
  return listNarrowRemarks([
    ...scores.filter(({ bounds }) => bounds === null),
    ...arms.flatMap(({ difference }) => difference ?? []),
    ...report.pooledDifferences.filter(row => scoring.includes(nameScoring(row))),
  ])
}

const maxToolWarnings = 2

/** Says what failed: attempts without a score, tool calls, and tasks that could not be read. */
function listFailureLines(parts: Parts, text: (line: string) => string[]): string[] {
  const { report, records, groups: arms, entries, naming, headline, commands } = parts
  const isKilled = ({ termination }: Attempt): boolean =>
    isInfrastructureCause(termination.cause) || termination.endedByRunBudget === true
  const toolWarnings = listToolFailureLines(report)
  const furtherWarnings = toolWarnings.length - maxToolWarnings
  // While attempts are missing, the command that makes them is more important.
  const isComplete = countAttemptsLeft(records.manifest, records.attempts) === 0
  const again =
    isComplete && commands.retry !== null && records.attempts.some(isKilled)
      ? [`Try again: ${commands.retry}`]
      : []
  return [
    ...text(formatUnscored(entries, arms, { metric: headline.metric, naming })),
    ...listUnratedTexts(report, arms, naming).flatMap(line => text(line)),
    ...again,
    ...listDisturbanceTexts(records.attempts, arms).flatMap(line => text(line)),
    ...toolWarnings.slice(0, maxToolWarnings).flatMap(text),
    ...(furtherWarnings > 0
      ? text(`${furtherWarnings} more such warnings: ${keepTogether('see "All tables"')}`)
      : []),
    ...listDocumentNotes(records.attempts).flatMap(note => text(`D${note.slice(1)}.`)),
    ...listSkippedTexts(report).flatMap(line => text(line)),
  ]
}

/** Returns the notes of the report that no other line of the summary repeats. */
function listFurtherNotes({ report, records, allEntries, entries, groups: arms }: Parts): string[] {
  const elsewhere = new Set([
    // The line above the table says so.
    ...(report.common.length > 0 ? listUnequalTasksNotes(allEntries, report.scorers) : []),
    writeUnfinishedNote(records.manifest, records.attempts),
    writeSkippedNote(report.skippedTasks.length),
    ...listDocumentNotes(records.attempts),
    writeClasslessNote(allEntries),
    ...(arms.some(hasManyUnrated) ? listUnratedNotes(records.scores) : []),
    // The line of unscored attempts names the documents.
    ...(entries.some(({ score }) => score?.cause === 'documents')
      ? [writeMissingDocumentsNote(records.attempts, records.scores)]
      : []),
  ])
  return report.notes.filter(note => !elsewhere.has(note))
}

/** Says how many attempts are missing and which command makes them. Empty for a finished run. */
function listLeftLines({ records, commands, isRunning }: Parts): string[] {
  const left = countAttemptsLeft(records.manifest, records.attempts)
  if (left === 0) return []
  const what = `Not finished: ${left} of ${records.manifest.planned} attempts are left.`
  const [next, command] = isRunning
    ? ['Another process makes them. Watch it with:', commands.status]
    : ['Continue with:', commands.resume]
  return command === null ? [what] : [`${what} ${next}`, `  ${command}`]
}
