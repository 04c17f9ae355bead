import { isSameArm } from '../../core/arm.ts'
import type { Attempt } from '../../core/attempt.ts'
import { countMissingDocuments, documentNamesText } from '../../core/missing-documents.ts'
import type { Score } from '../../core/score.ts'
import type { CellValue, Table, TableColumn } from '../../core/table.ts'
import type { Task } from '../../core/task.ts'
import type { Figure } from '../figures/figure.ts'
import { reportFigures } from '../figures/figures.ts'
import { makeArmSeries } from '../figures/series.ts'
import { listArmStandings } from '../model/arm-standings.ts'
import { findSharedOptions, reportArms } from '../model/arms.ts'
import { listScoringMetrics } from '../model/metrics.ts'
import type { Report } from '../model/report.ts'
import type { DifferenceRow } from '../model/report-rows.ts'
import { nameScoring } from '../model/scorings.ts'
import type {
  ArmResult,
  BaselineDifference,
  ComparisonSentence,
  PageData,
  PageSection,
  PageTask,
  RunFacts,
} from '../page/page-data.ts'
import { nameFacet } from '../tables/columns.ts'
import { withAgreement } from '../tables/judge-text.ts'
import { type ReportNote, reportNotes, reportSections } from '../tables/report-sections.ts'
import { formatCell } from '../tables/text-table.ts'
import { makeAttemptColumns } from './attempt-columns.ts'
import { listComparisonSentences, listFirstScreenRemarks, listFirstScreenWarnings } from './first-screen.ts'

/** The records that the page is made from. */
interface PageInput {
  readonly report: Report
  readonly attempts: readonly Attempt[]
  readonly scoresOf: (attempt: Attempt) => readonly Score[]
  readonly tasks: ReadonlyMap<string, Task>
  readonly run: RunFacts
  /** The attempts in the leak ledger. */
  readonly tainted: ReadonlySet<string>
  /** Present for a page over several runs. */
  readonly compared?: ComparedPage | undefined
}

/** What a page over several runs has in place of one run's facts, and its tables. */
export interface ComparedPage {
  readonly title: string
  readonly runs: readonly RunFacts[]
  /** Returns the index of the run of an attempt. */
  runOf(attemptId: string): number
  /** The sections before those of every report. */
  readonly sections: readonly PageSection[]
}

const maxQuestionChars = 300

/** Collects all data of the page, except those of single attempts. */
export function makePageData(input: PageInput): PageData {
  const { report, attempts, run, compared } = input
  // The first scoring of the tables, as in the summary of `report`.
  const first = report.groups[0] ?? { scorer: 'none', judge: 'none' }
  const scoringColumns = listScoringMetrics(report.scorers, first.scorer)
  const metrics = [...new Set([...scoringColumns.scores, ...scoringColumns.columns])]
  const arms = reportArms(attempts)
  const tasks = listTasks(attempts, input.tasks)
  const notes = reportNotes(report)
  const noteTexts = (kind: ReportNote['kind']): string[] =>
    notes.flatMap(note => (note.kind === kind ? [note.text] : []))
  const runOfArm = (id: string): number => {
    const first = attempts.find(attempt => arms.idOf(attempt) === id)
    return first === undefined ? 0 : (compared?.runOf(first.attemptId) ?? 0)
  }
  return {
    title: compared?.title ?? run.name,
    runs: compared?.runs ?? [{ ...run, facts: [...run.facts, ['missing', formatMissing(report, attempts)]] }],
    facet: nameFacet(report.facet),
    scoring: withAgreement(report, nameScoring(first)),
    metrics,
    arms: arms.arms.map(arm => ({ ...arm, run: runOfArm(arm.id), isControl: 'control' in arm.options })),
    results: listArmResults(report, nameScoring(first)),
    sentences: [
      ...listCauseSentences(report),
      ...(scoringColumns.primary === null
        ? []
        : listComparisonSentences({ report, scoring: nameScoring(first), metric: scoringColumns.primary })),
    ],
    warnings: [
      ...listFirstScreenWarnings(report, nameScoring(first)),
      ...noteTexts('warning'),
      ...listSkippedLines(report),
    ],
    remarks: [
      ...listFirstScreenRemarks(report, nameScoring(first)),
      ...listSharedLines(report),
      ...noteTexts('fact'),
    ],
    tasks,
    attempts: makeAttemptColumns({
      attempts,
      scoreOf: attempt => scoreIn(input.scoresOf(attempt), nameScoring(first)),
      metrics,
      arms,
      taskIds: tasks.map(({ id }) => id),
      isTainted: ({ attemptId }) => input.tainted.has(attemptId),
    }),
    sections: [...(compared?.sections ?? []), ...makeSections(report)],
  }
}

/** What the forks of a run say about the causes of its losses. */
function listCauseSentences({ causes }: Report): ComparisonSentence[] {
  return causes === null || causes.sentence === null
    ? []
    : [{ claim: causes.sentence, detail: causes.doubts.join(' ') }]
}

/** Returns the score of a scoring. An attempt with another kind of answer has only scores of other scorings. */
function scoreIn(scores: readonly Score[], scoring: string): Score | null {
  return scores.find(score => nameScoring(score) === scoring) ?? scores[0] ?? null
}

function listTasks(attempts: readonly Attempt[], tasks: ReadonlyMap<string, Task>): PageTask[] {
  const first = new Map(attempts.toReversed().map(attempt => [attempt.taskId, attempt]))
  return [...new Set(attempts.map(({ taskId }) => taskId))].map(id => {
    const task = tasks.get(id)
    const question = task === undefined || task.canary !== undefined ? '' : task.question.query
    const { domain = '', language = '' } = first.get(id) ?? {}
    return { id, domain, language, question: question.slice(0, maxQuestionChars) }
  })
}

function listArmResults(report: Report, scoring: string): ArmResult[] {
  const index = new Map(report.arms.map(({ id }, at) => [id, at]))
  return listArmStandings(report, scoring).flatMap(({ group, own, isBaseline, difference, losses }) => {
    const arm = index.get(group.arm)
    const { primary } = listScoringMetrics(report.scorers, group.scorer)
    if (arm === undefined || primary === null) return []
    const ofOwnTasks = group.domain === 'common' ? own.metrics[primary.key] : undefined
    const {
      mean = null,
      low = null,
      high = null,
      components = null,
      bounds = null,
      unseenShare,
      floor,
      ceiling,
    } = group.metrics[primary.key] ?? {}
    const [answered, success] = [group.answered.mean, group.success.mean]
    const { n, unscored, tasks, usd, tokens, wallMs, unratedItems } = group
    const counts = { n, unscored, tasks, usd, tokens, wallMs, unratedItems, components }
    const isNarrow = unseenShare !== undefined
    return [
      {
        arm,
        mean,
        low,
        high,
        ...(isNarrow ? { isNarrow } : {}),
        bounds,
        ...(floor === undefined ? {} : { floor }),
        ...(ceiling === undefined ? {} : { ceiling }),
        ...(ofOwnTasks === undefined ? {} : { ownTasks: { mean: ofOwnTasks.mean, n: ofOwnTasks.n } }),
        answered,
        success,
        ...counts,
        usdPerItem: group.efficiency.usdPerCorrectCell,
        wallMsPerItem: group.efficiency.wallMsPerCorrectCell,
        difference:
          difference === null ? (isBaseline ? 'baseline' : null) : compareToBaseline(difference, index),
        recall: losses.recall,
        losses: losses.classes,
      },
    ]
  })
}

function compareToBaseline(row: DifferenceRow, arms: ReadonlyMap<string, number>): BaselineDifference {
  const { fromArm, mean, simultaneousLow: low, simultaneousHigh: high, pValueHolm: pValue } = row
  return { from: arms.get(fromArm)!, mean, low, high, pValue }
}

/** Says what the report lacks: attempts that were not made, have no score, or whose task could not be read. */
function formatMissing({ run, groups, skippedTasks }: Report, attempts: readonly Attempt[]): string {
  const notMade = Math.max(0, (run.planned ?? run.attempts) - run.attempts)
  const scoring = groups[0] === undefined ? null : nameScoring(groups[0])
  const scoringGroups = groups.filter(group => group.domain === 'all' && nameScoring(group) === scoring)
  const unscored = scoringGroups.reduce((sum, group) => sum + group.unscored, 0)
  const unrated = scoringGroups.reduce((sum, group) => sum + group.unratedItems, 0)
  const documents = countMissingDocuments(attempts)
  const parts = [
    ...(notMade > 0 ? [`${notMade} of ${run.planned} attempts not made`] : []),
    ...(unscored > 0 ? [`${unscored} attempts without a score`] : []),
    ...(unrated > 0 ? [`ratings of ${unrated} items`] : []),
    ...(documents === null
      ? []
      : [`documents of ${documents.attempts} attempts (${documentNamesText(documents.names)})`]),
    ...(skippedTasks.length > 0 ? [`${skippedTasks.length} tasks that could not be read`] : []),
  ]
  return parts.join(', ') || 'nothing'
}

/** Names the options that all arms of a setting share, which their names leave out. */
function listSharedLines({ arms }: Report): string[] {
  return [...findSharedOptions(arms)].flatMap(([setting, options]) =>
    options.size === 0 ? [] : [`Same in all ${setting} arms: ${[...options].join(', ')}.`],
  )
}

function listSkippedLines({ skippedTasks }: Report): string[] {
  return skippedTasks.map(({ line, recordId, problem, file }) => {
    const place = file === undefined ? `line ${line}` : `${file}:${line}`
    return `Skipped task: ${place}${recordId === null ? '' : `, ${recordId}`}: ${problem}`
  })
}

function makeSections(report: Report): PageSection[] {
  const figures = reportFigures(report).map(figure => ({
    ...figure,
    title: withAgreement(report, figure.title),
  }))
  const shorten = withShortNames(report)
  return reportSections(report)
    .map(section => ({
      ...section,
      tables: section.tables.map(shorten),
      figures: figures.filter(figure => findSection(figure) === section.id),
    }))
    .filter(section => section.tables.length + section.figures.length > 0)
}

/** Returns a function that names the arms of a table as figures do, without the list of all options. */
function withShortNames({ arms }: Report): (table: Table) => Table {
  const series = makeArmSeries(arms)
  const armText = (column: TableColumn, value: CellValue): CellValue => {
    if (value === null || value === '' || typeof value !== 'object' || !('setting' in value)) return value
    const { setting, options, model } = value
    const isPlain = model !== undefined || Object.keys(options).length === 0
    const arm = arms.find(
      candidate => !isPlain && isSameArm(candidate, { setting, options, model: candidate.model }),
    )
    return arm === undefined ? formatCell(column, value) : series.settingNameOf(arm)
  }
  return table => ({
    ...table,
    columns: table.columns.map(column =>
      column.type === 'arm' || column.type === 'options' ? { ...column, type: 'text' } : column,
    ),
    rows: table.rows.map(row => row.map((value, at) => armText(table.columns[at]!, value))),
  })
}

/** Returns the section of a figure, which is the section with the tables of the same numbers. */
function findSection(figure: Figure): string {
  const starts: readonly (readonly [string, string])[] = [
    ['waterfall', 'losses'],
    ['terminations', 'ends'],
    ['evidence-recall', 'retrieval'],
    ['context', 'retrieval'],
    ['budget', 'costs'],
    ['stability', 'stability'],
  ]
  // The id of a bar figure is the name of a metric, which may begin like one of these.
  if (figure.kind === 'bars') return 'results'
  if (figure.kind === 'radar') return 'radar'
  return starts.find(([start]) => figure.id.startsWith(start))?.[1] ?? 'results'
}
