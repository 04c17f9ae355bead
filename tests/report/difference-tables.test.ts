import { describe, expect, it } from 'vitest'
import type { AttemptEnd } from '../../src/core/termination.ts'
import { buildReport } from '../../src/report/model/build-report.ts'
import { joinEntries } from '../../src/report/model/entries.ts'
import { computeNeededSizes } from '../../src/report/model/needed-sizes.ts'
import { makeDifferenceTables, makeSensitivityTables } from '../../src/report/tables/difference-tables.ts'
import { writeTableCsv } from '../../src/report/tables/table-formats.ts'
import { renderTables } from '../../src/report/tables/terminal.ts'
import { makeAttempt, makeScore, scorers } from './records.ts'

/** The scores of an arm by task; an end instead of a score is that of an unscored attempt. */
type Scores = readonly (number | AttemptEnd)[]

/** The report of one attempt for each task, arm and score. Lists of lists are trials. */
function reportOf(arms: Readonly<Record<string, Scores | readonly Scores[]>>, usd: number | null = null) {
  const made = Object.entries(arms).flatMap(([setting, scores]) => {
    const trials = (Array.isArray(scores[0]) ? scores : [scores]) as readonly Scores[]
    return trials.flatMap((own, trial) =>
      own.map((score, at) => {
        const end = typeof score === 'number' ? {} : { end: score }
        const attempt = makeAttempt({ task: `t${at}`, setting, trial, ...end })
        const priced = { ...attempt, usage: { ...attempt.usage, usd } }
        return { attempt: priced, score: makeScore(attempt, typeof score === 'number' ? score : 'provider') }
      }),
    )
  })
  const [attempts, scores] = [made.map(({ attempt }) => attempt), made.map(({ score }) => score)]
  const manifest = { runId: 'r', startedAt: null, endedAt: null, config: {} }
  const report = buildReport({ manifest, attempts, scores, scorers, benchmarks: {}, skippedTasks: [] })
  const row = report.differences.find(({ metric, domain }) => metric === 'cellF1' && domain === 'all')!
  return { report, row, entries: joinEntries(attempts, scores) }
}

const textOf = (tables: Parameters<typeof renderTables>[0]) =>
  renderTables(tables, { columns: 200 }).replace(/\s+/g, ' ')

const gains = [0.1, 0.2, 0.3, 0.25, 0.05, 0.4, 0.15, 0.35]
const base = gains.map(() => 0.3)
const steady = gains.map(gain => 0.3 + gain)

describe('tables of differences', () => {
  it('print the simultaneous interval beside the adjusted p, and keep the single ones in JSON and CSV', () => {
    const { report, row } = reportOf({ offline: base, rag: steady })
    // The expected ends are computed with scipy, for five tests.
    expect(row.tests).toBe(5)
    expect([row.simultaneousLow, row.simultaneousHigh].map(end => end?.toFixed(5))).toEqual([
      '0.06986',
      '0.36951',
    ])
    expect([row.low, row.high, row.pValue].map(end => end?.toFixed(5))).toEqual([
      '0.12068',
      '0.32440',
      '0.00781',
    ])
    expect(row.pValueHolm).toBeCloseTo(5 / 128, 12)
    const text = textOf(makeDifferenceTables(report))
    expect(text).toContain('+22.5 [+7.0, +37.0] 0.039 23.5')
    expect(text).toContain('Brackets and p Holm are for all 5 tests of this table together')
    expect(text).not.toContain('12.1')
    expect(writeTableCsv(makeDifferenceTables(report)[0]!)).toContain('difference alone low')
  })

  it('say so when no p can be small enough, and that no difference is detectable then', () => {
    const six = reportOf({ offline: base.slice(2), rag: steady.slice(2) })
    // 2 of 64 sign patterns, for five tests.
    expect(six.row).toMatchObject({ leastHolm: 5 / 32, detectable: null })
    const text = textOf(makeDifferenceTables(six.report))
    expect(text).toContain(
      'p Holm cannot reach 0.05, whatever the difference: with so few groups and 5 tests',
    )
    expect(text).toContain('it is at least 0.156')
    const eight = reportOf({ offline: base, rag: steady })
    expect(textOf(makeDifferenceTables(eight.report))).not.toContain('cannot reach')
  })

  it('have one family of tests each', () => {
    const arms = Object.fromEntries(['offline', 'rag', 'online'].map(name => [name, steady]))
    const { report } = reportOf(arms)
    for (const table of makeDifferenceTables(report, { allPairs: true, allMetrics: true })) {
      const tests = table.remarks.join(' ').match(/all (\d+) tests/)?.[1]
      const at = table.columns.findIndex(({ name }) => name === 'p')
      expect(Number(tests)).toBe(table.rows.filter(row => row[at] !== null).length)
    }
  })

  it('mark intervals that are too narrow, in print and in CSV', () => {
    const high = [1, 1, 1, 0.95, 1, 1, 1, 1]
    const { report, row } = reportOf({ offline: high.map(() => 0.88), rag: high })
    expect(row.unseenShare).toBeCloseTo(0.369417, 6)
    const [table] = makeDifferenceTables(report)
    expect(textOf([table!])).toMatch(/\+11\.4 \[[^\]]*\]\* /)
    expect(textOf([table!])).toContain('* Interval too narrow for such scores')
    expect(textOf([table!])).toContain('Up to 37% of all such groups')
    expect(writeTableCsv(table!)).toContain('groups possibly unseen')
    expect(
      report.groups.find(({ setting, domain }) => setting === 'rag' && domain === 'all')?.metrics.cellF1,
    ).toHaveProperty('unseenShare')
    const even = reportOf({ offline: steady.map(() => 0.5), rag: steady })
    expect(textOf(makeDifferenceTables(even.report))).not.toContain('*')
  })
})

describe('what differences depend on', () => {
  const limited: AttemptEnd = { cause: 'provider', reason: 'rate-limited' }
  const filtered: AttemptEnd = { cause: 'provider', reason: 'content-filter' }

  it('is the range without one group, and with the unscored attempts at both extremes', () => {
    const { report, row } = reportOf({
      offline: [0.5, 0.5, 0.5, 0.5, limited],
      rag: [0.7, 0.7, 0.7, filtered, 0.9],
    })
    expect(row.mean).toBeCloseTo(0.2, 12)
    expect(row.withoutOneGroup?.least).toBeCloseTo(0.2, 12)
    expect(row.unscored).toMatchObject({ from: 1, to: 1, filteredFrom: 0, filteredTo: 1 })
    // Three tasks at +0.2; t3 between -0.5 and +0.5; t4 between 0.9 - 1 and 0.9.
    expect(row.unscored?.extremes?.least).toBeCloseTo((0.6 - 0.5 - 0.1) / 5, 12)
    expect(row.unscored?.extremes?.most).toBeCloseTo((0.6 + 0.5 + 0.9) / 5, 12)
    expect(textOf(makeSensitivityTables(report))).toContain(
      'offline rag +20.0 +20.0 to +20.0 1 1 1 0.0 to +40.0',
    )
  })

  it('leaves out the columns of unscored attempts when there are none', () => {
    const { report, row } = reportOf({ offline: [0, 0, 0, 0, 0], rag: [0.1, 0.1, 0.1, 0.1, 0.6] })
    expect(row.withoutOneGroup).toEqual({ least: expect.closeTo(0.1, 12), most: expect.closeTo(0.225, 12) })
    const text = textOf(makeSensitivityTables(report))
    expect(text).toContain('+20.0 +10.0 to +22.5')
    expect(text).not.toContain('unscored')
  })
})

describe('the size that a pilot says a run needs', () => {
  it('grows with the spread and the number of tests, and costs as much as the pilot for each attempt', () => {
    const { report, entries } = reportOf({ offline: base, rag: steady }, 0.5)
    const [size, ...others] = computeNeededSizes(report, entries, 0.1)
    expect(others).toEqual([])
    // The standard deviation of the differences, with numpy.
    expect(size?.spread).toBeCloseTo(0.122474, 5)
    expect(size).toMatchObject({ trials: 1, tasks: size?.groups, attempts: 2 * size!.groups })
    expect(size?.usd).toBeCloseTo(size!.groups, 12)
    const [half] = computeNeededSizes(report, entries, 0.05)
    expect(half!.groups).toBeGreaterThan(3 * size!.groups)
  })

  it('says what more trials gain when the pilot has several', () => {
    const noisy = [steady, steady.map(score => score + 0.2)]
    const { report, entries } = reportOf({ offline: [base, base], rag: noisy })
    const sizes = computeNeededSizes(report, entries, 0.05)
    expect(sizes.map(({ trials }) => trials)).toEqual([1, 2, 4])
    // Between tasks 0.015, of which the noise of two trials is 0.02 / 2; with one trial 0.02 is added to the rest.
    expect(sizes.map(({ spread }) => spread ** 2).map(value => value.toFixed(4))).toEqual([
      '0.0250',
      '0.0150',
      '0.0100',
    ])
    expect(sizes[2]!.groups).toBeLessThan(sizes[0]!.groups)
  })

  it('is unknown for pilots over few groups, and without any spread', () => {
    const few = reportOf({ offline: [0, 0, 0, 0], rag: [0.1, 0.2, 0.3, 0.4] })
    expect(computeNeededSizes(few.report, few.entries, 0.1)).toEqual([])
    const equal = reportOf({ offline: [0, 0, 0, 0, 0], rag: [0.1, 0.1, 0.1, 0.1, 0.1] })
    expect(computeNeededSizes(equal.report, equal.entries, 0.1)).toEqual([])
  })
})
