import { describe, expect, it } from 'vitest'
import { makeCurveFigures } from '../../src/report/figures/curve-figures.ts'
import { makeLossPartFigures } from '../../src/report/figures/figures.ts'
import { listFirstScreenRemarks, listFirstScreenWarnings } from '../../src/report/html/first-screen.ts'
import { buildReport } from '../../src/report/model/build-report.ts'
import { listScoringMetrics } from '../../src/report/model/metrics.ts'
import { makeComparisonTables } from '../../src/report/tables/comparison-tables.ts'
import { makeAttempt, makeScore, scorers } from './records.ts'

const manifest = { runId: 'r', startedAt: null, endedAt: null, config: {} }
const sizes = [1000, 4000]
const retrievers = ['bm25', 'hybrid']
const variants = retrievers.flatMap(retriever =>
  sizes.flatMap(size =>
    ['', ',control=oracle', ',control=random'].map(
      control => `retriever=${retriever},context-tokens=${size}${control}`,
    ),
  ),
)

/** A sweep over retrievers and sizes of the context. The oracle finds more, random chunks less. */
function sweep() {
  const attempts = ['a', 'b'].flatMap(task => [
    makeAttempt({ task, setting: 'offline' }),
    ...variants.map(variant => makeAttempt({ task, setting: 'rag', variant })),
  ])
  const valueFor = ({ setting, options: { control } }: (typeof attempts)[number]): number => {
    if (setting === 'offline') return 1
    return control === 'oracle' ? 0.75 : control === 'random' ? 0.25 : 0.5
  }
  const scores = attempts.map(attempt => makeScore(attempt, valueFor(attempt)))
  return buildReport({ manifest, attempts, scores, scorers, skippedTasks: [] })
}

describe('the figures of a sweep', () => {
  const report = sweep()

  it('have a panel for each retriever, with offline as a level, and domains folded', () => {
    const figures = makeCurveFigures(report).filter(({ id }) => id.startsWith('context'))
    const [first] = figures
    if (first?.kind !== 'lines') throw new Error('no figure of context sizes')
    expect([...new Set(first.points.map(({ panel }) => panel))]).toEqual(retrievers)
    expect(first.series?.map(({ name }) => name)).toEqual(['rag', 'rag oracle', 'rag random', 'offline'])
    expect(first.references).toContainEqual({ panel: 'bm25', line: 'offline', y: 1 })
    expect(figures.map(({ isFolded }) => isFolded)).toEqual([false, ...figures.slice(1).map(() => true)])
  })

  it('split what RAG loses into context, retrieval and what retrieval earns', () => {
    const [figure] = makeLossPartFigures(report)
    if (figure?.kind !== 'loss-parts') throw new Error('no figure of losses')
    const own = figure.parts.filter(({ label }) => label === 'rag bm25 1k')
    expect(own.map(({ part, value }) => [part, value])).toEqual([
      ['context', 0.25],
      ['retrieval', 0.25],
      ['earned', 0.25],
    ])
  })

  it('come with the remark of the tables when there are too few groups of tasks for intervals', () => {
    const { scorer, judge } = report.groups[0]!
    const [warning] = listFirstScreenWarnings(report, `scorer ${scorer}, judge ${judge}`)
    const remark = 'No interval and no p, because there are fewer than 5 groups of tasks.'
    expect(warning).toBe(`Warning: ${remark}`)
    expect(makeComparisonTables(report)[0]?.remarks).toContain(remark)
  })

  it('come with a warning when there are few groups of tasks, without counting arms that have no score', () => {
    const [group] = report.groups.filter(({ domain }) => domain === 'all')
    const { primary } = listScoringMetrics(report.scorers, group!.scorer)
    const withGroups = (...counts: number[]) => ({
      ...report,
      groups: counts.map(components => ({
        ...group!,
        metrics: { ...group!.metrics, [primary!.key]: { ...group!.metrics[primary!.key]!, components } },
      })),
    })
    const firstOf = (...counts: number[]) =>
      listFirstScreenWarnings(withGroups(...counts), `scorer ${group!.scorer}, judge ${group!.judge}`).filter(
        warning => warning.includes('groups of tasks'),
      )
    expect(firstOf(0, 6)).toEqual([
      'Warning: there are only 6 groups of tasks. Intervals are wide, and no p can be below 0.031.',
    ])
    expect(firstOf(4, 0, 6)).toEqual([
      'Warning: No interval and no p for 1 of 2 arms, because there are fewer than 5 groups of tasks.',
    ])
    expect([firstOf(0), firstOf(10)]).toEqual([[], []])
  })

  it('come with a remark, and no warning, when a companion of the score is low in an arm', () => {
    const [group] = report.groups
    const { companions } = listScoringMetrics(report.scorers, group!.scorer)
    const low = companions.find(({ unit, better }) => unit === 'share' && better === 'higher')!
    const metrics = { ...group!.metrics, [low.key]: { ...group!.metrics[low.key]!, mean: 0.5 } }
    const changed = { ...report, groups: [{ ...group!, domain: 'all', metrics }] }
    const scoring = `scorer ${group!.scorer}, judge ${group!.judge}`
    const [remark] = listFirstScreenRemarks(changed, scoring)
    expect(remark).toMatch(
      new RegExp(
        `^${low.label} is below 75.0% in 1 of 1 arms, lowest in .* \\(50.0%\\)\\. Definition: `,
        'i',
      ),
    )
    expect(listFirstScreenWarnings(changed, scoring).join()).not.toMatch(new RegExp(low.label, 'i'))
  })
})
