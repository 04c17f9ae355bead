import type { Attempt } from '../../core/attempt.ts'
import type { Score } from '../../core/score.ts'
import type { Task } from '../../core/task.ts'
import type { Figure } from '../figures/figure.ts'
import { reportFigures } from '../figures/figures.ts'
import { reportArms } from '../model/arms.ts'
import { metricsOf } from '../model/metrics.ts'
import type { Report } from '../model/report.ts'
import type { GroupKey, ReportGroup } from '../model/report-group.ts'
import { scoringOf } from '../model/scorings.ts'
import { lossClasses } from '../model/waterfall.ts'
import type { ArmResult, PageData, PageSection, PageTask, RunFacts } from '../page/page-data.ts'
import { reportNotes, reportSections } from '../tables/report-sections.ts'
import { facetName } from '../tables/report-table.ts'
import { attemptColumns } from './attempt-columns.ts'
import { comparisonSentences } from './sentences.ts'

/** The records that the page is made from. */
export interface PageInput {
  readonly report: Report
  readonly attempts: readonly Attempt[]
  /** Returns the first score of an attempt, or null when it has none. */
  readonly scoreOf: (attempt: Attempt) => Score | null
  readonly tasks: ReadonlyMap<string, Task>
  readonly run: RunFacts
  /** The attempts in the leak ledger. */
  readonly tainted: ReadonlySet<string>
}

const maxQuestionChars = 300

/** Collects all data of the page, except those of single attempts. */
export function pageData(input: PageInput): PageData {
  const { report, attempts, scoreOf, run } = input
  const first = attempts.map(scoreOf).find(score => score !== null) ?? { profile: 'none', judge: 'none' }
  const known = metricsOf(report.scorers, first.profile)
  const metrics = [...new Set([...known.scores, ...known.columns])]
  const arms = reportArms(attempts)
  const tasks = tasksOf(attempts, input.tasks)
  const notes = reportNotes(report)
  return {
    title: run.name,
    runs: [run],
    facet: facetName(report.facet),
    scoring: scoringOf(first),
    metrics,
    arms: arms.arms.map(arm => ({ ...arm, run: 0, isControl: 'control' in arm.options })),
    results: armResults(report, scoringOf(first)),
    sentences:
      known.primary === null
        ? []
        : comparisonSentences({ report, scoring: scoringOf(first), metric: known.primary }),
    warnings: [...notes.filter(isWarning), ...skippedLines(report)],
    remarks: notes.filter(note => !isWarning(note)),
    tasks,
    attempts: attemptColumns({
      attempts,
      scoreOf,
      metrics,
      arms,
      taskIds: tasks.map(({ id }) => id),
      isTainted: ({ attemptId }) => input.tainted.has(attemptId),
    }),
    sections: sectionsOf(report),
  }
}

const isWarning = (note: string): boolean => /^(?:Note|Warning): /.test(note)

function tasksOf(attempts: readonly Attempt[], tasks: ReadonlyMap<string, Task>): PageTask[] {
  const first = new Map(attempts.toReversed().map(attempt => [attempt.taskId, attempt]))
  return [...new Set(attempts.map(({ taskId }) => taskId))].map(id => {
    const question = tasks.get(id)?.question.query ?? ''
    const { domain = '', language = '' } = first.get(id) ?? {}
    return { id, domain, language, question: question.slice(0, maxQuestionChars) }
  })
}

function armResults(report: Report, scoring: string): ArmResult[] {
  const index = new Map(report.arms.map(({ id }, at) => [id, at]))
  return report.groups.flatMap(group => {
    const arm = index.get(group.arm)
    const { primary } = metricsOf(report.scorers, group.profile)
    if (group.domain !== 'all' || scoringOf(group) !== scoring || arm === undefined || primary === null)
      return []
    const { mean = null, low = null, high = null, components = null } = group.metrics[primary.key] ?? {}
    const [answered, success] = [group.answered.mean, group.success.mean]
    const { n, unscored } = group
    return [{ arm, mean, low, high, answered, success, n, unscored, components, ...lossesOf(report, group) }]
  })
}

function lossesOf(report: Report, group: ReportGroup): Pick<ArmResult, 'recall' | 'losses'> {
  const row = report.waterfall.find(one => one.domain === 'all' && isSameArm(one, group))
  if (row === undefined) return { recall: null, losses: [] }
  const losses = lossClasses.flatMap((name): [string, number][] => {
    const share = row.classes[name] ?? 0
    return share === 0 ? [] : [[name, share]]
  })
  return { recall: row.recall, losses }
}

function isSameArm(a: GroupKey, b: GroupKey): boolean {
  const keys = ['setting', 'model', 'variant', 'profile', 'judge'] as const
  return keys.every(key => a[key] === b[key])
}

function skippedLines({ skippedTasks }: Report): string[] {
  return skippedTasks.map(({ line, recordId, problem, file }) => {
    const place = file === undefined ? `line ${line}` : `${file}:${line}`
    return `Skipped task: ${place}${recordId === null ? '' : `, ${recordId}`}: ${problem}`
  })
}

function sectionsOf(report: Report): PageSection[] {
  const figures = reportFigures(report)
  return reportSections(report)
    .map(section => ({ ...section, figures: figures.filter(figure => sectionOf(figure) === section.id) }))
    .filter(section => section.tables.length + section.figures.length > 0)
}

/** Returns the section of a figure, which is the section with the tables of the same numbers. */
function sectionOf(figure: Figure): string {
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
  return starts.find(([start]) => figure.id.startsWith(start))?.[1] ?? 'results'
}
