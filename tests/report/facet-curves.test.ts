import { describe, expect, it } from 'vitest'
import { optionsText } from '../../src/core/arm.ts'
import type { BenchmarkTables } from '../../src/core/table-layout.ts'
import { compareRuns } from '../../src/report/compare/comparison.ts'
import { writeComparisonFiles } from '../../src/report/compare/render-comparison.ts'
import { makeFacetFigures } from '../../src/report/figures/curve-figures.ts'
import { writeFigureCsv } from '../../src/report/figures/figure-csv.ts'
import { buildReport } from '../../src/report/model/build-report.ts'
import { makeCorrelationTables } from '../../src/report/tables/layout-tables.ts'
import { makeTextTable } from '../../src/report/tables/text-table.ts'
import { makeAttempt, makeScore, scorers } from './records.ts'

const tables: BenchmarkTables = {
  layouts: [
    { kind: 'facet-curve', id: 'depth', by: 'depth', name: 'depth', source: 'A paper, Figure 4' },
    { kind: 'facet-curve', id: 'size', by: 'size', name: 'words of the text', source: 'A paper, Figure 5' },
    {
      ...{ kind: 'correlations', id: 'by-language', title: 'Correlation', source: 'A paper', by: 'form' },
      columns: [{ head: 'words', facet: 'size' }],
    },
  ],
}
const manifest = { runId: 'r', startedAt: null, endedAt: null, config: {} }

interface MadeTask {
  readonly task: string
  readonly facets: Readonly<Record<string, string>>
  /** One for each trial. Null: unscored. */
  readonly values: readonly (number | null)[]
}

function recordsOf(tasks: readonly MadeTask[], variant = '') {
  const made = tasks.flatMap(({ task, facets, values }) =>
    values.map((value, trial) => {
      const attempt = makeAttempt({ task, setting: 'offline', variant, trial, over: { facets } })
      return { attempt, score: makeScore(attempt, value ?? 'provider') }
    }),
  )
  return { attempts: made.map(({ attempt }) => attempt), scores: made.map(({ score }) => score) }
}

const reportOf = (...records: readonly ReturnType<typeof recordsOf>[]) =>
  buildReport({
    ...{ manifest, scorers, skippedTasks: [], benchmarks: { aoe: tables } },
    attempts: records.flatMap(({ attempts }) => attempts),
    scores: records.flatMap(({ scores }) => scores),
  })

/** Six tasks of depth 1 and 10. One of them has two trials, one is unscored. */
const byDepth: readonly MadeTask[] = [
  { task: 'a', facets: { depth: '1', form: 'csv', size: '3' }, values: [1, 0] },
  { task: 'b', facets: { depth: '1', form: 'csv', size: '5' }, values: [1] },
  { task: 'c', facets: { depth: '1', form: 'tree', size: '7' }, values: [null] },
  { task: 'd', facets: { depth: '10', form: 'tree', size: '9' }, values: [0] },
  { task: 'e', facets: { depth: '10', form: 'tree', size: '11' }, values: [0.5] },
  { task: 'f', facets: { depth: 'deep', form: 'tree' }, values: [1] },
]

describe('a score by a facet with numbers', () => {
  it('has a point for each value, over the tasks with a number, with the trials of a task averaged first', () => {
    const [curve] = reportOf(recordsOf(byDepth)).facetCurves
    expect(curve!.points).toMatchObject([
      { x: 1, from: 1, to: 1, mean: 0.75, n: 3, unscored: 1, components: 2 },
      { x: 10, from: 10, to: 10, mean: 0.25, n: 2, unscored: 0, components: 2 },
    ])
  })

  it('has an interval from five groups of tasks on', () => {
    const tasks = Array.from({ length: 10 }, (_, at): MadeTask => {
      return { task: `t${at}`, facets: { depth: at < 5 ? '1' : '2' }, values: [at % 2] }
    })
    const [curve] = reportOf(recordsOf(tasks)).facetCurves
    for (const { mean, low, high } of curve!.points) {
      expect(low).toBeLessThan(mean)
      expect(high).toBeGreaterThan(mean)
    }
  })

  it('groups many values into bins with about the same number of tasks, and equal values into one', () => {
    const sizes = [...Array.from({ length: 40 }, (_, at) => at + 1), ...Array.from({ length: 10 }, () => 7)]
    const tasks = sizes.map((size, at): MadeTask => {
      return { task: `t${at}`, facets: { size: String(size) }, values: [size > 20 ? 0 : 1] }
    })
    const { points } = reportOf(recordsOf(tasks)).facetCurves[0]!
    expect(points.reduce((sum, { n }) => sum + n, 0)).toBe(50)
    expect(points.filter(({ from, to }) => from <= 7 && 7 <= to)).toHaveLength(1)
    for (const [at, { x, from, to }] of points.entries()) {
      expect(x).toBeGreaterThanOrEqual(from)
      expect(x).toBeLessThanOrEqual(to)
      if (at > 0) expect(from).toBeGreaterThan(points[at - 1]!.to)
    }
    expect(points.at(-1)!.mean).toBe(0)
  })

  it('is missing when the facet has one value, or the benchmark declares none', () => {
    const flat = byDepth.map(task => ({ ...task, facets: { depth: '1' } }))
    expect(reportOf(recordsOf(flat)).facetCurves).toEqual([])
    expect(buildReport({ manifest, scorers, skippedTasks: [], ...recordsOf(byDepth) }).facetCurves).toEqual(
      [],
    )
  })

  it('is a figure with a place for each value, its counts, and data as CSV', () => {
    const [figure] = makeFacetFigures(reportOf(recordsOf(byDepth)))
    if (figure?.kind !== 'lines') throw new Error('no figure by depth')
    expect(figure.title).toBe('Cell F1 by depth (scorer aoe, judge rules)')
    expect(figure.caption).toContain('A paper, Figure 4')
    expect(figure.places).toEqual([
      { x: 1, label: '1\nn = 3' },
      { x: 10, label: '10\nn = 2' },
    ])
    expect(writeFigureCsv(figure).split('\n').slice(0, 2)).toEqual([
      'domain,series,depth,cellF1,low,high,from,to,n,unscored,components',
      'all tasks,offline,1,0.75,,,1,1,3,1,2',
    ])
  })

  it('has the series of all arms, also of arms that differ only in an option', () => {
    const prompts = [recordsOf(byDepth), recordsOf(byDepth, 'prompts=mine')]
    const [figure] = makeFacetFigures(reportOf(...prompts))
    expect(figure!.series?.map(({ name }) => name)).toEqual(['offline', 'offline prompts=mine'])
  })
})

describe("the rank correlation of a score with a facet's numbers", () => {
  const ranked = [
    ...[4, 3, 2, 1].map((value, at): MadeTask => {
      return { task: `a${at}`, facets: { form: 'csv', size: String(10 ** at) }, values: [value / 4] }
    }),
    { task: 'b', facets: { form: 'tree', size: '1' }, values: [1] },
    { task: 'c', facets: { form: 'tree', size: '2' }, values: [1, null] },
    { task: 'd', facets: { form: 'tree', size: 'unknown' }, values: [0] },
  ]

  it('is computed over the tasks of each value and over all, and unknown for equal scores', () => {
    const rows = reportOf(recordsOf(ranked)).correlations
    expect(rows.map(({ value, n, columns }) => [value, n, columns[0]!.rho])).toMatchObject([
      ['csv', 4, -1],
      ['tree', 2, null],
      // Ranks of sizes 1.5, 4, 5, 6, 1.5, 3 and of values 5, 3, 2, 1, 5, 5: -15.5 / sqrt(17 x 15.5).
      ['all', 6, expect.closeTo(-15.5 / Math.sqrt(17 * 15.5), 12)],
    ])
  })

  it('is a table with a row for each value', () => {
    const [table] = makeCorrelationTables(reportOf(recordsOf(ranked)))
    const { columns, rows } = makeTextTable(table!)
    expect(columns.map(({ head }) => head)).toEqual(['form', 'setting', 'n', 'words'])
    expect(rows).toEqual([
      ['csv', 'offline', '4', '-1.00'],
      ['tree', 'offline', '2', '–'],
      ['all tasks', 'offline', '6', '-0.95'],
    ])
  })
})

it('is the same in the page over several runs as in the comparison, and in its CSV files', () => {
  const runs = ['one', 'two'].map((name, at) => ({
    ...{ name, scorers, manifest: { ...manifest, runId: name } },
    ...recordsOf(byDepth, at === 0 ? '' : 'prompts=mine'),
  }))
  const comparison = compareRuns(runs, { force: false, benchmarks: { aoe: tables } })
  expect(comparison.facetCurves.map(({ id, options }) => [id, optionsText(options)])).toEqual([
    ['depth', ''],
    ['depth', 'prompts=mine'],
    ['size', ''],
    ['size', 'prompts=mine'],
  ])
  const files = new Map(writeComparisonFiles(comparison, 'csv'))
  expect(files.get('curves.csv')!.split('\n').slice(0, 2)).toEqual([
    'setting,model,facet,metric,value,from,to,mean,n,unscored,groups,scoring',
    'offline,extractive,depth,Cell F1,1,1,1,0.75,3,1,2,"scorer aoe, judge rules"',
  ])
  expect(files.get('correlations.csv')!.split('\n')[0]).toBe('form,model,setting,n,words')
})
