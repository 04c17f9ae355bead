import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { bootstrapMean } from '../../../src/score/statistics/bootstrap.ts'
import { cohensKappa, pearson, spearman } from '../../../src/score/statistics/correlation.ts'
import { pairedDifference } from '../../../src/score/statistics/paired-difference.ts'
import { summarizeTrials } from '../../../src/score/statistics/trials.ts'

const valuesOf = (...values: number[]) => values.map((value, i) => ({ cluster: `t${i}`, value }))

describe('bootstrapMean', () => {
  it('averages the trials of a task first', () => {
    const values = [
      { cluster: 'a', value: 0 },
      { cluster: 'a', value: 1 },
      { cluster: 'a', value: 1 },
      { cluster: 'a', value: 1 },
      { cluster: 'b', value: 0.25 },
    ]
    expect(bootstrapMean(values, 0)?.mean).toBeCloseTo(0.5, 12)
  })

  it('approximates the textbook interval of a mean', () => {
    const values = Array.from({ length: 400 }, (_, i) => ({ cluster: `${i}`, value: i % 2 }))
    const interval = bootstrapMean(values, 7)!
    expect(interval.low).toBeCloseTo(0.5 - 1.96 * 0.025, 2)
    expect(interval.high).toBeCloseTo(0.5 + 1.96 * 0.025, 2)
  })

  it('returns no interval for one task, and null for none', () => {
    expect(bootstrapMean(valuesOf(0.3), 0)).toEqual({ mean: 0.3, low: null, high: null })
    expect(bootstrapMean([], 0)).toBeNull()
  })

  it('is the same for the same seed, and contains its mean for any values', () => {
    fc.assert(
      fc.property(
        fc.array(fc.float({ min: 0, max: 1, noNaN: true }), { minLength: 2, maxLength: 20 }),
        list => {
          const first = bootstrapMean(valuesOf(...list), 3)!
          expect(bootstrapMean(valuesOf(...list), 3)).toEqual(first)
          expect(first.low!).toBeLessThanOrEqual(first.high!)
          expect(first.low!).toBeGreaterThanOrEqual(Math.min(...list) - 1e-9)
          expect(first.high!).toBeLessThanOrEqual(Math.max(...list) + 1e-9)
        },
      ),
      { numRuns: 20 },
    )
  })
})

describe('pairedDifference', () => {
  it('pairs by cluster and ignores unpaired values', () => {
    const from = [...valuesOf(0.2, 0.4, 0.6), { cluster: 'alone', value: 1 }]
    const result = pairedDifference(from, valuesOf(0.5, 0.7, 0.9), 0)!
    expect(result.n).toBe(3)
    expect(result.mean).toBeCloseTo(0.3, 12)
    // Three equal differences: 2 of the 8 sign patterns are as extreme.
    expect(result.pValue).toBeCloseTo(0.25, 12)
  })

  it('returns p = 1 for equal sides and a small p for a steady difference over many tasks', () => {
    const many = Array.from({ length: 40 }, (_, i) => (i % 7) / 10)
    expect(pairedDifference(valuesOf(...many), valuesOf(...many), 0)?.pValue).toBe(1)
    const above = many.map(value => value + 0.1)
    expect(pairedDifference(valuesOf(...many), valuesOf(...above), 0)?.pValue).toBeLessThan(0.001)
  })
})

describe('summarizeTrials', () => {
  const trial = (value: number) => ({ cluster: 't', value, passed: value >= 0.5 })
  it('returns mean, best and any-passed when exactly N trials were made', () => {
    const summary = summarizeTrials([trial(0.2), trial(0.4), trial(0.9)], 3)!
    expect(summary.average).toBeCloseTo(0.5, 12)
    expect(summary.maximum).toBeCloseTo(0.9, 12)
    expect(summary.passRate).toBe(1)
  })

  it('estimates Max@2 and Pass@2 from three trials over all pairs', () => {
    const summary = summarizeTrials([trial(0.2), trial(0.4), trial(0.9)], 2)!
    expect(summary.maximum).toBeCloseTo((0.4 + 0.9 + 0.9) / 3, 12)
    expect(summary.passRate).toBeCloseTo(2 / 3, 12)
  })

  it('ignores tasks with fewer trials', () => {
    expect(summarizeTrials([trial(1)], 2)).toBeNull()
  })
})

describe('correlation', () => {
  it('matches hand-computed Pearson and Spearman', () => {
    expect(pearson([1, 2, 3, 4], [1, 3, 2, 4])).toBeCloseTo(0.8, 12)
    expect(spearman([10, 20, 30, 1000], [1, 3, 2, 4])).toBeCloseTo(0.8, 12)
    expect(spearman([1, 1, 2], [5, 5, 9])).toBeCloseTo(1, 12)
  })

  it('is null when a side is constant', () => {
    expect(pearson([0.1, 0.1, 0.1], [1, 2, 3])).toBeNull()
  })

  it('computes kappa as agreement beyond chance', () => {
    const left = ['y', 'y', 'n', 'n']
    expect(cohensKappa(left, ['y', 'n', 'n', 'n'])).toBeCloseTo(0.5, 12)
    expect(cohensKappa(left, left)).toBe(1)
    expect(cohensKappa(['y'], ['y'])).toBeNull()
  })
})
