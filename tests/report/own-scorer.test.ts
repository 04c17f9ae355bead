import { beforeAll, describe, expect, it } from 'vitest'
import type { MetricDefinition, ScorerMetrics } from '../../src/core/metric.ts'
import { parseThreshold } from '../../src/core/metric.ts'
import type { Score } from '../../src/core/score.ts'
import { compareRuns } from '../../src/report/compare/comparison.ts'
import { renderComparison, writeComparisonFiles } from '../../src/report/compare/render-comparison.ts'
import { writeFigureCsv } from '../../src/report/figures/figure-csv.ts'
import { reportFigures } from '../../src/report/figures/figures.ts'
import { makePageData } from '../../src/report/html/page-data.ts'
import { buildReport } from '../../src/report/model/build-report.ts'
import { listScoringMetrics } from '../../src/report/model/metrics.ts'
import type { Report } from '../../src/report/model/report.ts'
import { listThresholdLines, requireMetrics } from '../../src/report/model/thresholds.ts'
import { writeShortSummary } from '../../src/report/short/short-summary.ts'
import { renderTerminal } from '../../src/report/tables/terminal.ts'
import { makeAttempt, makeScore } from './records.ts'

const mistakes: MetricDefinition = {
  key: 'mistakes',
  label: 'Mistakes',
  unit: 'count',
  better: 'lower',
  primary: true,
  role: 'score',
  description: 'Wrong statements in the answer.',
  range: [0, null],
}
const reading: MetricDefinition = {
  key: 'readingGrade',
  label: 'Reading grade',
  unit: 'points',
  better: 'higher',
  primary: false,
  role: 'companion',
  description: 'School years that a reader needs.',
  range: [0, 100],
}
const proofReader: ScorerMetrics = { kind: 'text', metrics: [mistakes, reading] }
const scorers = { 'proof-reader': proofReader }

const made = [
  { setting: 'offline', counts: [0, 1, 2, 1, 1], reading: 12 },
  { setting: 'rag', counts: [4, 6, 5, 7, 5.5], reading: 9 },
]
const records = made.flatMap(({ setting, counts, reading: grade }) =>
  counts.flatMap((count, task) =>
    [0, 1].map(trial => {
      const facets = { tier: task < 2 ? 'easy' : 'hard' }
      const over = { benchmark: 'essays', facets }
      const attempt = makeAttempt({ task: `t${task}`, setting, trial, over })
      const plain = makeScore(attempt, 0, { scorer: 'proof-reader', kind: 'text' })
      const score: Score = {
        ...plain,
        metrics: { mistakes: count + trial, readingGrade: grade },
        success: count + trial === 0,
        explanation: [`${count + trial} statements are wrong.`],
      }
      return { attempt, score }
    }),
  ),
)
const attempts = records.map(({ attempt }) => attempt)
const scores = records.map(({ score }) => score)
const manifest = {
  ...({ source: 'run', runId: 'r', startedAt: null, endedAt: null } as const),
  config: {},
}
const input = { manifest, attempts, scores, scorers, skippedTasks: [] }

/** Rows of a terminal table below a line with this text. */
const sectionOf = (text: string, title: string): string =>
  text.split('\n\n').find(part => part.includes(title)) ?? ''

describe('a scorer from a plug-in', () => {
  let report: Report
  beforeAll(() => {
    report = buildReport(input as Parameters<typeof buildReport>[0])
  })

  it('has groups with the interval of its score and the mean of its companion', () => {
    const group = report.groups.find(one => one.setting === 'rag' && one.domain === 'all')
    expect(group?.metrics.mistakes).toMatchObject({ mean: 6, n: 10, components: 5 })
    expect(group?.metrics.mistakes?.low).toBeLessThan(6)
    // Without a largest number of mistakes there is no bound for unscored attempts.
    expect(group?.metrics.mistakes?.meanUnscoredAsZero).toBeNull()
    expect(group?.metrics.readingGrade).toMatchObject({ mean: 9, low: null, high: null })
    expect(group?.metrics.mistakes?.mean).toBe(6)
  })

  it('has differences, trials whose best value is the lowest, and a positive loss of rag', () => {
    const difference = report.differences.find(row => row.metric === 'mistakes' && row.domain === 'all')
    expect(difference).toMatchObject({ from: 'offline', to: 'rag', mean: 4.5 })
    const trials = report.trials.find(
      row => row.metric === 'mistakes' && row.setting === 'rag' && row.domain === 'all' && row.trials === 2,
    )
    expect(trials).toMatchObject({ average: 6, maximum: 5.5, minimum: 6.5 })
    const loss = report.degradation.find(row => row.metric === 'mistakes' && row.domain === 'all')
    expect(loss?.total.mean).toBe(4.5)
    expect(report.ends[0]).toMatchObject({ metric: 'mistakes', mean: 1.5 })
    expect(report.explained[0]).toMatchObject({ metric: 'mistakes' })
  })

  it('is shown in the short summary in its own unit', () => {
    const text = writeShortSummary({
      report,
      records: { manifest, attempts, scores } as Parameters<typeof writeShortSummary>[0]['records'],
      ...{ title: 'Run r', columns: 80, isRunning: false, reportFiles: [] },
      commands: { full: '', resume: '', status: '', retry: '' },
    })
    expect(text).toMatch(/answered +Mistakes \[95%\] +baseline \[95%\] +Holm +grade/)
    expect(text).toMatch(/rag +10\/10 +100\.0 +6 \[\d/)
    expect(text).toContain('Best: offline, Mistakes (lower is better) 1.5; next: rag, 6')
    expect(text).toContain('+4.5 [')
    expect(text).toContain('Highest: ')
  })

  it('is shown in the full tables, with the direction of losses', () => {
    const text = renderTerminal(report, { columns: 120 })
    expect(sectionOf(text, 'Comparison (')).toMatch(/answered +success +Mistakes \[95%\]/)
    expect(sectionOf(text, 'Comparison (')).toContain('School years that a reader needs.')
    expect(sectionOf(text, 'Differences between')).toContain('Lower is better: Mistakes.')
    expect(sectionOf(text, 'What RAG loses')).toContain('rag - offline')
    expect(sectionOf(text, 'Repeated trials')).toMatch(/offline +Mistakes +5 +2 +1\.5 +1 +2 +20\.0/)
    expect(sectionOf(text, 'Why the attempts ended')).toContain('Mistakes')
  })

  it('has figures with its own axis, as CSV', () => {
    const bars = reportFigures(report).find(figure => figure.id === 'mistakes')!
    expect(bars).toMatchObject({
      kind: 'bars',
      unit: 'Mistakes',
      axis: { isPercent: false, least: 0, most: null },
    })
    expect(writeFigureCsv(bars)).toContain('all tasks,rag,6,')
  })

  it('is in the data of the HTML report: its metrics, the mean of each arm, and the values of attempts', () => {
    const scoresOf = ({ attemptId }: { readonly attemptId: string }) =>
      scores.filter(score => score.attemptId === attemptId)
    const run = { name: 'essays', runId: 'r', startedAt: null, facts: [], command: null, bibtex: '' }
    const page = makePageData({ report, attempts, scoresOf, run, tasks: new Map(), tainted: new Set() })
    expect(page.metrics.map(({ key }) => key)).toEqual(['mistakes', 'answered', 'success'])
    expect(page.results.map(({ mean }) => mean)).toEqual([1.5, 6])
    expect(page.attempts.values.mistakes).toContain(5)
  })

  it('is compared in general tables, with CSV and LaTeX', () => {
    const run = { manifest, attempts, scores, scorers } as Parameters<typeof compareRuns>[0][number]
    const comparison = compareRuns([run], { force: false })
    expect(comparison.tables.map(({ id }) => id)).toEqual(['settings', 'rag'])
    const [csv, latex] = (['csv', 'latex'] as const).map(format =>
      writeComparisonFiles(comparison, format)
        .map(([, text]) => text)
        .join(''),
    )
    expect(csv).toMatch(/financial Mistakes,.*\n(?:.*\n)*rag,extractive,.*,6,/)
    expect(latex).toContain('Mistakes')
    expect(renderComparison(comparison, { columns: 120 })).toContain('Mistakes [95%]')
  })

  it('can be grouped by a facet of its tasks, while an unknown facet is an error', () => {
    const byTier = buildReport({ ...input, facet: 'tier' } as Parameters<typeof buildReport>[0])
    expect(byTier.facet).toBe('tier')
    expect(new Set(byTier.groups.map(({ domain }) => domain))).toEqual(
      new Set(['easy', 'hard', 'all', 'allByDomain']),
    )
    expect(renderTerminal(byTier, { columns: 120 })).toContain('mean of tiers')
    const unknown = () => buildReport({ ...input, facet: 'teir' } as Parameters<typeof buildReport>[0])
    expect(unknown).toThrow(expect.objectContaining({ code: 'unknown-facet' }))
    expect(unknown).toThrow(/--by.*'teir'.*'tier'/)
  })

  it('is compared with thresholds in its own direction', () => {
    const check = (text: string): string[] => {
      const threshold = parseThreshold(text)
      requireMetrics([threshold], report.scorers)
      return listThresholdLines(report, [threshold])
    }
    expect(check('mistakes=2')).toEqual(['rag · extractive: mistakes is 6, above 2 [fail-under]'])
    expect(check('mistakes=6')).toEqual([])
    expect(check('readingGrade=10')).toEqual(['rag · extractive: readingGrade is 9, below 10 [fail-under]'])
    expect(check('answered=1')).toEqual([])
    expect(check('answered=1')).toEqual([])
    expect(check('success=0.1')).toHaveLength(1)
    expect(() => check('mistakes=-1')).toThrow(expect.objectContaining({ code: 'invalid-threshold' }))
    expect(() => check('mistake=1')).toThrow(expect.objectContaining({ code: 'unknown-metric' }))
  })

  it('keeps its keys as labels when the plug-in is no longer installed', () => {
    const orphan = buildReport({ ...input, scorers: {} } as Parameters<typeof buildReport>[0])
    expect(listScoringMetrics(orphan.scorers, 'proof-reader').scores.map(({ key }) => key)).toEqual([
      'mistakes',
      'readingGrade',
    ])
  })
})
