import { expect, it } from 'vitest'
import type { Attempt } from '../../src/core/attempt.ts'
import { parseThreshold } from '../../src/core/metric.ts'
import type { AttemptEnd } from '../../src/core/termination.ts'
import { buildReport } from '../../src/report/model/build-report.ts'
import type { Report } from '../../src/report/model/report.ts'
import { listThresholdLines, requireMetrics } from '../../src/report/model/thresholds.ts'
import { listUnscoredLines, selectScorings } from '../../src/report/model/unscored.ts'
import { makeAttempt, makeScore, scorers } from './records.ts'

const manifest = { runId: 'r1', startedAt: null, endedAt: null, config: {} }

/** One attempt for each setting and score; a text is the cause of an unscored one. */
function reportOf(
  made: readonly (readonly [setting: string, cellF1: number | string, variant?: string])[],
): Report {
  const attempts = made.map(([setting, , variant = ''], at) =>
    makeAttempt({
      ...{ task: `t${at}`, setting, variant },
      ...(made[at]![1] === 'provider' && { end: { cause: 'provider', reason: 'unavailable' } as const }),
    }),
  )
  const scores = attempts.map((attempt, at) => makeScore(attempt, made[at]![1]))
  return buildReport({ manifest, scorers, attempts, scores, skippedTasks: [] })
}

const below = (report: Report, ...thresholds: string[]): string[] =>
  listThresholdLines(report, thresholds.map(parseThreshold))

it('names each arm that misses a threshold, with its value', () => {
  const report = reportOf([
    ['offline', 0.9],
    ['rag', 0.79999],
    ['rag', 0.1, 'control=random'],
  ])
  expect(below(report, 'cellF1=0.8', 'answered=1')).toEqual([
    'rag · extractive: cellF1 is 0.7999, below 0.8 [fail-under]',
  ])
  expect(below(report, 'cellF1=0')).toEqual([])
})

it('counts an unknown value as missing the threshold', () => {
  expect(below(reportOf([['offline', 'provider']]), 'cellF1=0')).toEqual([
    'offline · extractive: cellF1 is unknown (0 of 1 attempts scored), not at least 0 [fail-under]',
  ])
})

it.each([
  ['cellF=0.8', 'unknown-metric'],
  ['overall=101', 'invalid-threshold'],
  ['cellF1=80', 'invalid-threshold'],
  ['cellF1=-0.1', 'invalid-threshold'],
  ['cellF1=', 'invalid-threshold'],
  ['cellF1', 'invalid-threshold'],
  ['=1', 'invalid-threshold'],
])('rejects %s with the code %s', (text, code) => {
  const check = (): void => requireMetrics([parseThreshold(text)], scorers)
  expect(check).toThrow(expect.objectContaining({ code }))
})

it('names the flag, the unknown metric and the known metrics', () => {
  const check = (): void => requireMetrics([parseThreshold('cellF=0.8')], scorers)
  expect(check).toThrow(/--fail-under.*'cellF'.*'cellF1'.*answered/)
})

const unscored = (cause: string, ends: readonly AttemptEnd[]): string | null => {
  const attempts: Attempt[] = ends.map((end, at) => makeAttempt({ task: `t${at}`, setting: 'offline', end }))
  const scores = attempts.map(attempt => makeScore(attempt, cause))
  return listUnscoredLines(
    buildReport({ manifest, scorers, attempts, scores, skippedTasks: [] }),
    'runs/x',
  ).join('\n')
}

it('says why no attempt could be scored', () => {
  const limited: AttemptEnd = { cause: 'provider', reason: 'rate-limited' }
  expect(unscored('provider', [limited, limited, { cause: 'harness', reason: 'crash' }])).toBe(
    "no attempt could be scored: 2 of 3 ended with provider / rate-limited. 'tablehunt logs termination runs/x' shows why. After fixing the cause, run the same command with --retry unscored [nothing-scored]",
  )
  expect(unscored('judge', [{ cause: 'agent', reason: 'answered' }])).toMatch(
    /\(scorer aoe, judge rules\)\. .*explanation: .*runs\/x\/scores\.jsonl\. 'tablehunt score runs\/x/,
  )
})

it('says that a scorer failed, and what to do, in place of a line about the judge', () => {
  expect(unscored('scorer', [{ cause: 'agent', reason: 'answered' }])).toMatch(
    /^scorer \S+ failed: 1 attempt has no score\. .*tablehunt score runs\/x.*\[scorer-failed\]$/,
  )
})

it('names an arm without any score', () => {
  const report = reportOf([
    ['offline', 0.5],
    ['rag', 'provider'],
  ])
  expect(listUnscoredLines(report, 'runs/x')).toEqual([
    expect.stringMatching(/^rag .*: none of the 1 attempts could be scored\. .*\[nothing-scored\]$/),
  ])
  expect(listUnscoredLines(reportOf([['offline', 0]]), 'runs/x')).toEqual([])
})

it('names the scorer, the judge and the place of the reason, in one line for all arms of a scoring', () => {
  const arms = ['offline', 'rag', 'online', 'closed-book']
  const attempts = arms.flatMap(setting => ['a', 'b'].map(task => makeAttempt({ task, setting })))
  const scores = attempts.flatMap(attempt => [
    makeScore(attempt, 1),
    { ...makeScore(attempt, 'judge'), scorer: 'strict', judge: 'openai:j' },
    ...(attempt.setting === 'rag' ? [{ ...makeScore(attempt, 'judge'), judge: 'openai:k' }] : []),
    ...(attempt.setting === 'rag' ? [] : [{ ...makeScore(attempt, 1), judge: 'openai:k' }]),
  ])
  const report = buildReport({ manifest, scorers, attempts, scores, skippedTasks: [] })
  const reason =
    'Each score says why, in its explanation: see the page of an attempt in report.html, or runs/x/scores.jsonl.'
  expect(listUnscoredLines(report, 'runs/x')).toEqual([
    `scorer strict, judge openai:j: none of the 8 attempts could be scored, in 4 arms. ${reason} [nothing-scored]`,
    `scorer aoe, judge openai:k: none of the 2 attempts could be scored, in rag · extractive. ${reason} [nothing-scored]`,
  ])
  const linesOf = (scorer: string[] | null, judge: string) =>
    listUnscoredLines(
      selectScorings(report, scorer, () => judge),
      'runs/x',
    )
  expect(linesOf(['aoe'], 'rules')).toEqual([])
  expect(linesOf(null, 'openai:k')).toEqual([expect.stringContaining('scorer aoe, judge openai:k')])
  expect(linesOf(['strict'], 'openai:j')).toEqual([
    expect.stringMatching(/^no attempt could be scored: .*\(scorer strict, judge openai:j\)/),
  ])
})

it('reports arms whose attempts were all interrupted once, however many scorings a run has', () => {
  const attempts = [
    makeAttempt({ task: 'a', setting: 'offline' }),
    makeAttempt({ task: 'a', setting: 'rag', end: { cause: 'provider', reason: 'unavailable' } }),
  ]
  const scores = attempts.flatMap(attempt =>
    ['rules', 'openai:j'].map(judge => ({
      ...makeScore(attempt, attempt.setting === 'rag' ? 'provider' : 1),
      judge,
    })),
  )
  const report = buildReport({ manifest, scorers, attempts, scores, skippedTasks: [] })
  expect(listUnscoredLines(report, 'runs/x')).toEqual([
    "rag · extractive: none of the 1 attempts could be scored. 'tablehunt logs termination runs/x' shows why [nothing-scored]",
  ])
})

it('reports no arm that the scorer has not scored yet', () => {
  const attempts = ['offline', 'rag'].map(setting => makeAttempt({ task: 'a', setting }))
  const scores = [
    ...attempts.map(attempt => makeScore(attempt, 1)),
    { ...makeScore(attempts[0]!, 1), judge: 'openai:j' },
  ]
  const report = buildReport({ manifest, scorers, attempts, scores, skippedTasks: [] })
  expect(listUnscoredLines(report, 'runs/x')).toEqual([])
})
