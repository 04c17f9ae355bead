import { expect, it } from 'vitest'
import { listComparisonSentences } from '../../src/report/html/first-screen.ts'
import { buildReport } from '../../src/report/model/build-report.ts'
import { listScoringMetrics } from '../../src/report/model/metrics.ts'
import { makeAttempt, makeScore, scorers } from './records.ts'

/** Six tasks in groups of their own by offline and by rag with as many retrievers, which get 20 points less. */
function compareArms(retrievers: number) {
  const attempts = Array.from({ length: 6 }, (_, task) => [
    makeAttempt({ task: `t${task}`, setting: 'offline', over: { documents: [`d${task}`] } }),
    ...Array.from({ length: retrievers }, (_, at) =>
      makeAttempt({
        ...{ task: `t${task}`, setting: 'rag', variant: `retriever=r${at}` },
        over: { documents: [`d${task}`] },
      }),
    ),
  ]).flat()
  const scores = attempts.map((attempt, at) =>
    makeScore(attempt, (attempt.setting === 'offline' ? 0.8 : 0.6) + 0.001 * (at % 7)),
  )
  const manifest = { runId: 'run', startedAt: null, endedAt: null, config: {} }
  const report = buildReport({ manifest, scorers, attempts, scores, skippedTasks: [] })
  const metric = listScoringMetrics(scorers, 'aoe').primary!
  return {
    report,
    sentences: listComparisonSentences({ report, scoring: 'scorer aoe, judge rules', metric }),
  }
}

it.each([1, 8, 12])('has every comparison of %i retrievers with offline, none twice', retrievers => {
  const { report, sentences } = compareArms(retrievers)
  expect(report.baselineDifferences).toHaveLength(retrievers)
  const rows = [...report.baselineDifferences, ...report.pooledDifferences]
  expect(new Set(sentences.map(({ claim }) => claim)).size).toBe(rows.length)
})

it('writes differences with the signs of the terminal, and what they are over in words', () => {
  const [sentence] = compareArms(1).sentences
  expect(sentence?.claim).toMatch(
    /^rag.* minus offline: -(?:19|20)\.\d points of Cell F1, 95% \[-[\d.]+, [+-][\d.]+\]/,
  )
  expect(sentence?.detail).toContain('6 tasks, 6 groups')
})
