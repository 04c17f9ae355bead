import { describe, expect, it } from 'vitest'
import type { MetricDefinition } from '../../src/core/metric.ts'
import type { Score } from '../../src/core/score.ts'
import type { RadarLayout } from '../../src/core/table-layout.ts'
import { makeRadarFigures } from '../../src/report/figures/figures.ts'
import { buildReport } from '../../src/report/model/build-report.ts'
import type { Report } from '../../src/report/model/report.ts'
import { makeRadarReportTables } from '../../src/report/tables/layout-tables.ts'
import { writeTableCsv } from '../../src/report/tables/table-formats.ts'
import { makeTextTable } from '../../src/report/tables/text-table.ts'
import { listScorerMetrics } from '../../tasks/scorers.ts'
import { strucBenchTables } from '../../tasks/struc-bench/tables.ts'
import { makeAttempt, makeScore } from './records.ts'

const rating = (key: string, range: MetricDefinition['range'] = [0, 10]): MetricDefinition => ({
  ...{ key, label: `The ${key}`, unit: 'points', better: 'higher', primary: false },
  ...{ role: 'companion', description: key, range },
})
const layout: RadarLayout = {
  ...{ kind: 'radar', id: 'map', title: 'Map', source: 'A paper', remark: 'Rated by a judge.' },
  ...{ scorers: ['ratings'], axes: ['depth', 'width', 'height'] },
}

/** A list of ratings for each task. Null: the attempt has no score. */
type Ratings = readonly (Readonly<Record<string, number | null>> | null)[]

function reportOf(
  arms: Readonly<Record<string, Ratings>>,
  metrics: readonly MetricDefinition[] = layout.axes.map(key => rating(key)),
): Report {
  const made = Object.entries(arms).flatMap(([variant, ratings]) =>
    ratings.map((metrics, at) => {
      const attempt = makeAttempt({ task: `task-${at}`, setting: 'offline', variant })
      const over = { scorer: 'ratings', judge: 'j', metrics } as Partial<Score>
      return { attempt, score: makeScore(attempt, metrics === null ? 'judge' : 1, over) }
    }),
  )
  return buildReport({
    manifest: { runId: 'r', startedAt: null, endedAt: null, config: {} },
    scorers: {
      ratings: { kind: 'text', metrics: [{ ...rating('depth'), primary: true }, ...metrics.slice(1)] },
    },
    ...{ attempts: made.map(one => one.attempt), scores: made.map(one => one.score), skippedTasks: [] },
    benchmarks: { aoe: { layouts: [layout] } },
  })
}

const five = [2, 4, 6, 8, 10].map(depth => ({ depth, width: 10 - depth, height: 5 }))

describe('a radar table', () => {
  it('has the mean of each metric with its interval, and the number of attempts and groups', () => {
    const [table] = reportOf({ '': five }).radarTables
    expect(table).toMatchObject({ id: 'map', scorer: 'ratings', judge: 'j', range: [0, 10] })
    const [depth, width] = table!.rows[0]!.cells
    expect(depth).toMatchObject({ mean: 6, n: 5, components: 5 })
    expect(width).toMatchObject({ mean: 4, n: 5, components: 5 })
    expect(depth!.low).toBeGreaterThan(2)
    expect(depth!.low).toBeLessThan(6)
    expect(depth!.high).toBeGreaterThan(6)
    expect(depth!.high).toBeLessThanOrEqual(10)
    // The scale is the same in both directions.
    expect(width!.low).toBeCloseTo(10 - depth!.high!, 12)
  })

  it('has the same means as the groups of the report', () => {
    const { radarTables, groups } = reportOf({ '': five })
    const all = groups.find(({ domain }) => domain === 'all')!
    expect(radarTables[0]!.rows[0]!.cells.map(({ mean }) => mean)).toEqual(
      layout.axes.map(key => all.metrics[key]!.mean),
    )
  })

  it('prints a row for each arm, a dash where a metric has no value, and n where it differs', () => {
    const some = five.map((ratings, at) => ({ ...ratings, width: at < 2 ? 3 : null, height: null }))
    const [typed] = makeRadarReportTables(reportOf({ '': five, 'prompts=b': [...some, null] }))
    const table = makeTextTable(typed!)
    expect(table.title).toBe('Map, scorer ratings, judge j, model extractive')
    expect(table.columns.map(({ head }) => head.replace('\n', ' '))).toEqual([
      ...['setting', 'unscored', 'n (groups)', 'The depth', 'The width', 'The height'],
    ])
    const [whole, partial] = table.rows
    expect(whole?.slice(0, 3)).toEqual(['offline', '0', '5 (5)'])
    expect(whole?.[3]).toMatch(/^6\.0 \[\d\.\d, \d\.\d\]$/)
    expect(partial?.slice(0, 3)).toEqual(['offline [prompts=b]', '1', '5 (5)'])
    expect(partial?.slice(4)).toEqual(['3.0 n=2', '–'])
    expect(table.remarks.at(-1)).toBe('Rated by a judge.')
  })

  it('has a line for each arm in CSV, with the intervals in full precision', () => {
    const [table] = makeRadarReportTables(
      reportOf({ '': five, 'prompts=b': five.map(one => ({ ...one, height: null })) }),
    )
    const lines = writeTableCsv(table!).trimEnd().split('\n')
    const axes = ['The depth', 'The width', 'The height'].flatMap(axis => [
      ...[axis, `${axis} low`, `${axis} high`],
    ])
    expect(lines[0]).toBe(['setting', 'model', 'n', 'n groups', ...axes].join(','))
    expect(lines).toHaveLength(3)
    expect(lines[2]).toMatch(/^offline \[prompts=b\],extractive,5,5,6,.*,,,$/)
  })

  it('is left out when no attempt has a score by its scorers', () => {
    expect(reportOf({ '': [null, null] }).radarTables).toEqual([])
  })
})

describe('a radar chart of a report', () => {
  it('has a mark for each arm and axis, null where there is no value, and says who rated', () => {
    const [figure] = makeRadarFigures(
      reportOf({ '': five, 'prompts=b': five.map(one => ({ ...one, width: null })) }),
    )
    if (figure?.kind !== 'radar') throw new Error('no radar chart')
    expect(figure.axes).toEqual(['The depth', 'The width', 'The height'])
    expect(figure.marks.map(({ value }) => value)).toEqual([6, 4, 5, 6, null, 5])
    expect(figure.caption).toMatch(/^Rated by a judge\./)
    expect(figure.caption).toContain('An axis without a value')
    expect(figure.series?.map(({ name }) => name)).toEqual(['offline', 'offline prompts=b'])
  })

  it('is left out when the metrics have different bounds, while the table stays', () => {
    const report = reportOf({ '': five }, [rating('depth'), rating('width', [0, 1]), rating('height')])
    expect(report.radarTables).toHaveLength(1)
    expect(makeRadarFigures(report)).toEqual([])
  })
})

it("has Struc-Bench's five abilities in the order of the scorer", () => {
  const { metrics } = listScorerMetrics(['struc-bench-abilities'])['struc-bench-abilities']!
  const [figure] = strucBenchTables.layouts.filter(({ kind }) => kind === 'radar') as RadarLayout[]
  expect(figure?.axes).toEqual(metrics.filter(({ primary }) => !primary).map(({ key }) => key))
})
