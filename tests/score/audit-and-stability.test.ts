import { describe, expect, it } from 'vitest'
import type { Score } from '../../src/core/score.ts'
import type { ScoredCell } from '../../src/core/scored-item.ts'
import { computeAuditAgreement, createAuditSampler } from '../../src/score/audit.ts'
import { makeScoreDigest, measureJudgeStability } from '../../src/score/statistics/stability.ts'

const cell = (score: number | null, rule: string): ScoredCell => ({
  goldRow: 0,
  column: 'c',
  gold: 'g',
  predicted: 'p',
  score,
  rule,
  class: null,
})
const score = (attemptId: string, f1: number, cells: ScoredCell[]): Score => ({
  attemptId,
  taskId: attemptId,
  setting: 'offline',
  model: 'm',
  trial: 0,
  options: {},
  scorer: 'paper',
  judge: 'j',
  status: 'scored',
  cause: null,
  answered: true,
  success: null,
  metrics: {
    ...{ rowPrecision: 1, rowRecall: 1, rowF1: 1 },
    ...{ cellPrecision: f1, cellRecall: f1, cellF1: f1 },
    ...{ schemaPrecision: null, columnRecall: null, overall: null },
  },
  kind: 'table',
  items: [],
  explanation: [],
  infrastructureFailures: 0,
  overall: null,
  counts: {},
  judgeUsage: { calls: 0, callsSaved: 0, inputTokens: 0, outputTokens: 0, usd: 0 },
  cells,
})

describe('the stability of a judge', () => {
  it('is the correlation of each measure between repeats, with a count of flipped cells', () => {
    const first = [
      score('a', 0.1, [cell(1, 'judge'), cell(1, 'equal')]),
      score('b', 0.2, [cell(0.5, 'judge')]),
      score('c', 0.4, []),
    ]
    const second = [
      score('a', 0.2, [cell(0, 'judge'), cell(1, 'equal')]),
      score('b', 0.3, [cell(0.5, 'judge')]),
      score('c', 0.5, []),
    ]
    const stability = measureJudgeStability([first.map(makeScoreDigest), second.map(makeScoreDigest)])
    expect(stability).toMatchObject({ judgedCells: 2, flippedCells: 1, flippedShare: 0.5 })
    const byName = new Map(stability.measures.map(measure => [measure.measure, measure]))
    expect(byName.get('cellF1')?.pearson).toBeCloseTo(1, 12)
    expect(byName.get('cellF1')).toMatchObject({ n: 3, spearman: 1 })
    expect(byName.get('rowF1')).toMatchObject({ n: 3, pearson: null })
    expect(byName.get('overall')).toMatchObject({ n: 0, pearson: null })
  })
})

describe('the audit', () => {
  const sampled = (one: Score, size: number, seed: number) => {
    const sampler = createAuditSampler(size, seed)
    sampler.add(one)
    return sampler.sample()
  }

  it('samples evenly over the rules, reproducibly for a seed, without plainly equal items', () => {
    const cells = [
      ...Array.from({ length: 50 }, () => cell(1, 'judge')),
      cell(1, 'list'),
      cell(1, 'equal'),
      cell(null, 'judge-failed'),
    ]
    const sample = sampled(score('a', 1, cells), 4, 3)
    expect(sample.map(entry => entry.rule).sort()).toEqual(['judge', 'judge', 'judge', 'list'])
    expect(sampled(score('a', 1, cells), 4, 3)).toEqual(sample)
    expect(sampled(score('a', 1, cells), 1000, 3)).toHaveLength(51)
  })

  it('computes agreement and kappa by rule from the marks', () => {
    const [entry] = sampled(score('a', 1, [cell(1, 'judge')]), 1, 0)
    const marked = (mark: string, value: number) => ({ ...entry!, mark, score: value })
    const result = computeAuditAgreement([
      marked('right', 1),
      marked('wrong', 1),
      marked('0', 0),
      marked('错', 0.2),
      marked('', 1),
      marked('?', 0),
    ])
    expect(result).toEqual([
      { rule: 'all', marked: 4, agreement: 0.75, kappa: 0.5 },
      { rule: 'judge', marked: 4, agreement: 0.75, kappa: 0.5 },
    ])
  })

  it('counts items that a person chose apart from the sample and from the rules', () => {
    const [entry] = sampled(score('a', 1, [cell(1, 'judge')]), 1, 0)
    const marked = (mark: string, isChosen: boolean) => ({ ...entry!, mark, isChosen })
    const result = computeAuditAgreement([
      marked('right', false),
      marked('wrong', true),
      marked('right', true),
    ])
    expect(result.map(({ rule, marked, agreement }) => [rule, marked, agreement])).toEqual([
      ['all', 1, 1],
      ['judge', 1, 1],
      ['chosen by hand', 2, 0.5],
    ])
  })
})
