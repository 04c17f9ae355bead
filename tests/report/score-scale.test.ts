import { describe, expect, it } from 'vitest'
import type { TableGold } from '../../src/core/gold.ts'
import type { ScoreLimits } from '../../src/core/score-limits.ts'
import type { Task } from '../../src/core/task.ts'
import { compareRuns } from '../../src/report/compare/comparison.ts'
import { makeTablesForPapers } from '../../src/report/compare/render-comparison.ts'
import { writeFigureCsv } from '../../src/report/figures/figure-csv.ts'
import { reportFigures } from '../../src/report/figures/figures.ts'
import { buildReport } from '../../src/report/model/build-report.ts'
import type { JudgeMark } from '../../src/report/model/judge-agreement.ts'
import { reportTables } from '../../src/report/tables/report-sections.ts'
import { scaleTexts } from '../../src/report/tables/score-scale.ts'
import { aoeTables } from '../../tasks/aoe/tables.ts'
import { scoreLimits } from '../../tasks/validate/score-limits.ts'
import { makeAttempt, makeScore, scorers } from './records.ts'

const rows = [
  { company: 'North', beds: 12, town: '' },
  { company: 'South', beds: 20, town: '' },
]
const gold: TableGold = {
  kind: 'table',
  keyColumns: ['company'],
  targetColumns: ['beds', 'town'],
  numericColumns: ['beds'],
  rows,
}

function taskOf(query: string, documentNames: readonly string[] = [], over: Partial<TableGold> = {}): Task {
  const question = {
    ...{ taskId: 't1', benchmark: 'aoe', domain: 'financial', language: 'en', query, documentNames },
    form: { kind: 'table' as const },
  }
  return { question, gold: { ...gold, ...over }, documents: [], evidence: null }
}

describe('floor and ceiling of a task', () => {
  it('are what the right keys with empty cells get, and the gold itself', async () => {
    const limits = await scoreLimits(taskOf('How many beds?'), 'aoe')
    // A blank answer equals the blank gold of town: half of the cells.
    expect(limits?.floor).toMatchObject({ cellF1: 0.5, rowF1: 1 })
    expect(limits?.ceiling).toMatchObject({ cellF1: 1, rowF1: 1 })
  })

  it('have a ceiling below 100 for gold rows with the same keys', async () => {
    const twice = [rows[0]!, { ...rows[1]!, company: 'North' }]
    const limits = await scoreLimits(taskOf('How many beds?', [], { rows: twice }), 'aoe')
    expect(limits?.ceiling?.cellF1).toBeLessThan(1)
  })

  it.each([
    ['How many beds have North and South?', [], 1],
    ['How many beds has North?', [], 0.5],
    ['How many beds?', ['North_2024.pdf', 'south-annual.pdf'], 1],
    ['How many beds in Northern Europe?', [], 0],
  ])('count the rows whose keys are given: %s %j', async (query, documents, share) => {
    expect((await scoreLimits(taskOf(query, documents), 'aoe'))?.keysGiven).toBe(share)
  })

  it('are unknown for another kind of answer', async () => {
    expect(await scoreLimits(taskOf('How many beds?'), 'extract-bench')).toBeNull()
  })
})

const limitsOf = (taskId: string, floor: number): ScoreLimits => ({
  ...{ taskId, scorer: 'aoe', keysGiven: 1 },
  floor: { cellF1: floor, rowF1: 1 },
  ceiling: { cellF1: 0.9, rowF1: 1 },
})

function runOf(judge: string, marks: readonly JudgeMark[] = [], limits: readonly ScoreLimits[] = []) {
  const attempts = ['t1', 't2', 't3', 't4', 't5'].map(task => makeAttempt({ task, setting: 'offline' }))
  const scores = attempts.map(attempt => makeScore(attempt, 0.5, { judge }))
  const manifest = { runId: 'r', startedAt: null, endedAt: null, config: {} }
  const input = { manifest, scorers, attempts, scores, limits, marks, skippedTasks: [] }
  return { ...input, report: buildReport(input) }
}

describe('the scale of a score', () => {
  const limits = ['t1', 't2', 't3', 't4', 't5'].map((task, at) => limitsOf(task, at / 10))

  it('stands beside the mean in JSON, tables, figures and their CSV', () => {
    const { report } = runOf('rules', [], limits)
    const group = report.groups.find(({ domain }) => domain === 'all')!
    expect(group.metrics.cellF1).toMatchObject({ floor: 0.2, ceiling: 0.9 })
    expect(group.metrics.cellF1).not.toHaveProperty('keysGiven')
    expect(group.metrics.rowF1).toMatchObject({ keysGiven: 1 })
    expect(scaleTexts(scorers, [group], () => 'offline')).toEqual([
      'Scale of Cell F1: right keys with empty cells get 20.0, the gold itself 90.0',
      'Keys given: the question or the file names contain the keys of 100.0% of the gold rows, which Row F1 rates',
    ])
    const comparison = reportTables(report).find(({ title }) => title.startsWith('Comparison'))
    expect(comparison?.columns.map(({ name }) => name)).toEqual(expect.arrayContaining(['floor', 'ceiling']))
    const [bars] = reportFigures(report)
    expect(bars?.caption).toContain('Brackets')
    expect(writeFigureCsv(bars!)).toMatch(/^domain,series,value,low,high,floor,ceiling\n/)
  })

  it('is unknown when it is unknown for one of the tasks', () => {
    const { report } = runOf('rules', [], limits.slice(1))
    expect(report.groups.find(({ domain }) => domain === 'all')?.metrics.cellF1).not.toHaveProperty('floor')
  })
})

describe('figures that a judge made', () => {
  const judge = 'openai:gpt-4o'

  it('say that the agreement with a person is not measured', () => {
    const { report } = runOf(judge)
    expect(report.judgeAgreements).toMatchObject([{ judge, marked: 0, agreement: null }])
    expect(reportTables(report)[0]?.title).toContain(`judge ${judge} (agreement not measured)`)
  })

  it('have the agreement with its interval over groups of tasks', () => {
    const { attempts } = runOf(judge)
    const marks = attempts.map(({ attemptId }, at) => ({ attemptId, scorer: 'aoe', judge, agrees: at > 0 }))
    const { report } = runOf(judge, marks)
    expect(report.judgeAgreements).toMatchObject([{ marked: 5, agreement: 0.8 }])
    expect(reportTables(report)[0]?.title).toMatch(
      /\(agreement 80\.0% \[\d+\.\d, \d+\.\d\] in 5 marked items\)/,
    )
  })

  it('have no agreement beside the fixed rules, which the tables of AOE call ours', () => {
    const run = runOf('rules')
    expect(run.report.judgeAgreements).toEqual([])
    const remarks = (compared: ReturnType<typeof runOf>) =>
      makeTablesForPapers(compareRuns([compared], { force: false, benchmarks: { aoe: aoeTables } }))
        .flatMap(table => table.remarks)
        .join()
    expect(remarks(run)).toContain('64.8 with it and 62.7 without a judge')
    expect(remarks(runOf(judge))).not.toContain('64.8')
  })
})
