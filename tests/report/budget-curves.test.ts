import { describe, expect, it } from 'vitest'
import type { EventBody, TraceEvent } from '../../logs/events.ts'
import { makeBudgetCurves } from '../../src/report/model/budget-curves.ts'
import { makeAttempt, makeScore, scorers } from './records.ts'

const charge = (amount: number, kind: 'tokens' | 'usd' | 'modelCalls' = 'tokens'): EventBody => ({
  type: 'budget-charged',
  kind,
  amount,
  total: 0,
  what: 'call',
})
const answered: EventBody = {
  type: 'tool-answered',
  callId: 'c',
  tool: 'fetch_page',
  text: { text: '' },
  truncated: false,
  observations: [],
  wallMs: 1,
}
const checkpoint = (text: string): EventBody => ({ type: 'checkpoint', tokens: 0, answer: { text } })

function traced(bodies: readonly (readonly [number, EventBody])[]): TraceEvent[] {
  return bodies.map(([step, body], seq) => ({
    seq,
    at: new Date(seq * 1000).toISOString(),
    attemptId: 'a',
    step,
    ...body,
  }))
}

const hint = { surfacedStep: 1, parsedStep: null, usedStep: null, query: null, url: null }
const discovery = {
  hints: [
    { ...hint, hint: 'a', openedStep: 1 },
    { ...hint, hint: 'b', openedStep: 3 },
  ],
  recall: { surfaced: 1, opened: 1, parsed: 0, used: 0 },
  distractorsOpened: 0,
}

describe('budget curves', () => {
  const { usage } = makeAttempt({ task: 't', setting: 'online' })
  const own = { discovery, usage: { ...usage, wallMs: 6000 } }
  const attempt = makeAttempt({ task: 't', setting: 'online', over: own })
  const events = traced([
    [1, charge(1000)],
    [1, answered],
    [1, checkpoint('poor')],
    [2, charge(3000)],
    [3, charge(6000)],
    [3, answered],
    [4, charge(10_000)],
  ])
  const made = makeBudgetCurves({
    scorers,
    attempts: [attempt, makeAttempt({ task: 'x', setting: 'offline' })],
    scores: [
      makeScore(attempt, 0.8, {
        checkpoints: [{ tokens: 1000, answered: true, metrics: { rowF1: 0.3, cellF1: 0.2 } }],
      }),
    ],
    eventsOf: async () => events,
  })
  const curve = async (x: string, y: string) => (await made).find(one => one.x === x && one.y === y)

  it('rise from the checkpoints to the final table', async () => {
    const points = (await curve('tokens', 'cellF1'))?.points ?? []
    expect([points[0], points.at(-1)]).toEqual([
      { x: 1000, y: 0.2 },
      { x: 20_000, y: 0.8 },
    ])
    expect(points.filter(point => point.x < 20_000).every(point => point.y === 0.2)).toBe(true)
  })

  it('show the share of documents opened after each step of the trace', async () => {
    const points = (await curve('tokens', 'discovery'))?.points ?? []
    expect([points[0], points.at(-1)]).toEqual([
      { x: 1000, y: 0.5 },
      { x: 10_000, y: 1 },
    ])
  })

  it('have a curve against time, and none against resources that were not spent', async () => {
    expect((await curve('wallMs', 'cellF1'))?.points.at(-1)).toEqual({ x: 6000, y: 0.8 })
    expect(await curve('usd', 'cellF1')).toBeUndefined()
  })

  it('leave out the time that checkpoints took', async () => {
    const timed = traced([
      [1, charge(1000)],
      [1, { type: 'checkpoint', tokens: 0, answer: { text: 'poor' }, wallMs: 400 }],
      [2, charge(1000)],
    ])
    const curves = await makeBudgetCurves({
      scorers,
      attempts: [attempt],
      scores: [
        makeScore(attempt, 0.8, {
          checkpoints: [{ tokens: 1, answered: true, metrics: { rowF1: 0.3, cellF1: 0.2 } }],
        }),
      ],
      eventsOf: async () => timed,
    })
    const points = curves.find(one => one.x === 'wallMs' && one.y === 'cellF1')?.points
    expect(points?.[0]).toEqual({ x: 600, y: 0.2 })
  })

  it('have points between dollars but only whole numbers of calls', async () => {
    const paid = traced([
      [1, charge(1, 'modelCalls')],
      [1, charge(0.01, 'usd')],
      [1, checkpoint('poor')],
      ...[2, 3, 4].map(step => [step, charge(1, 'modelCalls')] as const),
      [4, charge(0.03, 'usd')],
    ])
    const made = async (usd: number | null) =>
      await makeBudgetCurves({
        scorers,
        attempts: [{ ...attempt, usage: { ...attempt.usage, usd } }],
        scores: [
          makeScore(attempt, 0.8, {
            checkpoints: [{ tokens: 1, answered: true, metrics: { rowF1: 0.3, cellF1: 0.2 } }],
          }),
        ],
        eventsOf: async () => paid,
      })
    const curves = await made(0.04)
    const pointsOf = (x: string) => curves.find(one => one.x === x && one.y === 'cellF1')?.points ?? []
    expect(pointsOf('usd')[0]).toEqual({ x: 0.01, y: 0.2 })
    expect(pointsOf('usd').at(-1)).toEqual({ x: 0.04, y: 0.8 })
    expect(pointsOf('modelCalls')).toEqual([1, 2, 3, 4].map(x => ({ x, y: x === 4 ? 0.8 : 0.2 })))
    // Searches have a price, the model has none: what was charged is not what was spent.
    expect((await made(null)).filter(one => one.x === 'usd')).toEqual([])
  })

  it('have no Cell F1 for extractions, but have the share of answers at checkpoints', async () => {
    const extraction = { ...makeScore(attempt, 0.8), row: null, cell: null, scorer: 'extract-bench' }
    const curves = await makeBudgetCurves({
      scorers,
      attempts: [attempt],
      scores: [{ ...extraction, checkpoints: [{ tokens: 1000, answered: true, metrics: {} }] }],
      eventsOf: async () => events,
    })
    expect(curves.filter(one => one.y === 'cellF1')).toEqual([])
    const passes = curves.find(one => one.x === 'tokens' && one.y === 'answered')?.points
    expect(passes?.[0]).toEqual({ x: 1000, y: 1 })
  })

  it('are drawn for the online setting only', async () => {
    expect(new Set((await made).map(one => one.setting))).toEqual(new Set(['online']))
  })
})
