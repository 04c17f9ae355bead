import { describe, expect, it } from 'vitest'
import { optionsText } from '../../src/core/arm.ts'
import type { Attempt } from '../../src/core/attempt.ts'
import { reportFigures } from '../../src/report/figures/figures.ts'
import { buildReport } from '../../src/report/model/build-report.ts'
import type { ReportInput } from '../../src/report/model/report-input.ts'
import { makeDegradationTables } from '../../src/report/tables/difference-tables.ts'
import { makeTextTable } from '../../src/report/tables/text-table.ts'
import { makeAttempt, makeScore, scorers } from './records.ts'

/** One attempt an arm and task, with that cell F1; text: unscored with that cause. */
function reportOf(arms: Record<string, Record<string, number | string>>) {
  const made = Object.entries(arms).flatMap(([arm, byTask]) => {
    const [setting = '', variant = ''] = arm.split(':')
    return Object.entries(byTask).map(([task, cellF1]) => {
      const attempt = makeAttempt({
        task,
        setting,
        variant,
        domain: task.startsWith('l') ? 'legal' : 'financial',
      })
      return { attempt, score: makeScore(attempt, cellF1) }
    })
  })
  const manifest = {
    runId: 'r',
    startedAt: null,
    endedAt: null,
    config: {},
  } satisfies ReportInput['manifest']
  return buildReport({
    manifest,
    scorers,
    attempts: made.map(({ attempt }) => attempt),
    scores: made.map(({ score }) => score),
    skippedTasks: [],
  })
}

const arms = {
  'offline:': { f1: 0.8, f2: 0.6, l1: 0.5 },
  'rag:': { f1: 0.4, f2: 0.3, l1: 0.51 },
  'rag:control=oracle': { f1: 0.7, f2: 0.5, l1: 0.5 },
  'rag:control=random': { f1: 0.1, f2: 0, l1: 0.2 },
}

describe('what RAG loses', () => {
  const { degradation } = reportOf(arms)
  const cellF1 = (domain: string) =>
    degradation.find(row => row.domain === domain && row.metric === 'cellF1')!

  it('is the sum of the losses from less context and from retrieval, by domain and over all tasks', () => {
    const row = cellF1('financial')
    expect(row).toMatchObject({ n: 2, options: {}, offline: 0.7, rag: 0.35 })
    expect(row.lessContext?.mean).toBeCloseTo(0.1)
    expect(row.retrieval?.mean).toBeCloseTo(0.25)
    expect(row.earned?.mean).toBeCloseTo(0.3)
    expect(row.total.mean).toBeCloseTo(0.35)
    for (const { total, lessContext, retrieval } of degradation) {
      expect(lessContext!.mean + retrieval!.mean).toBeCloseTo(total.mean, 12)
    }
    expect(degradation.filter(found => found.metric === 'cellF1').map(found => found.domain)).toEqual([
      'financial',
      'legal',
      'all',
    ])
  })

  it('has intervals over groups of tasks, and none for few groups', () => {
    expect(cellF1('all').total).toMatchObject({ low: null, high: null, pValue: null, components: 3 })
    const many = (values: readonly number[]) =>
      Object.fromEntries(values.map((value, at) => [`f${at}`, value]))
    const { degradation: rows } = reportOf({
      'offline:': many([0.8, 0.9, 0.7, 0.8, 0.6]),
      'rag:': many([0.4, 0.3, 0.5, 0.4, 0.4]),
    })
    const { low, high, mean, pValue } = rows.find(row => row.metric === 'cellF1')!.total
    expect(low).toBeLessThan(mean)
    expect(high).toBeGreaterThan(mean)
    expect(pValue).toBe(2 / 32)
  })

  it('has arrows for differences of more than two points from offline', () => {
    const [table] = makeDegradationTables({ degradation, scorers, facet: 'domain' })
    const { columns, rows } = makeTextTable(table!)
    const header = columns.map(({ head }) => head)
    const cells = (domain: string) => {
      const row = rows.find(([name]) => name === domain)!
      return Object.fromEntries(header.map((name, at) => [name, row[at]]))
    }
    expect(cells('legal')).toMatchObject({ offline: '50.0', rag: '51.0', oracle: '50.0', random: '20.0↓' })
    expect(cells('financial')).toMatchObject({ offline: '70.0', rag: '35.0↓', oracle: '60.0↓' })
    expect(cells('financial')['oracle - rag']).toBe('+25.0')
  })

  it('has no arrow for a difference of exactly two points', () => {
    const some = reportOf({ 'offline:': { f1: 0.5 }, 'rag:': { f1: 0.52 } })
    expect(makeTextTable(makeDegradationTables(some)[0]!).rows[0]?.slice(4, 6)).toEqual(['50.0', '52.0'])
  })

  it('is explained for the controls that were run, and no others', () => {
    const { 'rag:control=random': _random, ...some } = arms
    const [table] = makeDegradationTables(reportOf(some))
    expect(table?.remarks.join(' ')).toContain('oracle - rag: ')
    expect(table?.remarks.join(' ')).not.toContain('rag - random')
  })

  it('is computed over the tasks that every arm has a score for', () => {
    const { degradation: some } = reportOf({
      ...arms,
      'rag:control=oracle': { f1: 0.7, f2: 'provider', l1: 0.5 },
    })
    const row = some.find(found => found.domain === 'financial' && found.metric === 'cellF1')!
    expect(row).toMatchObject({ n: 1, offline: 0.8, rag: 0.4, oracle: 0.7, random: 0.1 })
  })

  it('needs no controls, and pairs variants by the options that both settings have', () => {
    const { degradation: some } = reportOf({
      'offline:': { f1: 0.9 },
      'offline:cot=off': { f1: 0.8 },
      'rag:cot=off,retriever=bm25,context-tokens=2000': { f1: 0.4 },
    })
    expect(some.filter(row => row.metric === 'cellF1' && row.domain === 'all')).toEqual([
      expect.objectContaining({ offline: 0.8, rag: 0.4, oracle: null, lessContext: null, earned: null }),
    ])
  })
})

it('draws Cell F1 and evidence against context size, with a line for each retriever', () => {
  const { curves } = reportOf({
    'rag:context-tokens=8000': { f1: 0.5 },
    'rag:context-tokens=2000': { f1: 0.25 },
    'rag:retriever=bm25,context-tokens=2000': { f1: 0.1 },
    'rag:retriever=bm25,context-tokens=8000': { f1: 0.2 },
  })
  const lines = curves.filter(
    curve => curve.figure === 'context' && curve.domain === 'all' && curve.y === 'cellF1',
  )
  expect(lines.map(({ options, points }) => ({ variant: optionsText(options), points }))).toEqual([
    {
      variant: '',
      points: [
        { x: 2000, y: 0.25 },
        { x: 8000, y: 0.5 },
      ],
    },
    {
      variant: 'retriever=bm25',
      points: [
        { x: 2000, y: 0.1 },
        { x: 8000, y: 0.2 },
      ],
    },
  ])
})

it('draws a figure against context size for each scoring, and one for evidence', () => {
  const attempts = [2000, 8000].map(tokens => {
    const retrieval = { evidenceRecall: { 5: 0.5 }, evidenceInPrompt: 0.5 } as unknown as Attempt['retrieval']
    return makeAttempt({
      task: 't',
      setting: 'rag',
      variant: `context-tokens=${tokens}`,
      over: { retrieval },
    })
  })
  const scores = attempts.flatMap((attempt, at) => [
    makeScore(attempt, 0.2 + at / 10),
    makeScore(attempt, 0.7 + at / 10, { scorer: 'strict' }),
  ])
  const manifest = { runId: 'r', startedAt: null, endedAt: null, config: {} }
  const figures = reportFigures(buildReport({ manifest, scorers, attempts, scores, skippedTasks: [] }))
  const lines = figures.flatMap(figure =>
    figure.kind === 'lines' && figure.isFolded !== true
      ? [[figure.title, ...figure.points.filter(({ panel }) => panel !== 'financial').map(({ y }) => y)]]
      : [],
  )
  expect(lines).toEqual([
    ['Evidence recall by number of chunks', 0.5, 0.5],
    ['Cell F1 by context size (scorer aoe, judge rules): all tasks', 0.2, expect.closeTo(0.3, 12)],
    ['Cell F1 by context size (scorer strict, judge rules): all tasks', 0.7, expect.closeTo(0.8, 12)],
    ['Evidence in the prompt by context size: all tasks', 0.5, 0.5],
  ])
})
