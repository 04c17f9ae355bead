import { describe, expect, it } from 'vitest'
import type { Attempt } from '../../src/core/attempt.ts'
import type { Score } from '../../src/core/score.ts'
import { buildReport } from '../../src/report/model/build-report.ts'
import type { Report } from '../../src/report/model/report.ts'
import { makeRetrievalTables } from '../../src/report/tables/loss-tables.ts'
import { type MadeAttempt, makeAttempt, makeCell, makeScore, scorers } from './records.ts'

type Made = MadeAttempt & { readonly f1: number | string; readonly score?: Partial<Score> }

function recordsOf(made: readonly Made[]): { attempts: Attempt[]; scores: Score[] } {
  const attempts = made.map(makeAttempt)
  return {
    attempts,
    scores: attempts.map((attempt, at) => makeScore(attempt, made[at]!.f1, made[at]!.score)),
  }
}

const manifest = { runId: 'r1', startedAt: null, endedAt: null, config: { web: 'sealed' } }

function reportOf(made: readonly Made[]): Report {
  return buildReport({ manifest, scorers, ...recordsOf(made), skippedTasks: [] })
}

function group(report: Report, setting: string, domain: string) {
  const found = report.groups.find(one => one.setting === setting && one.domain === domain)
  if (found === undefined) throw new Error(`no group ${setting} ${domain}`)
  return found
}

describe('a report', () => {
  it('averages the trials of a task before the tasks', () => {
    const report = reportOf([
      { task: 't1', setting: 'offline', trial: 0, f1: 0 },
      { task: 't1', setting: 'offline', trial: 1, f1: 0.5 },
      { task: 't1', setting: 'offline', trial: 2, f1: 1 },
      { task: 't2', setting: 'offline', f1: 1 },
    ])
    expect(group(report, 'offline', 'all')).toMatchObject({
      n: 4,
      tasks: 2,
      metrics: { cellF1: { mean: 0.75 } },
    })
  })

  it("counts unscored attempts as 0 within their domain for the lower bound of the domains' mean", () => {
    const report = reportOf([
      { task: 't1', domain: 'financial', setting: 'rag', f1: 0.9 },
      { task: 't2', domain: 'financial', setting: 'rag', f1: 0.9 },
      { task: 't3', domain: 'legal', setting: 'rag', f1: 0.6 },
      { task: 't4', domain: 'legal', setting: 'rag', f1: 'provider' },
      { task: 't5', domain: 'legal', setting: 'rag', f1: 'provider' },
    ])
    expect(group(report, 'rag', 'all').metrics.cellF1!.meanUnscoredAsZero).toBeCloseTo(0.48, 12)
    expect(group(report, 'rag', 'allByDomain').metrics.cellF1!.meanUnscoredAsZero).toBeCloseTo(0.55, 12)
  })

  it('does not count an unscored attempt as answered, even if its answer could be read', () => {
    const end = { cause: 'provider', reason: 'unavailable' } as const
    const report = reportOf([
      { task: 't1', setting: 'online', end, f1: 'provider', score: { answered: true } },
      { task: 't2', setting: 'online', end, f1: 0.5 },
    ])
    expect(report.terminations).toMatchObject([{ cause: 'provider', n: 2, passed: 1 }])
  })

  it('has the mean over tasks and the mean of the domains', () => {
    const report = reportOf([
      { task: 't1', domain: 'financial', setting: 'rag', f1: 0.9 },
      { task: 't2', domain: 'financial', setting: 'rag', f1: 0.6 },
      { task: 't3', domain: 'legal', setting: 'rag', f1: 0.15 },
    ])
    expect(group(report, 'rag', 'all').metrics.cellF1!.mean).toBeCloseTo(0.55, 12)
    expect(group(report, 'rag', 'allByDomain').metrics.cellF1!.mean).toBeCloseTo(0.45, 12)
  })

  it('does not widen the interval of the mean of domains because the domains differ', () => {
    const scores = [0.78, 0.79, 0.8, 0.81, 0.82]
    const report = reportOf([
      ...scores.map((f1, at) => ({ task: `a${at}`, domain: 'a', setting: 'rag', f1 })),
      ...scores.map((f1, at) => ({ task: `b${at}`, domain: 'b', setting: 'rag', f1: f1 - 0.6 })),
    ])
    const { mean, low, high } = group(report, 'rag', 'allByDomain').metrics.cellF1!
    expect(mean).toBeCloseTo(0.5, 12)
    expect(high! - low!).toBeLessThan(0.05)
    const all = group(report, 'rag', 'all').metrics.cellF1!
    expect(all.high! - all.low!).toBeGreaterThan(0.3)
  })

  it('says what a success is when not every item must be right, and when successes follow several rules', () => {
    const rows = (...rules: (number | undefined)[]) =>
      reportOf(
        rules.map((successAt, at) => ({
          ...{ task: `t${at}`, setting: 'rag', f1: 0.8 },
          score: successAt === undefined ? {} : { successAt },
        })),
      ).notes.filter(note => note.includes('success'))
    expect(rows(undefined, undefined)).toEqual([])
    expect(rows(0.75)).toEqual([
      'a success of scorer aoe is an answer with at least 0.75 of its metric (--success-at)',
    ])
    expect(rows(0.75, undefined)[0]).toContain('several rules (at least 0.75, every item right)')
  })

  it('keeps a domain with the name of the rows of means apart from them', () => {
    const report = reportOf([
      { task: 't1', domain: 'all', setting: 'rag', f1: 1 },
      { task: 't2', domain: 'allByDomain', setting: 'rag', f1: 0 },
    ])
    expect(report.groups.map(({ domain, n }) => [domain, n])).toEqual([
      ["'all'", 1],
      ["'allByDomain'", 1],
      ['all', 2],
      ['allByDomain', 2],
    ])
  })

  it('has no interval over fewer than five groups of tasks that share documents, and says how many there are', () => {
    const report = reportOf(
      Array.from({ length: 12 }, (_, at) => ({
        ...{ task: `t${at}`, setting: 'rag', f1: at / 12 },
        over: { documents: [`d${at % 3}`] },
      })),
    )
    expect(group(report, 'rag', 'all').metrics.cellF1).toMatchObject({
      ...{ n: 12, components: 3 },
      ...{ low: null, high: null },
    })
  })

  it('leaves unscored attempts out of the mean and counts them as 0 in the lower bound', () => {
    const report = reportOf([
      { task: 't1', setting: 'online', f1: 0.8 },
      { task: 't2', setting: 'online', f1: 'provider', end: { cause: 'provider', reason: 'timeout' } },
    ])
    expect(group(report, 'online', 'all')).toMatchObject({
      n: 2,
      scored: 1,
      unscored: 1,
      metrics: { cellF1: { mean: 0.8, meanUnscoredAsZero: 0.4, low: null, high: null } },
      answered: { mean: 1, meanUnscoredAsZero: 0.5 },
    })
  })

  it('averages discovery over scored attempts only, because the others were interrupted', () => {
    const recall = (share: number) => ({ surfaced: share, opened: share, parsed: share, used: share })
    const found = (share: number) => ({
      discovery: { hints: [], recall: recall(share), distractorsOpened: 2 },
    })
    const made = [
      { task: 't1', setting: 'online', f1: 0.8, over: found(0.5) },
      { task: 't1', setting: 'online', trial: 1, f1: 'provider', over: found(0) },
      { task: 't2', domain: 'legal', setting: 'online', f1: 'provider', over: found(0) },
    ]
    const report = reportOf(made)
    const opened = (domain: string) => group(report, 'online', domain).discoveryRecall
    expect([opened('financial'), opened('legal'), opened('all'), opened('allByDomain')]).toEqual([
      0.5,
      null,
      0.5,
      0.5,
    ])
    expect(group(report, 'online', 'all').discovery).toMatchObject({ surfaced: 0.5, distractorsOpened: 2 })
    const { attempts } = recordsOf(made)
    const imported = buildReport({ manifest, scorers, attempts, scores: [], skippedTasks: [] })
    expect(group(imported, 'online', 'all').discoveryRecall).toBe(0.125)
  })

  it('has no lower bound for imported attempts, which have no scores', () => {
    const { attempts } = recordsOf([{ task: 't1', setting: 'online', f1: 1 }])
    const report = buildReport({ manifest, scorers, attempts, scores: [], skippedTasks: [] })
    expect(group(report, 'online', 'all')).toMatchObject({
      unscored: 1,
      answered: { meanUnscoredAsZero: null },
    })
  })

  it('has the mean without attempts during which the web failed', () => {
    const report = reportOf([
      { task: 't1', setting: 'online', f1: 0.8 },
      { task: 't2', setting: 'online', f1: 0.2, score: { infrastructureFailures: 3 } },
    ])
    const all = group(report, 'online', 'all')
    expect(all.infrastructureFailures).toBe(1)
    expect(all.metrics.cellF1).toMatchObject({ mean: 0.5, meanWithoutInfrastructureFailures: 0.8 })
  })

  it('counts an attempt without a score record as unscored and adds a note', () => {
    const { attempts, scores } = recordsOf([
      { task: 't1', setting: 'rag', f1: 1 },
      { task: 't2', setting: 'rag', f1: 1 },
    ])
    const report = buildReport({ manifest, scorers, attempts, scores: scores.slice(0, 1), skippedTasks: [] })
    expect(group(report, 'rag', 'all')).toMatchObject({ n: 2, scored: 1, unscored: 1 })
    expect(report.notes.join()).toContain('1 attempt has no score record')
  })

  it('pairs settings over the tasks scored in both', () => {
    const report = reportOf([
      { task: 't1', setting: 'offline', f1: 0.9 },
      { task: 't2', setting: 'offline', f1: 0.5 },
      { task: 't3', setting: 'offline', f1: 0.1 },
      { task: 't1', setting: 'online', f1: 0.3 },
      { task: 't2', setting: 'online', f1: 0.1 },
      { task: 't3', setting: 'online', f1: 'provider' },
    ])
    const found = report.differences.find(row => row.metric === 'cellF1' && row.domain === 'all')
    expect(found).toMatchObject({ from: 'offline', to: 'online', n: 2 })
    expect(found?.mean).toBeCloseTo(-0.5, 12)
  })

  it('compares a retriever with offline, but not with chain of thought off against on', () => {
    const report = reportOf([
      { task: 't1', setting: 'offline', f1: 0.5 },
      { task: 't1', setting: 'offline', variant: 'cot=off', f1: 0.5 },
      { task: 't1', setting: 'rag', variant: 'retriever=bm25', f1: 0.5 },
      { task: 't1', setting: 'rag', variant: 'cot=off,retriever=bm25', f1: 0.5 },
    ])
    const pairs = report.differences
      .filter(row => row.metric === 'cellF1' && row.domain === 'all')
      .map(row => `${row.from} > ${row.to}`)
    expect(pairs).toEqual([
      'offline > offline [cot=off]',
      'offline > rag [retriever=bm25]',
      'offline [cot=off] > rag [cot=off,retriever=bm25]',
      'rag [cot=off,retriever=bm25] > rag [retriever=bm25]',
    ])
  })

  it('counts terminations by setting, with their shares and mean scores', () => {
    const report = reportOf([
      { task: 't1', setting: 'online', f1: 1 },
      { task: 't2', setting: 'online', f1: 0.5 },
      {
        task: 't3',
        setting: 'online',
        f1: 0,
        end: { cause: 'budget', reason: 'tokens' },
        score: { answered: false },
      },
      { task: 't4', setting: 'online', f1: 'provider', end: { cause: 'provider', reason: 'auth' } },
    ])
    expect(report.terminations).toEqual([
      {
        setting: 'online',
        arm: 'online-extractive',
        cause: 'agent',
        reason: 'answered',
        n: 2,
        share: 0.5,
        passed: 2,
        metric: 'cellF1',
        mean: 0.75,
      },
      {
        setting: 'online',
        arm: 'online-extractive',
        cause: 'budget',
        reason: 'tokens',
        n: 1,
        share: 0.25,
        passed: 0,
        metric: 'cellF1',
        mean: 0,
      },
      {
        setting: 'online',
        arm: 'online-extractive',
        cause: 'provider',
        reason: 'auth',
        n: 1,
        share: 0.25,
        passed: 0,
        metric: 'cellF1',
        mean: null,
      },
    ])
  })

  it('has a waterfall in which recall and the classes add up to 1', () => {
    const cells = [
      makeCell(),
      makeCell({ score: 0.25, class: 'wrong' }),
      makeCell({ score: 0, class: 'not-opened' }),
      makeCell({ score: 0, class: 'no-evidence' }),
    ]
    const [row] = reportOf([{ task: 't1', setting: 'online', f1: 0.3, score: { cells } }]).waterfall
    expect(row).toMatchObject({
      n: 1,
      recall: 0.3125,
      classes: { wrong: 0.1875, 'not-opened': 0.25, 'no-evidence': 0.25 },
    })
  })

  it('counts the passed fields of an extraction as correct cells', () => {
    const score = {
      scorer: 'extract-bench',
      extract: { valid: true, failure: null } as NonNullable<Score['extract']>,
      counts: { nodes: 4, passedNodes: 3 },
    }
    const report = reportOf([{ task: 't1', setting: 'offline', f1: 1, score }])
    expect(group(report, 'offline', 'all').efficiency).toMatchObject({
      correctCells: 3,
      tokensPerCorrectCell: 400,
    })
  })

  it('divides the spending of scored attempts by their correct cells', () => {
    const cells = [makeCell(), makeCell(), makeCell({ score: 0.5 })]
    const report = reportOf([
      { task: 't1', setting: 'online', f1: 1, score: { cells } },
      { task: 't2', setting: 'online', f1: 0, score: { cells: [makeCell({ score: 0 })] } },
      { task: 't3', setting: 'online', f1: 'provider' },
    ])
    expect(group(report, 'online', 'all').efficiency).toMatchObject({
      correctCells: 1,
      tokensPerCorrectCell: 1200,
      wallMsPerCorrectCell: 2000,
      usdPerCorrectCell: null,
      usdJudge: null,
    })
  })

  it('leaves spending unknown when all known values are 0, and reads missing cached tokens as 0', () => {
    const { usage } = makeAttempt({ task: 't', setting: 'rag' })
    const spent = { ...usage, inputTokens: 100, cachedInputTokens: 60, usd: 1, usdModel: 1 }
    const refused = {
      ...usage,
      inputTokens: 0,
      cachedInputTokens: null,
      outputTokens: 0,
      usd: 0,
      usdModel: 0,
    }
    const unpriced = { ...spent, usd: null, usdModel: null }
    const unbilled = { ...spent, inputTokens: null, cachedInputTokens: null, outputTokens: null }
    const of = (...usages: (typeof usage)[]) => {
      const made = usages.map((one, index) => ({
        task: `t${index}`,
        setting: 'rag',
        f1: 1,
        over: { usage: one },
      }))
      return group(reportOf(made), 'rag', 'all')
    }
    expect(of(spent, refused)).toMatchObject({
      usd: 0.5,
      efficiency: { cachedInputTokens: 30, usdModel: 0.5 },
    })
    expect(of(spent, { ...unbilled, usd: null })).toMatchObject({ usd: 1, tokens: 300 })
    expect(of(unpriced, refused)).toMatchObject({ usd: null, tokens: 150, efficiency: { usdModel: null } })
    expect(of(unbilled, refused)).toMatchObject({
      tokens: null,
      modelCalls: 1,
      efficiency: { inputTokens: null, cachedInputTokens: null, outputTokens: null },
    })
  })

  it('averages spending per correct cell over domains, with null when that of one domain is unknown', () => {
    const cells = (n: number) => ({ cells: Array.from({ length: n }, () => makeCell()) })
    const one = { task: 'a', domain: 'academic', setting: 'rag', f1: 1, score: cells(4) }
    const other = { task: 'b', domain: 'legal', setting: 'rag', f1: 1, score: cells(1) }
    const per = (report: ReturnType<typeof reportOf>, domain: string) =>
      group(report, 'rag', domain).efficiency
    const both = reportOf([one, other])
    expect(per(both, 'all')).toMatchObject({ tokensPerCorrectCell: 480, wallMsPerCorrectCell: 800 })
    expect(per(both, 'allByDomain')).toMatchObject({ tokensPerCorrectCell: 750, wallMsPerCorrectCell: 1250 })
    const lacking = reportOf([one, { ...other, score: cells(0) }])
    expect(per(lacking, 'all').tokensPerCorrectCell).toBe(600)
    expect(per(lacking, 'allByDomain').tokensPerCorrectCell).toBeNull()
  })

  it('has evidence recall by k, as means and as curves', () => {
    const retrieval = (recall: Record<string, number>) => ({
      retriever: 'aoe',
      embedder: 'hash',
      k: 250,
      chunksInPrompt: 10,
      charsInPrompt: 5000,
      coverage: 0.5,
      evidenceInPrompt: 0.5,
      evidenceRecall: recall,
      cellsFindable: 4,
      cellsUnfindable: 0,
      noise: 0.25,
      starvedHints: [],
      medianEvidenceRank: 3,
    })
    const report = reportOf([
      { task: 't1', setting: 'rag', f1: 1, over: { retrieval: retrieval({ '5': 0.2, '250': 0.8 }) } },
      { task: 't2', setting: 'rag', f1: 1, over: { retrieval: retrieval({ '5': 0.4, '250': 1 }) } },
    ])
    const all = group(report, 'rag', 'all')
    expect(all.evidenceRecall?.['5']).toBeCloseTo(0.3, 12)
    expect(all).toMatchObject({ coverage: 0.5, noise: 0.25 })
    expect(makeRetrievalTables(report)[0]?.remarks.join(' ')).toContain('coverage: share of each document')
    const curve = report.curves.find(one => one.domain === 'all')
    expect(curve?.points.map(point => point.x)).toEqual([5, 250])
    expect(curve?.points[1]?.y).toBeCloseTo(0.9, 12)
  })

  it('separates scorers and judges, and adds a note about several judges', () => {
    const { attempts, scores } = recordsOf([{ task: 't1', setting: 'rag', f1: 1 }])
    const other = makeScore(attempts[0]!, 0.2, { judge: 'none' })
    const report = buildReport({ manifest, scorers, attempts, scores: [...scores, other], skippedTasks: [] })
    expect(
      report.groups.filter(one => one.domain === 'all').map(one => [one.judge, one.metrics.cellF1!.mean]),
    ).toEqual([
      ['rules', 1],
      ['none', 0.2],
    ])
    expect(report.notes.join()).toContain('several judges scored this run (none, rules)')
  })

  it('is the same for the same records', () => {
    const made: Made[] = Array.from({ length: 40 }, (_, at) => ({
      task: `t${at}`,
      setting: 'rag',
      f1: at / 40,
    }))
    expect(JSON.stringify(reportOf(made))).toBe(JSON.stringify(reportOf(made)))
  })
})
