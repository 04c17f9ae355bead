import { describe, expect, it } from 'vitest'
import type { MetricDefinition } from '../../src/core/metric.ts'
import {
  compareValues,
  completeScorers,
  findWorstValue,
  listScoringMetrics,
  rateValue,
} from '../../src/report/model/metrics.ts'
import { makeAttempt, makeScore, scorers } from './records.ts'

const keys = (metrics: readonly MetricDefinition[]): string[] => metrics.map(({ key }) => key)

describe('the metrics of a scoring', () => {
  it('are sorted in rows with the primary metric first, and answered and success last', () => {
    expect(keys(listScoringMetrics(scorers, 'aoe').compared)).toEqual([
      'cellF1',
      'rowF1',
      'answered',
      'success',
    ])
  })

  it('are sorted in columns with the primary metric last, without companions and details', () => {
    expect(keys(listScoringMetrics(scorers, 'aoe').columns)).toEqual([
      'answered',
      'success',
      'rowF1',
      'cellF1',
    ])
    expect(keys(listScoringMetrics(scorers, 'aoe').companions)).toEqual(
      expect.arrayContaining(['columnRecall', 'schemaPrecision']),
    )
    expect(keys(listScoringMetrics(scorers, 'extract-bench').columns)).toEqual([
      'answered',
      'success',
      'fieldPassRate',
    ])
  })

  it('are empty when nothing was scored', () => {
    expect(listScoringMetrics(scorers, 'none')).toMatchObject({ primary: null, all: [] })
  })

  it('are inferred from records when the scorer is not installed', () => {
    const attempt = makeAttempt({ task: 't', setting: 'offline' })
    const score = makeScore(attempt, 1, { scorer: 'gone', kind: 'table', metrics: { hits: 3, misses: 1 } })
    const known = completeScorers({}, [score])
    expect(keys(listScoringMetrics(known, 'gone').scores)).toEqual(['hits', 'misses'])
    expect(listScoringMetrics(known, 'gone').primary).toMatchObject({ key: 'hits', unit: 'points' })
  })
})

describe('a metric where lower is better', () => {
  const errors: MetricDefinition = {
    ...{ key: 'errors', label: 'Errors', unit: 'count', better: 'lower', primary: true, role: 'score' },
    description: '',
    range: [0, 10],
  }
  it('is worst at its largest value and best at its smallest', () => {
    expect(findWorstValue(errors)).toBe(10)
    expect([0, 5, 10].map(value => rateValue(errors, value))).toEqual([1, 0.5, 0])
    expect(compareValues(errors, 1, 2)).toBeGreaterThan(0)
  })

  it('has no worst value when it has no largest one', () => {
    const open = { ...errors, range: [0, null] as const }
    expect(findWorstValue(open)).toBeNull()
    expect([0, 5].map(value => rateValue(open, value))).toEqual([1, 0])
  })
})
