import { describe, expect, it } from 'vitest'
import type { EventBody, TraceEvent } from '../../logs/events.ts'
import { optionsText } from '../../src/core/arm.ts'
import { joinEntries } from '../../src/report/model/entries.ts'
import type { EndCounts } from '../../src/report/model/report-rows.ts'
import { countEnds } from '../../src/report/model/termination-rows.ts'
import { displayWidth } from '../../src/report/tables/display-width.ts'
import { endMeanColumns } from '../../src/report/tables/end-tables.ts'
import { renderTables } from '../../src/report/tables/terminal.ts'
import { formatCell, makeTextTable } from '../../src/report/tables/text-table.ts'
import { makeTerminationTables } from '../../src/report/trace/termination-tables.ts'
import { analyseTerminations } from '../../src/report/trace/terminations.ts'
import { findLastActions, findLoops } from '../../src/report/trace/trace-habits.ts'
import { makeAttempt, makeScore, scorers } from './records.ts'

function traced(bodies: readonly (readonly [number, EventBody])[]): TraceEvent[] {
  return bodies.map(([step, body], seq) => ({
    seq,
    at: '2026-01-01T00:00:00.000Z',
    attemptId: 'a',
    step,
    ...body,
  }))
}

const called = (step: number, url: string): readonly [number, EventBody] => [
  step,
  { type: 'tool-called', callId: 'c', tool: 'fetch_page', args: { url } },
]
const answered = (step: number, text: string): readonly [number, EventBody] => [
  step,
  {
    type: 'tool-answered',
    callId: 'c',
    tool: 'fetch_page',
    text: { text },
    truncated: false,
    observations: [],
    wallMs: 1,
  },
]

const failed = (step: number, errorClass: string): readonly [number, EventBody] => [
  step,
  {
    type: 'tool-failed',
    callId: 'c',
    tool: 'fetch_page',
    errorClass,
    message: '',
    infrastructure: false,
    wallMs: 1,
  },
]
const refused = (step: number, url: string): (readonly [number, EventBody])[] => [
  called(step, url),
  [step, { type: 'budget-refused', kind: 'fetchCalls', asked: 1, left: 0, what: url }],
  failed(step, 'budget'),
]

/** Figure 5 of the paper in small: 10 attempts, 4 passed, 6 failed. */
function sample() {
  const made = [
    ...[1, 2, 3].map(at => ({
      task: `p${at}`,
      end: { cause: 'agent', reason: 'answered' } as const,
      f1: 0.5,
    })),
    { task: 'p4', end: { cause: 'agent', reason: 'answered' } as const, f1: 0 },
    ...[1, 2, 3].map(at => ({ task: `t${at}`, end: { cause: 'budget', reason: 'tokens' } as const, f1: 0 })),
    { task: 'm1', end: { cause: 'budget', reason: 'model-calls' } as const, f1: 0 },
    { task: 'w1', end: { cause: 'agent', reason: 'answered-without-table' } as const, f1: 0 },
    { task: 'x1', end: { cause: 'provider', reason: 'timeout' } as const, f1: 'provider' },
  ]
  const attempts = made.map(one => makeAttempt({ task: one.task, setting: 'online', end: one.end }))
  const scores = attempts.map((attempt, at) =>
    makeScore(attempt, made[at]!.f1, { answered: made[at]!.task.startsWith('p') }),
  )
  return {
    runId: 'r',
    scorers,
    attempts,
    scores,
    skippedTasks: 0,
    eventsOf: async () => traced([called(1, 'u')]),
  }
}

describe('the analysis of terminations', () => {
  it('has the share of failures that a budget ended, and the failures that ended with an answer', async () => {
    const report = await analyseTerminations(sample())
    expect(report).toMatchObject({ attempts: 10, failures: 6 })
    expect(report.resourceShareOfFailures).toBeCloseTo(4 / 6, 12)
    expect(report.answeredButWrong).toEqual({ n: 1, shareOfFailures: 1 / 6, passedWithoutCorrectCell: 1 })
  })

  it('has the cost of failures and its share of the total', async () => {
    const { costOfFailures } = await analyseTerminations(sample())
    expect(costOfFailures).toMatchObject({ tokens: 7200, shareOfTokens: 0.6, usd: null, shareOfUsd: null })
    expect(costOfFailures).toMatchObject({ wallMs: 12_000, shareOfWallMs: 0.6 })
  })

  it('leaves the cost of failures unknown when that of one is unknown, and their share when that of any attempt is', async () => {
    const { runId, skippedTasks, attempts, scores, eventsOf } = sample()
    const withUnknown = (task: string) =>
      attempts.map(one => {
        const unknown = one.taskId === task
        const usage = { ...one.usage, usd: unknown ? null : 0.5, inputTokens: unknown ? null : 1000 }
        return { ...one, usage }
      })
    const costWith = async (task: string) =>
      (
        await analyseTerminations({
          runId,
          scorers,
          attempts: withUnknown(task),
          scores,
          skippedTasks,
          eventsOf,
        })
      ).costOfFailures
    const unknown = { tokens: null, shareOfTokens: null, usd: null, shareOfUsd: null }
    expect(await costWith('x1')).toMatchObject(unknown)
    expect(await costWith('p1')).toMatchObject({ ...unknown, tokens: 7200, usd: 3 })
    expect(await costWith('none')).toMatchObject({ usd: 3, shareOfUsd: 0.6 })
  })

  it('lists what failed attempts reported, the most frequent first', async () => {
    const input = sample()
    const detailOf: Readonly<Record<string, string>> = {
      w1: 'KeyError: 1',
      t1: 'late',
      t2: 'late',
      p1: 'ended well',
    }
    const attempts = input.attempts.map(one => {
      const termination = { ...one.termination, detail: detailOf[one.taskId] ?? null }
      return { ...one, termination }
    })
    const report = await analyseTerminations({ ...input, attempts })
    expect(report.details.map(({ reason, detail, n }) => [reason, detail, n])).toEqual([
      ['tokens', 'late', 2],
      ['answered-without-table', 'KeyError: 1', 1],
    ])
    const { details } = report
    const table = makeTerminationTables(report).find(one => one.title === 'What failed attempts reported')
    expect(table?.rows.map(row => row.at(-1))).toEqual(details.map(row => row.detail))
  })

  it('counts the reasons of each domain and of all domains', async () => {
    const { reasons } = await analyseTerminations(sample())
    const all = reasons.filter(row => row.domain === 'all')
    expect(all.map(row => row.n).reduce((sum, n) => sum + n, 0)).toBe(10)
    expect(all[0]).toMatchObject({ reason: 'answered', n: 4, passed: 4, mean: 0.375 })
    expect(reasons.filter(row => row.domain === 'financial')).toHaveLength(all.length)
  })

  it('counts controls separately from their setting, with the share of failures of each reason', async () => {
    const { runId, skippedTasks, attempts, scores, eventsOf } = sample()
    const control = attempts.map((one, at) => ({
      ...one,
      attemptId: `c${at}`,
      options: { control: 'oracle-inject' },
    }))
    const copies = scores.map((one, at) => ({
      ...one,
      attemptId: `c${at}`,
      options: { control: 'oracle-inject' },
    }))
    const input = {
      runId,
      attempts: [...attempts, ...control],
      scores: [...scores, ...copies],
      scorers,
      skippedTasks,
      eventsOf,
    }
    const { ends, reasons, arms, failures } = await analyseTerminations(input)
    expect(ends.filter(row => optionsText(row.options) === '').map(row => row.n)).toEqual([4, 3, 1, 1, 1])
    expect(ends[1]).toMatchObject({ reason: 'tokens', failed: 3, shareOfFailures: 0.5 })
    expect(
      reasons.filter(row => row.domain === 'all' && row.reason === 'answered').map(row => row.n),
    ).toEqual([4, 4])
    expect(failures).toBe(12)
    // Each arm has a headline of its own.
    expect(arms.map(arm => arm.failures)).toEqual([6, 6])
    expect(arms[0]?.resourceShareOfFailures).toBeCloseTo(4 / 6, 12)
  })

  it('counts terminations by the last successful step', async () => {
    const { runId, skippedTasks, attempts, scores, eventsOf } = sample()
    const late = attempts.map((one, at) => ({
      ...one,
      termination: { ...one.termination, lastHealthyStep: [1, 1, 3, 9, 70, 70, 200, 12, 0, 0][at] ?? 0 },
    }))
    const report = await analyseTerminations({
      runId,
      scorers,
      attempts: late,
      scores,
      skippedTasks,
      eventsOf,
    })
    expect(report.steps.filter(row => row.reason === 'tokens')).toMatchObject([
      { step: 70, n: 2, passed: 0 },
      { step: 200, n: 1, passed: 0 },
    ])
    expect(report.steps.reduce((sum, row) => sum + row.n, 0)).toBe(10)
    const table = makeTerminationTables(report).find(one => one.title.startsWith('By the step'))
    const { columns, rows } = makeTextTable(table!)
    expect(columns.map(({ head }) => head).slice(3)).toEqual([
      '0',
      '1',
      '2–5',
      '6–10',
      '11–20',
      '51–100',
      '101+',
    ])
    const tokens = rows.find(row => row[2] === 'tokens')
    expect(tokens?.slice(3)).toEqual(['', '', '', '', '', '2', '1'])
  })

  it('counts an interrupted attempt as failed despite its answer, and one that a judge failed on as completed', async () => {
    const killed = makeAttempt({
      task: 'k',
      setting: 'online',
      end: { cause: 'provider', reason: 'timeout' },
    })
    const unjudged = makeAttempt({ task: 'j', setting: 'online' })
    const attempts = [killed, unjudged]
    const scores = [
      makeScore(killed, 'provider', { answered: true }),
      makeScore(unjudged, 'judge', { answered: true }),
    ]
    const input = { scorers, runId: 'r', attempts, scores, skippedTasks: 0, eventsOf: async () => null }
    const report = await analyseTerminations(input)
    expect(report.failures).toBe(1)
    const counts = { n: 1, passed: 0 }
    const reason = { reason: 'timeout' }
    expect(report.ends.find(row => row.reason === 'timeout')).toMatchObject({ ...counts, failed: 1 })
    expect(report.reasons.filter(row => row.reason === 'timeout')).toMatchObject([counts, counts])
    expect(report.steps.find(row => row.reason === 'timeout')).toMatchObject({ ...reason, ...counts })
    expect(report.ends.find(row => row.reason === 'answered')).toMatchObject({ n: 1, passed: 1, failed: 0 })
  })

  it('says that nothing failed, without the cost of failures', async () => {
    const { runId, skippedTasks, attempts, scores, eventsOf } = sample()
    const passed = scores.map(score => ({ ...score, status: 'scored' as const, answered: true }))
    const report = await analyseTerminations({
      runId,
      scorers,
      attempts,
      scores: passed,
      skippedTasks,
      eventsOf,
    })
    const text = renderTables(makeTerminationTables(report), { columns: 120 })
    expect(text).toContain('none of the 10 attempts failed.')
    expect(text).not.toContain('The failed attempts used')
  })

  it('counts an imported attempt without an answer as failed', async () => {
    const attempts = sample().attempts.map((one, at) => ({
      ...one,
      termination: { ...one.termination, answerProduced: at > 1 },
    }))
    const report = await analyseTerminations({
      runId: 'r',
      scorers,
      attempts,
      scores: [],
      skippedTasks: 0,
      eventsOf: async () => null,
    })
    expect(report.failures).toBe(2)
    expect(report.lastSteps).toEqual([])
  })

  it('fits a terminal', async () => {
    const text = renderTables(makeTerminationTables(await analyseTerminations(sample())), { columns: 100 })
    expect(Math.max(...text.split('\n').map(displayWidth))).toBeLessThanOrEqual(100)
    expect(text).toContain('A budget ended 66.7% of them')
    expect(text).not.toContain('Tasks that could not be read')
  })

  it('says how many tasks could not be read and are not counted', async () => {
    const report = await analyseTerminations({ ...sample(), skippedTasks: 3 })
    expect(report.skippedTasks).toBe(3)
    const text = renderTables(makeTerminationTables(report), { columns: 100 })
    expect(text).toContain('Tasks that could not be read and are not counted here: 3.')
  })
})

describe('the habits in a trace', () => {
  it('counts only the actions of the last ten steps', () => {
    const events = traced([...Array.from({ length: 14 }, (_, at) => called(at + 1, `u${at}`))])
    expect(findLastActions(events)).toEqual(new Map([['called fetch_page', 10]]))
  })

  it('counts a call once, by its outcome', () => {
    const events = traced([
      called(1, 'u'),
      answered(1, 'x'),
      ...refused(2, 'v'),
      called(3, 'w'),
      failed(3, 'not-found'),
      [4, { type: 'budget-refused', kind: 'tokens', asked: 9, left: 1, what: 'model' }],
    ])
    const counted = [
      'called fetch_page',
      'refused: fetchCalls',
      'fetch_page failed: not-found',
      'refused: tokens',
    ]
    expect(findLastActions(events)).toEqual(new Map(counted.map(action => [action, 1])))
  })

  it('distinguishes an answer that the provider interrupted from one without a call', () => {
    const usage = null
    const empty = { text: { text: '' }, reasoning: null, toolCalls: [], malformedCalls: [], usage, wallMs: 1 }
    const events = traced([
      [1, { type: 'model-answered', ...empty, finishReason: 'content_filter' }],
      [1, { type: 'model-answered', ...empty, finishReason: 'stop' }],
    ])
    expect([...findLastActions(events).keys()]).toEqual([
      'broken off: content_filter',
      'answered without a call',
    ])
  })

  it('does not count refused calls as a loop', () => {
    const same = [1, 2, 3].flatMap(step => refused(step, 'u'))
    const longer = Array.from({ length: 9 }, (_, at) => refused(at + 2, 'v')).flat()
    expect(findLoops('a', traced(same))).toEqual([])
    expect(findLoops('a', traced([called(1, 'u'), answered(1, 'x'), ...longer]))).toEqual([])
  })

  it('does not count turns with refused calls as turns without anything new', () => {
    const idle = (turns: number) =>
      Array.from({ length: turns }, (_, at) => [called(at + 3, 'u'), answered(at + 3, 'x')]).flat()
    const events = (turns: number) =>
      traced([called(1, 'u'), answered(1, 'x'), ...refused(2, 'new'), ...idle(turns)])
    const idleLoops = (turns: number) =>
      findLoops('a', events(turns)).filter(one => one.kind === 'nothing-new')
    expect(idleLoops(7)).toEqual([])
    expect(idleLoops(8)).toMatchObject([{ times: 8, firstStep: 3, lastStep: 10 }])
  })

  it('finds a call that was made three times', () => {
    const twice = traced([called(1, 'u'), called(2, 'u')])
    const thrice = traced([called(1, 'u'), called(2, 'v'), called(4, 'u'), called(9, 'u')])
    expect(findLoops('a', twice)).toEqual([])
    expect(findLoops('a', thrice)).toEqual([
      {
        attemptId: 'a',
        kind: 'same-call',
        what: 'fetch_page {"url":"u"}',
        times: 3,
        firstStep: 1,
        lastStep: 9,
      },
    ])
  })

  it('finds eight turns without anything new', () => {
    const idle = (turns: number) =>
      traced([
        called(1, 'u'),
        answered(1, 'x'),
        ...Array.from({ length: turns }, (_, at) => answered(at + 2, 'x')),
        called(turns + 2, 'new'),
      ])
    expect(findLoops('a', idle(7))).toEqual([])
    expect(findLoops('a', idle(8))).toMatchObject([
      { kind: 'nothing-new', times: 8, firstStep: 2, lastStep: 9 },
    ])
  })
})

describe('the means of attempts with one end', () => {
  const row = { cause: 'agent', reason: 'answered', n: 2, share: 1, passed: 2, metric: 'cellF1', mean: 0.5 }
  const [column] = endMeanColumns<EndCounts>([{ scorer: 'aoe' }], scorers)
  const meanText = (end: EndCounts): string => formatCell(column!, column!.value(end))

  it('are both bounds where a judge left items without a rating', () => {
    expect(meanText({ ...row, bounds: { low: 0.25, high: 1 } })).toBe('25.0–100.0')
    expect(meanText(row)).toBe('50.0')
    expect(meanText({ ...row, mean: null, bounds: { low: 0.25, high: 1 } })).toBe('–')
  })

  it('have the bounds of their own attempts', () => {
    const attempts = ['a', 'b'].map(task => makeAttempt({ task, setting: 'offline' }))
    const bounds = { bounds: { cellF1: { low: 0, high: 1 } } }
    const scores = [makeScore(attempts[0]!, 1, bounds), makeScore(attempts[1]!, 1)]
    const entries = joinEntries(attempts, scores)
    expect(countEnds(entries, scorers)).toMatchObject([{ n: 2, bounds: { low: 0.5, high: 1 } }])
    expect(countEnds(entries.slice(1), scorers)[0]).not.toHaveProperty('bounds')
  })
})
