import { describe, expect, it } from 'vitest'
import { renderComparison } from '../../src/report/compare/render-comparison.ts'
import { compareRuns } from './compare-runs.ts'
import { makeAttempt, makeScore, scorers } from './records.ts'

const tasks = ['financial_a_4_en', 'financial_b_4_en']

/** A comparison of one run with attempts in these variants of the online setting, and its difference pairs. */
function compareVariants(...variants: readonly string[]) {
  const attempts = variants.flatMap(variant =>
    tasks.map(task => makeAttempt({ task, domain: 'financial', setting: 'online', variant })),
  )
  const scores = attempts.map((attempt, at) => makeScore(attempt, at / 10))
  const manifest = { runId: 'r', startedAt: null, endedAt: null, config: { web: 'sealed' } }
  const comparison = compareRuns([{ manifest, attempts, scores, scorers }], { force: false })
  const rows = comparison.differences.filter(({ metric, domain }) => metric === 'cellF1' && domain === 'all')
  const pairs = rows.map(({ from, to, againstFirst }) => `${from} > ${to}${againstFirst ? '' : ' (more)'}`)
  return { comparison, pairs }
}

describe('variants of one setting', () => {
  it('are compared with the default of any option', () => {
    expect(compareVariants('', 'temperature=0.5', 'temperature=1').pairs).toEqual([
      'online > online [temperature=0.5]',
      'online > online [temperature=1]',
    ])
  })

  it('are compared with the first one when none has the default', () => {
    expect(compareVariants('retriever=aoe', 'retriever=bm25', 'retriever=dense').pairs).toEqual([
      'online [retriever=aoe] > online [retriever=bm25]',
      'online [retriever=aoe] > online [retriever=dense]',
    ])
  })

  it('have all pairs of agents in the data, and those with the first one in the printed tables', () => {
    const { comparison, pairs } = compareVariants('', 'agent=a', 'agent=b')
    expect(pairs).toEqual([
      'online > online [agent=a]',
      'online > online [agent=b]',
      'online [agent=a] > online [agent=b] (more)',
    ])
    const lines = (full: boolean) =>
      renderComparison(comparison, { columns: 200, full })
        .split('\n')
        .filter(line => /^online \[agent=a\] +online \[agent=b\] /.test(line)).length
    expect([lines(false), lines(true) > 0]).toEqual([0, true])
    expect(renderComparison(comparison, { columns: 200 })).toContain('--json contains all pairs')
  })

  it('are not compared when they differ in more than one option', () => {
    expect(compareVariants('agent=a', 'temperature=1').pairs).toEqual([])
  })
})
