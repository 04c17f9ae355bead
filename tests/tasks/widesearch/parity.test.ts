import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { scoreTextBatch } from '../../../src/run/score-files/score-text-batch.ts'
import { noJudge } from '../../../src/score/contract/judge.ts'
import { summarizeTrials } from '../../../src/score/statistics/trials.ts'
import { packageRoot } from '../../../src/system/paths.ts'
import { readDate } from '../../../tasks/widesearch/dates.ts'
import { compareByRule, preprocessValue } from '../../../tasks/widesearch/metrics.ts'
import { PythonFailure } from '../../../tasks/widesearch/python-failure.ts'

const file = join(packageRoot, 'tests/fixtures/parity/widesearch/widesearch_dev.json')
const reference = JSON.parse(readFileSync(file, 'utf8')) as {
  cases: { id: string; expected: Record<string, unknown> & { error?: string } }[]
  units: {
    preprocess?: string
    metric?: string
    text: string
    response: string
    target: string
    criterion?: number
    now?: string
    gives?: unknown
    score?: unknown
  }[]
  dates: { text: string; now: string; norm_date: string }[]
  aggregates: {
    trials: number
    results: Record<string, Record<string, number>[]>
    summary: Record<string, { avg_n: number; max_n: number; min_n: number }> | { error: string }
  }[]
}
const noon = '2025-08-12T12:00:00Z'

describe("scorer widesearch compared with WideSearch's published code", () => {
  it('gives the published figures for every reference case on made-up tables', async () => {
    const lines: { id: string; metrics: object; error: string | null }[] = []
    for await (const line of scoreTextBatch(file, { scorers: ['widesearch'], judge: noJudge }))
      lines.push(JSON.parse(line))
    expect(lines).toHaveLength(reference.cases.length)
    for (const [i, { id, expected }] of reference.cases.entries()) {
      expect(lines[i]).toMatchObject({ id, error: expected.error ?? null })
      expect(lines[i]!.metrics, id).toEqual(expected)
    }
  })

  it('gives the published value for every preprocessor and metric', () => {
    for (const unit of reference.units) {
      const nowMs = Date.parse(unit.now ?? noon)
      const value = orException(() =>
        unit.preprocess === undefined
          ? compareByRule(unit.metric!, { ...unit, criterion: unit.criterion ?? null, nowMs })
          : preprocessValue(unit.preprocess, unit.text, nowMs),
      )
      expect(value, JSON.stringify(unit)).toEqual(unit.gives ?? unit.score)
    }
  })

  it('reads every recorded date as dateparser does', () => {
    const different = reference.dates.filter(
      ({ text, now, norm_date }) => (readDate(text, Date.parse(now))?.text ?? text) !== norm_date,
    )
    expect(different, `${different.length} of ${reference.dates.length} dates differ`).toEqual([])
  })

  it('gives the published avg_n, max_n and min_n of several trials', () => {
    for (const { trials, results, summary } of reference.aggregates) {
      // The published code raises for a task with fewer trials; reports leave that task out and count the tasks.
      if ('error' in summary) continue
      for (const [figure, { avg_n, max_n, min_n }] of Object.entries(summary)) {
        const outcomes = Object.entries(results).flatMap(([cluster, own]) =>
          own.map(figures => ({ cluster, value: figures[figure]! })),
        )
        const { average, maximum, minimum, tasks } = summarizeTrials(outcomes, trials)!
        expect(tasks).toBe(Object.keys(results).length)
        expect(average).toBeCloseTo(avg_n, 9)
        expect(maximum).toBeCloseTo(max_n, 9)
        expect(minimum).toBeCloseTo(min_n, 9)
      }
    }
  })
})

function orException(compute: () => unknown): unknown {
  try {
    return compute()
  } catch (error) {
    if (error instanceof PythonFailure) return { error: error.exception }
    throw error
  }
}
