import { describe, expect, it } from 'vitest'
import type { TableGold } from '../../src/core/gold.ts'
import { scoreSchema } from '../../src/core/score.ts'
import type { AttemptEnd } from '../../src/core/termination.ts'
import { type Judge, noJudge, rulesJudge } from '../../src/score/contract/judge.ts'
import { attemptEnding } from './attempt-ending.ts'
import { scoreAnswer } from './score-answer.ts'

const answered = { cause: 'agent', reason: 'answered' } as const

const legal: TableGold = {
  kind: 'table',
  keyColumns: ['案件名', '被告'],
  targetColumns: ['罪名', '刑期'],
  numericColumns: [],
  rows: [
    { 案件名: '张三盗窃案', 被告: '张三', 罪名: '盗窃罪、诈骗罪', 刑期: '36' },
    { 案件名: '张三盗窃案', 被告: '李四', 罪名: '盗窃罪', 刑期: null },
  ],
}
const financial: TableGold = {
  kind: 'table',
  keyColumns: ['Filename'],
  targetColumns: ['Revenue (USD)', 'Currency'],
  numericColumns: ['Revenue (USD)'],
  rows: [
    { Filename: 'acme_10q_2024.pdf', 'Revenue (USD)': '1,000,000', Currency: 'USD' },
    { Filename: 'beta_10q_2024.pdf', 'Revenue (USD)': '2,000,000', Currency: 'U.S. dollar' },
  ],
}

const score = (gold: TableGold, answerText: string | null, judge: Judge, end: AttemptEnd = answered) =>
  scoreAnswer({
    attempt: attemptEnding(end),
    answerText,
    gold,
    scorer: 'aoe',
    judge,
    infrastructureFailures: 2,
  })

describe('scoring an attempt by scorer aoe', () => {
  it('returns hand-computed measures for a Chinese table by rules', async () => {
    const answer =
      '```csv\n案件名称,被告人,所犯罪名,刑期\n张三盗窃案,张三,诈骗罪，盗窃罪,36.0\n张三盗窃案,李四,,\n无关案,王五,盗窃罪,1\n```'
    const result = await score(legal, answer, rulesJudge)
    // Cells: the list has the same items: 1. 36 in a column with a missing value reads 36.0, as in the answer: 1. 盗窃罪
    // compared with an empty cell: 0. Two empty cells: 1.
    expect(result.cells.map(cell => [cell.score, cell.rule])).toEqual([
      [1, 'list'],
      [1, 'equal'],
      [0, 'one-empty'],
      [1, 'both-empty'],
    ])
    expect(result.metrics).toMatchObject({
      ...{ rowPrecision: 2 / 3, rowRecall: 1, rowF1: 0.8 },
      ...{ cellPrecision: 3 / 6, cellRecall: 3 / 4, cellF1: 0.6 },
    })
    expect(result.counts).toMatchObject({ goldRows: 2, predictedRows: 3, matchedRows: 2, spuriousColumns: 0 })
    expect(result.metrics.schemaPrecision).toBe(1)
    expect(scoreSchema.parse(result)).toEqual(result)
  })

  it.each([
    ['run-budget', true],
    [null, false],
  ])('has the cause %s when the budget of the run ended the attempt: %s', async (cause, endedByRunBudget) => {
    const end: AttemptEnd = {
      cause: 'budget',
      reason: 'tokens',
      ...(endedByRunBudget ? { endedByRunBudget } : {}),
    }
    const result = await score(financial, '```csv\nFilename\nacme_10q_2024.pdf\n```', rulesJudge, end)
    expect([result.cause, result.status]).toEqual([cause, endedByRunBudget ? 'unscored' : 'scored'])
  })

  it.each([noJudge, rulesJudge])('matches a gold row once when the answer repeats its key', async judge => {
    const answer =
      '```csv\nFilename,Revenue (USD),Currency\nacme_10q_2024.pdf,1000000,USD\nacme_10q_2024.pdf,5,EUR\n```'
    const result = await score(financial, answer, judge)
    expect(result.metrics).toMatchObject({ rowPrecision: 0.5, rowRecall: 0.5, rowF1: 0.5 })
    expect(result.cells.map(cell => cell.predicted)).toEqual(['1000000', 'USD', null, null])
  })

  it('counts neither a row that the judge failed on nor the gold row that it may mean', async () => {
    const spent = { calls: 1, inputTokens: 0, outputTokens: 0, usd: null }
    const failing: Judge = {
      kind: 'model',
      name: 'down',
      batch: false,
      ask: async () => ({ value: null, failure: 'down', ...spent }),
    }
    const answer = '```csv\nFilename,Revenue (USD),Currency\nacme_10q_2024.pdf,1000000,USD\nzzz,5,EUR\n```'
    const result = await score(financial, answer, failing)
    expect(result.metrics).toMatchObject({ rowPrecision: 1, rowF1: 1, cellPrecision: 1, cellF1: 1 })
    expect(result.cells.map(cell => cell.score)).toEqual([1, 1, null, null])
  })

  it('scores a part of a list 0.8 times its share', async () => {
    const result = await score(
      legal,
      '```csv\n案件名,被告,罪名,刑期\n张三盗窃案,张三,盗窃罪,36\n```',
      rulesJudge,
    )
    expect(result.cells[0]).toMatchObject({ score: 0.4, rule: 'list', predicted: '盗窃罪' })
    expect(result.cells[2]).toMatchObject({ score: 0, rule: 'unmatched-row', predicted: null })
  })

  it('removes a path and an extension from keys by rules, but not without a judge', async () => {
    const answer =
      '```csv\nFilename,Revenue (USD),Currency,Note\n/docs/ACME_10Q_2024,1000000,usd,x\nbeta_10q_2024.md,2000001,US Dollar,y\n```'
    const byRules = await score(financial, answer, rulesJudge)
    expect(byRules.metrics.rowF1).toBe(1)
    expect(byRules.cells.map(cell => cell.score)).toEqual([1, 1, 1, 0])
    expect(byRules.counts.spuriousColumns).toBe(1)
    expect(byRules.metrics.schemaPrecision).toBeCloseTo(2 / 3, 12)
    const published = await score(financial, answer, noJudge)
    expect(published.cells.map(cell => cell.rule)).toEqual([
      'unmatched-row',
      'unmatched-row',
      'numeric',
      'different',
    ])
  })

  it('scores 0 and still lists every gold cell when there is no table', async () => {
    const none = await score(financial, 'I could not find them.', rulesJudge)
    expect(none).toMatchObject({
      status: 'scored',
      answered: false,
      metrics: { cellF1: 0, rowF1: 0, schemaPrecision: null },
    })
    expect(none.cells).toHaveLength(4)
    expect(none.cells[0]).toMatchObject({ predicted: null, score: 0, rule: 'no-answer', class: null })
    const unreadable = await score(financial, '```csv\n```', rulesJudge)
    expect(unreadable.cells[0]?.rule).toBe('unreadable-answer')
    expect((await score(financial, null, rulesJudge)).status).toBe('scored')
  })

  it('scores the answer of an attempt that a budget ended', async () => {
    const answer = '```csv\nFilename,Revenue (USD),Currency\nacme_10q_2024.pdf,1000000,USD\n'
    const result = await score(financial, answer, rulesJudge, { cause: 'budget', reason: 'output-limit' })
    expect(result).toMatchObject({
      status: 'scored',
      answered: true,
      metrics: { cellPrecision: 1, cellRecall: 0.5 },
    })
  })

  it('leaves an attempt unscored, never 0, when the provider, the harness or the operator ended it', async () => {
    for (const end of [
      { cause: 'provider', reason: 'timeout' },
      { cause: 'harness', reason: 'crash' },
      { cause: 'operator', reason: 'cancelled' },
    ] as const) {
      const result = await score(financial, null, rulesJudge, end)
      expect(result).toMatchObject({
        status: 'unscored',
        cause: end.cause,
        metrics: {},
        cells: [],
        infrastructureFailures: 2,
      })
      expect(scoreSchema.parse(result)).toEqual(result)
    }
  })

  it('matches two keys that are empty after processing, like the published scorer', async () => {
    const gold: TableGold = { ...financial, rows: [{ Filename: '——', 'Revenue (USD)': '1', Currency: 'x' }] }
    expect((await score(gold, '```csv\nFilename,Revenue (USD)\n？,1\n```', noJudge)).metrics.rowF1).toBe(1)
  })
})
