import type { Attempt } from '../../src/core/attempt.ts'
import type { Score } from '../../src/core/score.ts'
import type { ScoredCell } from '../../src/core/scored-item.ts'
import type { AttemptEnd } from '../../src/core/termination.ts'
import { listScorerMetrics } from '../../tasks/scorers.ts'

/** What the built-in scorers measure. */
export const scorers = listScorerMetrics(['aoe', 'paper', 'strict', 'extract-bench'])

export interface MadeAttempt {
  readonly task: string
  readonly domain?: string
  readonly setting: string
  readonly variant?: string
  readonly trial?: number
  readonly end?: AttemptEnd
  readonly over?: Partial<Attempt>
}

/** Reads the options of an arm from a text such as `cot=off,retriever=bm25`. */
export function readOptions(text: string): Record<string, string> {
  const parts = text.split(',').filter(part => part !== '')
  return Object.fromEntries(parts.map(part => [part.split('=')[0]!, part.slice(part.indexOf('=') + 1)]))
}

/** An attempt record with everything filled in; ids follow the parts. */
export function makeAttempt(made: MadeAttempt): Attempt {
  const { task, setting, variant = '', trial = 0, domain = 'financial' } = made
  return {
    attemptId: `${task}.${setting}.${variant}.${trial}`,
    taskId: task,
    benchmark: 'aoe',
    domain,
    language: 'en',
    setting,
    ...(made.over?.sourceId === undefined ? { agent: 'tablehunt' } : {}),
    options: readOptions(variant),
    model: 'extractive',
    trial,
    seed: 0,
    startedAt: '2026-01-01T00:00:00.000Z',
    endedAt: '2026-01-01T00:00:02.000Z',
    termination: {
      ...(made.end ?? { cause: 'agent', reason: 'answered' }),
      answerProduced: true,
      forcedFinal: false,
      lastHealthyStep: 1,
      detail: null,
    },
    usage: {
      inputTokens: 1000,
      cachedInputTokens: 0,
      outputTokens: 200,
      reasoningTokens: null,
      modelCalls: 1,
      searchCalls: 0,
      fetchCalls: 0,
      toolErrors: 0,
      wallMs: 2000,
      workingMs: 1500,
      usd: null,
      usdModel: null,
      usdSearch: null,
      usdFetch: null,
    },
    answer: { csv: 'a,b\n1,2\n', rows: 1, columns: ['a', 'b'], parseStatus: 'table', parseNote: null },
    context: null,
    discovery: null,
    retrieval: null,
    ...made.over,
  }
}

export function makeCell(over: Partial<ScoredCell> = {}): ScoredCell {
  return {
    goldRow: 0,
    column: 'Revenue',
    gold: '10',
    predicted: '10',
    score: 1,
    rule: 'numeric',
    class: 'correct',
    ...over,
  }
}

/** A score record of the attempt: its F1s are `cellF1`, or it is unscored with that cause. */
export function makeScore(attempt: Attempt, cellF1: number | string, over: Partial<Score> = {}): Score {
  const scored = typeof cellF1 === 'number'
  const share = scored ? cellF1 : null
  const tableMetrics = {
    ...{ rowPrecision: share, rowRecall: share, rowF1: share },
    ...{ cellPrecision: share, cellRecall: share, cellF1: share },
    ...{ schemaPrecision: 1, columnRecall: null, overall: null },
  }
  const { nodes = 0, passedNodes = 0 } = over.counts ?? {}
  const jsonMetrics = { fieldPassRate: nodes === 0 ? null : passedNodes / nodes }
  const defaults = scored ? (over.extract === undefined ? tableMetrics : jsonMetrics) : {}
  return {
    attemptId: attempt.attemptId,
    taskId: attempt.taskId,
    setting: attempt.setting,
    model: attempt.model,
    trial: attempt.trial,
    options: attempt.options,
    scorer: 'aoe',
    judge: 'rules',
    status: scored ? 'scored' : 'unscored',
    cause: scored ? null : cellF1,
    answered: scored,
    success: scored ? cellF1 === 1 : null,
    kind: over.extract === undefined ? 'table' : 'json',
    items: [],
    explanation: [],
    infrastructureFailures: 0,
    overall: null,
    counts: {},
    judgeUsage: { calls: 0, callsSaved: 0, inputTokens: 0, outputTokens: 0, usd: null },
    cells: [],
    ...over,
    metrics: over.kind === undefined ? { ...defaults, ...over.metrics } : (over.metrics ?? defaults),
  }
}
