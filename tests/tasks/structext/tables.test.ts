import { expect, it } from 'vitest'
import { compareRuns } from '../../../src/report/compare/comparison.ts'
import { makeTablesForPapers } from '../../../src/report/compare/render-comparison.ts'
import { writeTableCsv } from '../../../src/report/tables/table-formats.ts'
import { makeTextTable } from '../../../src/report/tables/text-table.ts'
import { formatMetricHead } from '../../../src/report/tables/value-text.ts'
import { listScorerMetrics } from '../../../tasks/scorers.ts'
import { structextTables } from '../../../tasks/structext/tables.ts'
import { makeAttempt, makeScore } from '../../report/records.ts'

const scorers = listScorerMetrics(['structext'])

/** Three languages with two tasks and two depths each. Only deep texts are answered wrongly. */
function records(languages: readonly string[], depths: readonly number[]) {
  const attempts = languages.flatMap(language =>
    ['Syntax', 'PathWalk'].flatMap(task =>
      depths.map(depth =>
        makeAttempt({
          ...{ task: `${language}-${task}-${depth}`, domain: language, setting: 'offline' },
          over: {
            benchmark: 'structext',
            facets: { language, task, depth: String(depth), width: '2', nodes: '7', characters: `${depth}` },
          },
        }),
      ),
    ),
  )
  const scores = attempts.map(attempt => {
    const value = attempt.facets!.depth === '1' ? 1 : 0
    const own = { kind: 'text', scorer: 'structext' } as const
    return makeScore(attempt, value, { ...own, metrics: { structextAccuracy: value } })
  })
  return { attempts, scores }
}

const compared = (languages: readonly string[], depths: readonly number[]) =>
  compareRuns(
    [
      {
        ...{ manifest: { runId: 'r', startedAt: null, endedAt: null, config: {} }, scorers },
        ...records(languages, depths),
      },
    ],
    { force: false, benchmarks: { structext: structextTables } },
  )

it('are by every facet with several values, also by one with fewer values than there are languages', () => {
  const { tables, facetCurves, correlations } = compared(['csv', 'json', 'tree'], [1, 2])
  expect(tables.map(({ id }) => id)).toEqual(['structext-language', 'structext-task', 'structext-depth'])
  const values = tables[2]!.rows[0]!.cells.map(({ domain, value }) => [domain, value])
  expect(values).toEqual([
    ['1', 100],
    ['2', 0],
    ['allByDomain', 50],
  ])
  expect(facetCurves.map(({ facet, points }) => [facet, points.map(({ mean }) => mean)])).toEqual([
    ['depth', [1, 0]],
    ['characters', [1, 0]],
  ])
  const rows = correlations.filter(({ value }) => value === 'csv')
  expect(rows[0]!.columns.map(({ head, rho }) => [head, rho])).toEqual([
    ['characters', -1],
    ['nodes', null],
  ])
})

it('are at least one, by language, when every facet has one value', () => {
  expect(compared(['csv'], [1]).tables.map(({ id }) => id)).toEqual(['structext-language', 'structext-task'])
})

it('name their columns by facet and value, and their metric by one name in heads, notes and CSV', () => {
  const comparison = compared(['csv', 'json', 'tree'], [1, 2])
  const byDepth = makeTablesForPapers(comparison).find(({ title }) => title.startsWith('Prompts by depth'))!
  const heads = makeTextTable(byDepth).columns.map(({ head }) => head.split('\n').join(' '))
  expect(heads).toContain('depth 1 n (groups)')
  expect(heads).toContainEqual(expect.stringMatching(/^depth 2 StrucText accuracy/))
  expect(byDepth.remarks.join(' ')).toContain('StrucText accuracy is')
  expect(comparison.tables[2]!.rows[0]!.cells[0]!.metric).toBe('structextAccuracy')
  expect(writeTableCsv(byDepth)).toContain('depth 2 StrucText accuracy')
})

it('keep the capital letters of a name in the heads of companion metrics', () => {
  const heads = scorers.structext!.metrics.map(formatMetricHead)
  expect(heads).toContain('StrucText ROUGE-L')
  expect(formatMetricHead({ ...scorers.structext!.metrics[1]!, label: 'Schema precision' })).toBe(
    'schema precision',
  )
})
