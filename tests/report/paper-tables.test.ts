import { describe, expect, it } from 'vitest'
import type { ArmsLayout, BenchmarkTables } from '../../src/core/table-layout.ts'
import { compareRuns } from '../../src/report/compare/comparison.ts'
import { renderComparison } from '../../src/report/compare/render-comparison.ts'
import { makeAttempt, makeScore, scorers } from './records.ts'

const layout = (id: string, over: Partial<ArmsLayout> = {}): ArmsLayout => ({
  ...{ kind: 'arms', id, title: id, source: '', rows: { kind: 'arms' } },
  columns: ['cellF1'],
  ...over,
})

/** Compares attempts in two domains, whose facet `form` is the domain and whose facet `size` is always the same. */
function compare(tables: BenchmarkTables) {
  const attempts = ['html', 'text'].map(domain =>
    makeAttempt({ task: domain, domain, setting: 'offline', over: { facets: { form: domain, size: 's' } } }),
  )
  const scores = attempts.map((attempt, at) => makeScore(attempt, at / 2))
  const manifest = { runId: 'r', startedAt: null, endedAt: null, config: {} }
  return compareRuns([{ manifest, attempts, scores, scorers }], { force: false, benchmarks: { aoe: tables } })
}

const idsOf = (layouts: readonly ArmsLayout[]): string[] => compare({ layouts }).tables.map(({ id }) => id)

describe('the tables of a paper by a facet of their own', () => {
  it('are shown when no table is by the facet of the comparison, also if they have the same values', () => {
    expect(idsOf([layout('forms', { by: 'form' })])).toEqual(['forms'])
    expect(idsOf([layout('forms', { by: 'form' }), layout('sizes', { by: 'size' })])).toEqual(['forms'])
  })

  it('are left out beside a table by the facet of the comparison that divides the attempts as far', () => {
    expect(idsOf([layout('domains'), layout('forms', { by: 'form' })])).toEqual(['domains'])
  })

  it('have no block with the mean when the metrics have other ranges in each', () => {
    const { tables } = compare({ layouts: [layout('forms', { by: 'form', withoutMean: true })] })
    expect(tables[0]?.rows[0]?.cells.map(({ domain }) => domain)).toEqual(['html', 'text'])
    expect(tables[0]?.rows[0]?.n).toBe(2)
  })

  it('explain an interval or a mean only when they have one', () => {
    const printed = (over: Partial<ArmsLayout>): string =>
      renderComparison(compare({ layouts: [layout('forms', { by: 'form', ...over })] }), { columns: 200 })
    expect(printed({ withoutMean: true })).toContain('Means over scored attempts, in percent.\n')
    expect(printed({})).toContain('Means over scored attempts, in percent. mean: over the forms.\n')
  })
})
