import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { computeComponentMean } from '../../../src/score/statistics/component-mean.ts'
import { findTaskComponents } from '../../../src/score/statistics/components.ts'
import { cohensKappa, pearson, spearman } from '../../../src/score/statistics/correlation.ts'
import { holm } from '../../../src/score/statistics/holm.ts'
import {
  computeDifferenceInterval,
  computeMeanInterval,
  computeStrataInterval,
} from '../../../src/score/statistics/intervals.ts'
import { computePairedDifference } from '../../../src/score/statistics/paired-difference.ts'
import { computeDetectableDifference, countNeededComponents } from '../../../src/score/statistics/power.ts'
import { studentT } from '../../../src/score/statistics/student-t.ts'
import { summarizeTrials } from '../../../src/score/statistics/trials.ts'

const valuesOf = (...values: number[]) => values.map((value, i) => ({ cluster: `t${i}`, value }))

describe('taskComponents', () => {
  const componentsOf = (tasks: Record<string, string[]>) =>
    Object.fromEntries(
      findTaskComponents(Object.entries(tasks).map(([task, documents]) => ({ task, documents }))),
    )

  it('joins tasks that share a document, also through other tasks', () => {
    const found = componentsOf({ a: ['1'], b: ['2', '3'], c: ['3', '1'], d: ['4'], e: [] })
    expect(new Set([found.a, found.b, found.c]).size).toBe(1)
    expect(new Set(Object.values(found)).size).toBe(3)
  })

  it('counts twelve tasks on three documents as three components', () => {
    const tasks = Array.from({ length: 12 }, (_, at) => [`t${at}`, [`d${at % 3}`]] as const)
    expect(
      new Set(Object.values(componentsOf(Object.fromEntries(tasks.map(([t, d]) => [t, [...d]]))))).size,
    ).toBe(3)
  })
})

describe('studentT', () => {
  it('matches the printed tables', () => {
    const printed = [
      [1, 12.706],
      [4, 2.776],
      [10, 2.228],
      [30, 2.042],
      [1000, 1.962],
    ] as const
    for (const [df, t] of printed) expect(studentT(df)).toBeCloseTo(t, 3)
  })

  it('matches scipy far out in the tails and for fractional degrees of freedom', () => {
    const printed = [
      [5, 0.05 / 12, 4.982528],
      [5, 0.0005, 7.975653],
      [3.7, 0.05, 2.867521],
      [6, 0.4, 0.905703],
      [1, 0.001, 636.619249],
      [200, 0.001, 3.339835],
    ] as const
    for (const [df, outside, t] of printed) expect(studentT(df, outside)).toBeCloseTo(t, 5)
  })
})

describe('componentMean', () => {
  it('is the textbook standard error for components of one task', () => {
    const parts = [0.1, 0.4, 0.5, 0.8].map((part, at) => ({
      ...{ component: `${at}`, stratum: '' },
      ...{ part, whole: 1 },
    }))
    const found = computeComponentMean(parts)!
    // The variance of the values is 0.25 / 3.
    expect(found).toMatchObject({ mean: 0.45, components: 4 })
    expect(found.variance).toBeCloseTo(0.25 / 3 / 4, 12)
    expect(found.df).toBeCloseTo(3, 12)
  })

  it('weights components of unequal sizes as CR2 says', () => {
    // Sums 1 and 0 over 2 and 1 tasks, mean 1/3: residuals 1/3 and -1/3, divided by 3 and by sqrt(1 - 2/3), sqrt(1 - 1/3).
    const parts = [
      { component: 'a', stratum: '', part: 1, whole: 1 },
      { component: 'a', stratum: '', part: 0, whole: 1 },
      { component: 'b', stratum: '', part: 0, whole: 1 },
    ]
    expect(computeComponentMean(parts)!.variance).toBeCloseTo((1 / 81) * (3 + 3 / 2), 12)
  })

  it('averages the ratios of strata, and adds their variances when they share no component', () => {
    const stratum = (name: string, ...values: number[]) =>
      values.map((part, at) => ({ component: `${name}${at}`, stratum: name, part, whole: 1 }))
    const [left, right] = [stratum('l', 0, 1), stratum('r', 0.2, 0.4, 0.6)]
    const both = computeComponentMean([...left, ...right])!
    expect(both.mean).toBeCloseTo(0.45, 12)
    const variances = [left, right].map(parts => computeComponentMean(parts)!.variance!)
    expect(both.variance).toBeCloseTo((variances[0]! + variances[1]!) / 4, 12)
    // Satterthwaite for two independent variances, if all tasks have the same variance.
    expect(both.df).toBeCloseTo((1 / 2 + 1 / 3) ** 2 / ((1 / 2) ** 2 + (1 / 3) ** 2 / 2), 12)
  })

  it('has no variance when a stratum has one component', () => {
    const parts = ['a', 'a', 'b'].map(component => ({ component, stratum: component, part: 1, whole: 1 }))
    expect(computeComponentMean(parts)).toMatchObject({ mean: 1, components: 2, variance: null })
  })
})

describe('meanInterval', () => {
  it('averages the trials of a task first', () => {
    const values = [
      { cluster: 'a', value: 0 },
      { cluster: 'a', value: 1 },
      { cluster: 'a', value: 1 },
      { cluster: 'a', value: 1 },
      { cluster: 'b', value: 0.25 },
    ]
    expect(computeMeanInterval(values, [0, 1])?.mean).toBeCloseTo(0.5, 12)
  })

  it("gives a rate over independent tasks Wilson's interval with Student's t", () => {
    // 8 of 10: the variance of the mean is 0.16 / 9, so 9 tries; t for 9 degrees of freedom is 2.2622.
    const rate = computeMeanInterval(valuesOf(1, 1, 1, 1, 1, 1, 1, 1, 0, 0), [0, 1])!
    expect(rate.low).toBeCloseTo(0.427, 3)
    expect(rate.high).toBeCloseTo(0.9555, 3)
  })

  it('gives a rate no more tries than it has values, however alike the groups are', () => {
    // Five groups of four tasks: the variance 0.0025 would be worth 99 tries. Wilson for 20 tries, t for 4 degrees of freedom.
    const passed = [2, 2, 2, 2, 1]
    const values = passed.flatMap((count, group) =>
      [0, 1, 2, 3].map(at => ({
        ...{ cluster: `${group}.${at}`, component: `g${group}`, value: at < count ? 1 : 0 },
      })),
    )
    const rate = computeMeanInterval(values, [0, 1])!
    expect(rate.low).toBeCloseTo(0.201139, 4)
    expect(rate.high).toBeCloseTo(0.726682, 4)
  })

  it('gives a rate of 100% an interval', () => {
    // Wilson: 5 / (5 + 1.96²).
    expect(computeMeanInterval(valuesOf(1, 1, 1, 1, 1), [0, 1])).toMatchObject({ high: 1, components: 5 })
    expect(computeMeanInterval(valuesOf(1, 1, 1, 1, 1), [0, 1])?.low).toBeCloseTo(5 / (5 + 3.8415), 3)
  })

  it("gives a score Wilson's interval for as many tries as its variance is worth", () => {
    // The expected ends in this block are computed with numpy and scipy.
    const score = computeMeanInterval(valuesOf(0.3, 0.45, 0.5, 0.6, 0.7), [0, 1])!
    expect(score.low).toBeCloseTo(0.3325332, 6)
    expect(score.high).toBeCloseTo(0.6849816, 6)
    expect(score).not.toHaveProperty('unseenShare')
    const percent = computeMeanInterval(valuesOf(30, 45, 50, 60, 70), [0, 100])!
    expect(percent.low).toBeCloseTo(100 * score.low!, 9)
  })

  it('draws the variance towards the greatest one by as many groups as are near an end of the scale', () => {
    const one = computeMeanInterval(valuesOf(0.1, 0.2, 0.3, 0.4, 0.5), [0, 1])!
    expect(one.low).toBeCloseTo(0.1406279, 6)
    expect(one.high).toBeCloseTo(0.5288401, 6)
    const most = computeMeanInterval(valuesOf(1, 1, 1, 1, 1, 0.95, 1, 0.4), [0, 1])!
    expect(most.low).toBeCloseTo(0.5975575, 6)
    expect(most.high).toBeCloseTo(0.9885207, 6)
  })

  it('says how many groups could have gone unseen when few groups are mostly near an end', () => {
    const seven = [1, 1, 1, 1, 1, 0.95, 1]
    // 1 - 0.025 ** (1 / 8)
    expect(computeMeanInterval(valuesOf(...seven, 0.4), [0, 1])?.unseenShare).toBeCloseTo(0.369417, 6)
    expect(
      computeMeanInterval(
        valuesOf(...seven, 0.4).map(one => ({ ...one, value: 1 - one.value })),
        [0, 1],
      ),
    ).toHaveProperty('unseenShare')
    // Too few near an end, a rate, the same score everywhere, no ends, and so many groups that scores of 0 would show.
    const trusted = [
      computeMeanInterval(valuesOf(...seven.slice(2), 0.5, 0.4, 0.3), [0, 1]),
      computeMeanInterval(valuesOf(1, 1, 1, 1, 1, 1, 1, 0), [0, 1]),
      computeMeanInterval(valuesOf(...seven.map(() => 0.95)), [0, 1]),
      computeMeanInterval(valuesOf(...seven, 0.4), [0, null]),
      computeMeanInterval(valuesOf(...Array.from({ length: 9 }, () => [...seven, 0.4]).flat()), [0, 1]),
    ]
    for (const interval of trusted) expect(interval).not.toHaveProperty('unseenShare')
  })

  it('is wider when tasks share documents', () => {
    const values = Array.from({ length: 30 }, (_, at) => ({
      ...{ cluster: `t${at}`, component: `c${at % 10}`, value: 0.05 + (at % 10) / 11 },
    }))
    const alone = values.map(({ cluster, value }) => ({ cluster, value }))
    const width = (found: ReturnType<typeof computeMeanInterval>) => found!.high! - found!.low!
    expect(width(computeMeanInterval(values, [0, 1]))).toBeGreaterThan(
      1.5 * width(computeMeanInterval(alone, [0, 1])),
    )
  })

  it('returns no interval for fewer than five components, and null for no values', () => {
    const twelve = Array.from({ length: 12 }, (_, at) => ({
      ...{ cluster: `t${at}`, component: `c${at % 3}`, value: at / 12 },
    }))
    expect(computeMeanInterval(twelve, [0, 1])).toMatchObject({ low: null, high: null, components: 3 })
    expect(computeMeanInterval([], [0, 1])).toBeNull()
  })

  it('contains its mean and stays within the range for any values', () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 5, maxLength: 20 }),
        list => {
          const { mean, low, high } = computeMeanInterval(valuesOf(...list), [0, 1])!
          expect(low!).toBeLessThanOrEqual(mean + 1e-9)
          expect(high!).toBeGreaterThanOrEqual(mean - 1e-9)
          expect(low!).toBeGreaterThanOrEqual(0)
          expect(high!).toBeLessThanOrEqual(1)
        },
      ),
    )
  })
})

describe('pairedDifference', () => {
  it('pairs by cluster and ignores unpaired values', () => {
    const from = [...valuesOf(0.2, 0.4, 0.6, 0.5, 0.1), { cluster: 'alone', value: 1 }]
    const result = computePairedDifference(from, valuesOf(0.5, 0.7, 0.9, 0.8, 0.4), [0, 1])!
    expect(result).toMatchObject({ n: 5, components: 5 })
    expect(result.mean).toBeCloseTo(0.3, 12)
    // Five equal differences: 2 of the 32 sign patterns are as extreme.
    expect(result.pValue).toBeCloseTo(2 / 32, 12)
  })

  it('flips the signs of whole components', () => {
    const sharing = (values: readonly number[]) =>
      values.map((value, at) => ({ cluster: `t${at}`, component: `c${at % 6}`, value }))
    const twelve = Array.from({ length: 12 }, () => 0)
    const better = twelve.map(() => 0.1)
    const result = computePairedDifference(sharing(twelve), sharing(better), [0, 1])!
    expect(result).toMatchObject({ n: 12, components: 6 })
    expect(result.pValue).toBeCloseTo(2 / 64, 12)
  })

  it('returns no p for fewer than five components', () => {
    const three = Array.from({ length: 12 }, (_, at) => ({
      ...{ cluster: `t${at}`, component: `c${at % 3}`, value: 0 },
    }))
    const better = three.map(one => ({ ...one, value: 0.5 }))
    expect(computePairedDifference(three, better, [0, 1])).toMatchObject({
      n: 12,
      components: 3,
      pValue: null,
      low: null,
    })
  })

  it('has an interval that never exceeds the largest possible difference', () => {
    const from = valuesOf(0, 0, 0, 0, 0)
    // Mean 0.3, standard error 0.07071, t 2.7764: far from the bounds, the interval is nearly Student's.
    const close = computePairedDifference(from, valuesOf(0.1, 0.2, 0.3, 0.4, 0.5), [0, 1])!
    expect(close.low).toBeCloseTo(0.3 - 2.7764 * 0.07071, 1)
    expect(close.high).toBeCloseTo(0.3 + 2.7764 * 0.07071, 1)
    // Student's interval of these is 0.84 plus or minus 0.44.
    const far = computePairedDifference(from, valuesOf(1, 1, 1, 1, 0.2), [0, 1])!
    expect(far.high).toBeLessThan(1)
    expect(far.high).toBeGreaterThan(far.mean)
  })

  it('returns p = 1 for equal sides and a small p for a steady difference over many tasks', () => {
    const many = Array.from({ length: 40 }, (_, i) => (i % 7) / 10)
    expect(computePairedDifference(valuesOf(...many), valuesOf(...many), [0, 1])?.pValue).toBe(1)
    const above = many.map(value => value + 0.1)
    expect(computePairedDifference(valuesOf(...many), valuesOf(...above), [0, 1])?.pValue).toBeLessThan(0.001)
  })
})

describe('differences among several tests', () => {
  const differences = [0.1, 0.2, 0.3, 0.25, 0.05, 0.4, 0.15, 0.35]
  const { estimate, low, high } = computePairedDifference(
    valuesOf(...differences.map(() => 0)),
    valuesOf(...differences),
    [0, 1],
  )!

  // The expected numbers are computed with numpy and scipy.
  it('have wider intervals the more tests they share an error rate with', () => {
    expect([low, high].map(end => end?.toFixed(6))).toEqual(['0.120682', '0.324403'])
    const four = computeDifferenceInterval(estimate, [0, 1], 0.05 / 4)
    expect([four.low, four.high].map(end => end?.toFixed(6))).toEqual(['0.077219', '0.363107'])
  })

  it('have a detectable difference that grows with the tests, and none when no p can be small enough', () => {
    expect(computeDetectableDifference(estimate)).toBeCloseTo(0.143092, 5)
    // With four tests only the least p is small enough, so all eight groups must agree.
    expect(computeDetectableDifference(estimate, 4)).toBeCloseTo(0.234999, 5)
    expect(computeDetectableDifference(estimate, 7)).toBeNull()
    const twelve = Array.from({ length: 12 }, (_, at) => 0.02 * at)
    const many = computePairedDifference(valuesOf(...twelve.map(() => 0)), valuesOf(...twelve), [0, 1])!
    expect(computeDetectableDifference(many.estimate)).toBeCloseTo(0.064089, 5)
    const equal = computePairedDifference(valuesOf(0, 0, 0, 0, 0), valuesOf(0.1, 0.1, 0.1, 0.1, 0.1), [0, 1])!
    expect(computeDetectableDifference(equal.estimate)).toBeNull()
  })

  it('need the groups with which a campaign detects a difference', () => {
    for (const [difference, spread, tests] of [
      [0.05, 0.1, 1],
      [0.2, 0.1, 1],
      [0.05, 0.1, 12],
    ] as const) {
      const components = countNeededComponents(difference, spread, tests)
      const within = (size: number) =>
        computeDetectableDifference(
          { ...estimate, mean: 0.1, components: size, df: size - 1, variance: spread ** 2 / size },
          tests,
        ) ?? Number.POSITIVE_INFINITY
      expect(within(components)).toBeLessThanOrEqual(difference)
      expect(within(components - 1)).toBeGreaterThan(difference)
    }
  })
})

describe('holm', () => {
  it('multiplies the smallest p-value by the number of tests, the next by one less, and keeps the order', () => {
    expect(holm([0.04, 0.01, null, 0.03]).map(p => (p === null ? null : Number(p.toFixed(6))))).toEqual([
      0.06,
      0.03,
      null,
      0.06,
    ])
    expect(holm([0.6, 0.9])).toEqual([1, 1])
  })
})

describe('summarizeTrials', () => {
  const trial = (value: number) => ({ cluster: 't', value })
  it('returns mean, greatest and smallest value when exactly N trials were made', () => {
    const summary = summarizeTrials([trial(0.2), trial(0.4), trial(0.9)], 3)!
    expect(summary.average).toBeCloseTo(0.5, 12)
    expect(summary.maximum).toBeCloseTo(0.9, 12)
    expect(summary.minimum).toBeCloseTo(0.2, 12)
  })

  it('estimates Max@2 and Min@2 from three trials over all pairs', () => {
    const summary = summarizeTrials([trial(0.2), trial(0.4), trial(0.9)], 2)!
    expect(summary.maximum).toBeCloseTo((0.4 + 0.9 + 0.9) / 3, 12)
    expect(summary.minimum).toBeCloseTo((0.2 + 0.2 + 0.4) / 3, 12)
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

describe('the mean of strata', () => {
  it('counts a component that has tasks in several strata once, also when all values are 0', () => {
    const values = Array.from({ length: 8 }, (_, at) => ({
      ...{ cluster: `task ${at}`, component: `document ${at}`, value: 0 },
    }))
    const once = computeMeanInterval(values, [0, 1])!
    const strata = ['a', 'b', 'c', 'd'].map(name =>
      values.map(one => ({ ...one, cluster: `${one.cluster}, question ${name}` })),
    )
    expect(once.high).toBeCloseTo(0.3244, 4)
    expect(computeStrataInterval(strata, [0, 1])).toEqual(once)
  })
})
