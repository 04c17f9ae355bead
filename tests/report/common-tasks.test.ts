import { describe, expect, it } from 'vitest'
import { compareRuns } from '../../src/report/compare/comparison.ts'
import { listComparisonSentences } from '../../src/report/html/first-screen.ts'
import { makePageData } from '../../src/report/html/page-data.ts'
import { buildReport } from '../../src/report/model/build-report.ts'
import { listScoringMetrics } from '../../src/report/model/metrics.ts'
import type { Report } from '../../src/report/model/report.ts'
import { lossMeanings } from '../../src/report/model/waterfall.ts'
import { writeShortSummary } from '../../src/report/short/short-summary.ts'
import { makeComparisonTables } from '../../src/report/tables/comparison-tables.ts'
import { makeAttempt, makeCell, makeScore, scorers } from './records.ts'

/** An attempt at a task: its number, and its score. */
type Outcome = readonly [task: number, cellF1: number, domain?: string]

/** A run of one attempt for each outcome, whose lost items are of the class `not-retrieved` in rag. */
function runOf(arms: Readonly<Record<string, readonly Outcome[]>>) {
  const attempts = Object.entries(arms).flatMap(([setting, outcomes]) =>
    outcomes.map(([task, , domain = 'financial']) => makeAttempt({ task: `t${task}`, setting, domain })),
  )
  const values = Object.values(arms).flatMap(outcomes => outcomes.map(([, cellF1]) => cellF1))
  const scores = attempts.map((attempt, at) =>
    makeScore(attempt, values[at]!, {
      cells: [
        makeCell(
          attempt.setting === 'rag' ? { score: 0, class: 'not-retrieved' } : { score: 1, class: 'correct' },
        ),
      ],
    }),
  )
  const manifest = { runId: 'r', startedAt: null, endedAt: null, config: { web: 'sealed' } }
  const report = buildReport({ manifest, scorers, attempts, scores, skippedTasks: [] })
  const summary = writeShortSummary({
    ...{ report, records: { manifest, attempts, scores }, title: 'Run r', columns: 80, isRunning: false },
    ...{ reportFiles: [], commands: { full: '', resume: '', status: '', retry: '' } },
  })
  return { manifest, attempts, scores, report, summary, scorers }
}

const equalTasks: readonly Outcome[] = [1, 2, 3, 4, 5, 6].map(task => [task, 0.5])
/** Offline scored 8 tasks, rag 6 of them and one more. */
const unequal = runOf({
  offline: [...[1, 2, 3, 4, 5, 6].map((task): Outcome => [task, 0.6]), [7, 1], [8, 1]],
  rag: [...equalTasks, [9, 0]],
})

const meanIn = (rows: Report['common'], setting: string, domain: string) =>
  rows.find(row => row.setting === setting && row.domain === domain)?.metrics.cellF1?.mean

describe('arms that scored different tasks', () => {
  it('have means over the tasks that all of them scored, beside their own', () => {
    const { report } = unequal
    expect(meanIn(report.common, 'offline', 'common')).toBeCloseTo(0.6)
    expect(meanIn(report.common, 'rag', 'common')).toBeCloseTo(0.5)
    expect(meanIn(report.groups, 'offline', 'all')).toBeCloseTo(0.7)
    expect(meanIn(report.groups, 'rag', 'all')).toBeCloseTo(3 / 7)
    expect(report.common.map(({ tasks }) => tasks)).toEqual([6, 6, 6, 6])
    expect(report.notes[0]).toContain('all arms scored 6 of 9')
  })

  it('show the common means first in the summary, then their own with n', () => {
    const { summary } = unequal
    expect(summary).toMatch(/mean over the 6 tasks that all arms scored/)
    expect(summary).toMatch(/^offline +8\/8 +100\.0 +60\.0.* 70\.0 /m)
    expect(summary).toMatch(/^rag +7\/7 +100\.0 +50\.0.* 42\.9 /m)
    expect(summary).toContain('Best: offline, Cell F1 60.0; next: rag, 50.0')
    expect(summary).not.toContain('Note: the arms')
  })

  it('show the common means first in the tables, the page and a comparison', () => {
    const [table] = makeComparisonTables(unequal.report, { isWhole: true })
    expect(table?.rows.map(([tasks]) => tasks)).toEqual([
      'common tasks',
      'common tasks',
      'all tasks',
      'all tasks',
    ])
    expect(table?.remarks.join()).toContain('common tasks: the 6 tasks that all arms scored')
    const page = makePageData({
      ...{ ...unequal, tasks: new Map(), tainted: new Set<string>(), scoresOf: () => [] },
      run: { name: 'r', runId: 'r', startedAt: null, facts: [], command: null, bibtex: '' },
    })
    expect(page.results.map(({ mean }) => mean)).toEqual([expect.closeTo(0.6), expect.closeTo(0.5)])
    expect(page.results.map(({ ownTasks }) => ownTasks)).toEqual([
      { mean: expect.closeTo(0.7), n: 8 },
      { mean: expect.closeTo(3 / 7), n: 7 },
    ])
    expect(page.warnings.join()).toContain('the arms scored different tasks')
    const comparison = compareRuns([unequal], { force: false })
    expect(meanIn(comparison.common, 'offline', 'common')).toBeCloseTo(0.6)
    expect(comparison.notes.join()).toContain('all arms scored 6 of 9')
  })

  it('are not compared by their means when they have no scored task in common', () => {
    const { report, summary } = runOf({ offline: [[1, 1]], rag: [[2, 0]] })
    expect(report.common).toEqual([])
    expect(report.notes[0]).toContain('their means cannot be compared')
    expect(summary.replace(/\s+/g, ' ')).toContain('their means cannot be compared')
    expect(summary).toContain('Best: unknown, no task is scored by all arms\n')
    expect(summary).not.toContain('Real:')
  })

  it('have one kind of mean when they scored the same tasks', () => {
    const { report, summary } = runOf({ offline: equalTasks, rag: equalTasks })
    expect(report.common).toEqual([])
    expect(report.notes.join()).not.toContain('different tasks')
    expect(summary).not.toContain('own tasks')
  })
})

describe('the mean of domains', () => {
  const lumpy = (small: number) =>
    runOf({
      offline: [
        ...Array.from({ length: 10 }, (_, task): Outcome => [task, 0.8 + 0.01 * (task % 2), 'financial']),
        [20, small, 'legal'],
        [21, small, 'legal'],
      ],
    })

  it('stands beside the mean over tasks when they differ by more than half the interval', () => {
    const { summary } = lumpy(0)
    // Over tasks: 8.05 / 12. Over domains: 0.805 / 2.
    expect(summary).toContain('Mean of domains: offline 40.3 (67.1 over tasks)')
  })

  it('is left out of the summary when it is near the mean over tasks', () => {
    expect(lumpy(0.8).summary).not.toContain('Mean of domains')
  })
})

describe('the sentence about lost items', () => {
  it('describes them and names no reason', () => {
    const { report } = unequal
    const metric = listScoringMetrics(scorers, 'aoe').primary!
    const [sentence] = listComparisonSentences({ report, scoring: 'scorer aoe, judge rules', metric })
    expect(sentence?.detail).toContain(
      'for 100% of the lost items, no retrieved chunk contains the gold value (not-retrieved)',
    )
    expect([sentence?.detail, ...Object.values(lossMeanings), ...report.notes].join()).not.toContain(
      'because',
    )
  })
})
