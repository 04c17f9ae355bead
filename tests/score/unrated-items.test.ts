import { describe, expect, it } from 'vitest'
import { parseThreshold } from '../../src/core/metric.ts'
import type { Score } from '../../src/core/score.ts'
import { createTextIndexes } from '../../src/evidence/text-index.ts'
import { type HandMadeGold, score } from '../../src/index.ts'
import { buildReport } from '../../src/report/model/build-report.ts'
import { listThresholdLines } from '../../src/report/model/thresholds.ts'
import { makeWaterfallTables } from '../../src/report/tables/loss-tables.ts'
import { withLossClass } from '../../src/run/attempt/loss-class.ts'
import { boundHallucinations, boundUnratedMetrics } from '../../src/score/unrated-bounds.ts'
import { makeAttempt, makeCell, makeScore, scorers } from '../report/records.ts'

const gold: HandMadeGold = {
  ...{ kind: 'table', keyColumns: ['hotel'], targetColumns: ['style', 'owner', 'story', 'beds'] },
  numericColumns: ['beds'],
  rows: [
    { hotel: 'Alder', style: 'a modern house', owner: 'the city', story: 'built after the flood', beds: 12 },
    { hotel: 'Birch', style: 'a rustic inn', owner: 'a family', story: 'once a mill', beds: 8 },
  ],
}
const answer = `\`\`\`csv
hotel,style,owner,story,beds
Alder,ugly barn,a bank,never built,12
Birch,a rustic inn,a family,once a mill,8
\`\`\``
const silent = async (): Promise<string> => 'I would rather not say'

describe('a score of which a judge did not rate every item', () => {
  it('bounds each metric that these items could move', async () => {
    const scored = await score(answer, { question: 'q', gold }, { scorer: 'strict', judge: silent })
    expect(scored.metrics.cellF1).toBe(1)
    expect(scored.bounds).toMatchObject({
      cellF1: { low: 5 / 8, high: 1 },
      cellRecall: { low: 5 / 8, high: 1 },
      rowF1: { low: 1, high: 1 },
      success: { low: 0, high: 1 },
      hallucinationRate: { low: 0, high: 3 / 8 },
    })
  })

  it('has no success when a rated item is wrong', async () => {
    const wrong = answer.replace(',12', ',13')
    const scored = await score(wrong, { question: 'q', gold }, { scorer: 'strict', judge: silent })
    expect(scored.bounds).toMatchObject({ cellF1: { low: 4 / 8, high: 7 / 8 }, success: { low: 0, high: 0 } })
  })

  it('counts a row that the judge could not match as matched and as not', async () => {
    const renamed = answer.replace('Birch', 'The house of birches')
    const scored = await score(renamed, { question: 'q', gold }, { scorer: 'strict', judge: silent })
    expect(scored.bounds?.rowF1).toEqual({ low: 0.5, high: 1 })
    expect(scored.bounds?.cellF1).toEqual({ low: 1 / 8, high: 1 })
  })

  it('has no bounds when every item is rated', async () => {
    const scored = await score(answer, { question: 'q', gold }, { scorer: 'strict' })
    expect(scored).not.toHaveProperty('bounds')
  })

  it('follows from the share of such items for a scorer without bounds of its own', () => {
    const item = { id: '0', gold: 'a', predicted: 'a', rule: 'r', class: null }
    const share = { ...({ key: 'm', label: 'm', unit: 'share', better: 'higher', primary: true } as const) }
    const bounds = boundUnratedMetrics(
      {
        ...{ status: 'scored', answered: true, metrics: { m: 0.5 }, explanation: [], counts: {} },
        judgeUsage: { calls: 0, callsSaved: 0, inputTokens: 0, outputTokens: 0, usd: 0 },
        items: [
          { ...item, score: 1 },
          { ...item, id: '1', score: 0 },
          { ...item, id: '2', score: null },
          { ...item, id: '3', score: null },
        ],
      },
      [{ ...share, role: 'score', description: '', range: [0, 1] }],
    )
    expect(bounds?.m).toEqual({ low: 0.25, high: 0.75 })
    expect(bounds?.success).toEqual({ low: 0, high: 0 })
  })
})

describe('the bounds of the hallucination rate', () => {
  const value = { gold: '5', predicted: '5', score: 1, class: 'correct' as const }
  const items = [
    value,
    { ...value, predicted: '6', score: 0, class: 'wrong' as const },
    { ...value, predicted: '7', score: null, class: null },
  ]

  it('leave out values for a blank gold that the documents contain, as the rate does', () => {
    const blank = { ...value, gold: '', predicted: '8', score: 0 }
    const bounds = { low: 1 / 3, high: 2 / 3 }
    expect(boundHallucinations(items)).toEqual({ hallucinationRate: bounds })
    expect(boundHallucinations([...items, { ...blank, class: 'gold-blank' }])).toEqual({
      hallucinationRate: bounds,
    })
    expect(boundHallucinations([...items, { ...blank, class: 'invented' }])).toEqual({
      hallucinationRate: { low: 2 / 4, high: 3 / 4 },
    })
    expect(boundHallucinations([{ ...blank, class: 'gold-blank' }])).toEqual({})
  })

  it('are computed again when the classes are known', () => {
    const attempt = makeAttempt({ task: 'a', setting: 'closed-book' })
    const before = makeScore(attempt, 0.5, {
      cells: [makeCell(), makeCell({ score: null, class: null, predicted: '7' })],
      bounds: { hallucinationRate: { low: 0.9, high: 0.9 }, cellF1: { low: 0.5, high: 1 } },
    })
    const { bounds } = withLossClass(before, {
      attempt,
      evidence: null,
      seenDocuments: null,
      indexes: createTextIndexes(),
    })
    expect(bounds).toEqual({ hallucinationRate: { low: 0, high: 0.5 }, cellF1: { low: 0.5, high: 1 } })
  })
})

describe('a report of such scores', () => {
  const manifest = { runId: 'r1', startedAt: null, endedAt: null, config: {} }
  const reportOf = (scoresOf: (attempt: ReturnType<typeof makeAttempt>) => Score[]) => {
    const attempts = ['a', 'b'].map(task => makeAttempt({ task, setting: 'offline' }))
    const scores = attempts.flatMap(scoresOf)
    return buildReport({ manifest, scorers, attempts, scores, skippedTasks: [] })
  }
  const unrated = {
    cells: [makeCell(), makeCell({ score: null }), makeCell({ score: null }), makeCell({ score: null })],
    bounds: { cellF1: { low: 0.25, high: 1 } },
  }

  it('says that losses are without them', () => {
    const remarksOf = (more: Partial<Score>) =>
      makeWaterfallTables(reportOf(attempt => [makeScore(attempt, 1, more)])).flatMap(
        ({ remarks }) => remarks,
      )
    const remark = 'Without the cells that the judge did not rate.'
    expect(remarksOf(unrated as never)).toContain(remark)
    expect(remarksOf({})).not.toContain(remark)
  })

  it('counts the items, and bounds the mean', () => {
    const report = reportOf(attempt => [makeScore(attempt, 1, attempt.taskId === 'a' ? unrated : {})])
    const group = report.groups.find(({ domain }) => domain === 'all')
    expect(group).toMatchObject({ scored: 2, unscored: 0, items: 4, unratedItems: 3 })
    expect(group?.metrics.cellF1).toMatchObject({
      ...{ mean: 1, meanUnscoredAsZero: 0.625, bounds: { low: 0.625, high: 1 } },
    })
    expect(report.notes.join('\n')).toContain('the judge did not rate 3 of 4 items')
  })

  it('compares the lower bound with --fail-under', () => {
    const report = reportOf(attempt => [makeScore(attempt, 1, unrated)])
    expect(listThresholdLines(report, [parseThreshold('cellF1=0.9')])).toEqual([
      'offline · extractive: cellF1 is 0.25, below 0.9 (6 of 8 items have no rating by the judge and count as wrong) [fail-under]',
    ])
    expect(listThresholdLines(report, [parseThreshold('cellF1=0.25')])).toEqual([])
  })

  it('says nothing when every item is rated', () => {
    const report = reportOf(attempt => [makeScore(attempt, 1, { cells: [makeCell()] })])
    expect(report.notes.join('\n')).not.toContain('did not rate')
    expect(report.groups[0]?.metrics.cellF1?.bounds).toBeNull()
  })
})
