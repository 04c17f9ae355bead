import { describe, expect, it } from 'vitest'
import type { TextGold } from '../../src/core/gold.ts'
import { scoreSchema } from '../../src/core/score.ts'
import { type Judge, noJudge, rulesJudge } from '../../src/score/contract/judge.ts'
import { scorers } from '../../tasks/registry.ts'
import { attemptEnding } from './attempt-ending.ts'
import { scoreAnswer } from './score-answer.ts'

const capital: TextGold = { kind: 'text', references: ['Paris', 'the city of Paris'] }
const rivers: TextGold = {
  kind: 'text',
  references: ['Seine\nLoire\nRhône'],
  items: ['Seine', 'Loire', 'Rhône'],
}

const withoutJudge = scorers.entries().flatMap(([name, scorer]) => {
  const isForCapital = scorer.kind === 'text' && scorer.configuration === undefined
  return scorer.usesJudge === false && isForCapital ? [name] : []
})

const judgeSaying = (answer: (prompt: string) => string): Judge => ({
  kind: 'model',
  name: 'scripted',
  batch: false,
  ask: async request => {
    const value = request.parse(answer(request.prompt))
    const failure = value === null ? 'out of form' : null
    return { value, failure, calls: 1, inputTokens: 10, outputTokens: 2, usd: 0.5 }
  },
})

describe('a scorer of texts', () => {
  it('uses the reference that is most similar to the answer', async () => {
    const score = await scoreAnswer({
      gold: capital,
      scorer: 'rouge-l',
      answerText: '<think>London?</think>\nThe city of Paris\n',
    })
    expect(score).toMatchObject({
      status: 'scored',
      kind: 'text',
      scorer: 'rouge-l',
      answered: true,
      success: true,
      metrics: { rougeL: 1, rougeLPrecision: 1, rougeLRecall: 1, rougeLAccuracyAt75: 1 },
      cells: [],
    })
    expect(score.items).toEqual([
      {
        id: '0',
        index: 0,
        gold: 'the city of Paris',
        predicted: 'The city of Paris',
        score: 1,
        rule: 'rougeL',
        class: null,
      },
    ])
    expect(scoreSchema.parse(score)).toEqual(score)
  })

  it('leaves an answer unscored for which the metric has no value', async () => {
    const score = await scoreAnswer({ gold: capital, scorer: 'structext', answerText: '...' })
    expect(score).toMatchObject({ status: 'unscored', cause: 'undefined', answered: true, metrics: {} })
    expect(score.explanation).toEqual([
      expect.stringMatching(/^The attempt is not scored because the metric has no value .* ValueError/),
    ])
    expect(scoreSchema.parse(score)).toEqual(score)
  })

  it('matches a list one to one in any order, and counts surplus elements on either side', async () => {
    const f1 = await scoreAnswer({
      gold: rivers,
      scorer: 'answer-f1',
      answerText: '- Loire\n- Thames\n- Seine\n- Loire',
    })
    expect(f1.metrics).toMatchObject({ answerPrecision: 2 / 4, answerRecall: 2 / 3 })
    expect(f1.metrics.answerF1).toBeCloseTo(4 / 7, 12)
    expect(f1.items.map(item => [item.gold, item.predicted, item.score])).toEqual([
      ['Seine', 'Seine', 1],
      ['Loire', 'Loire', 1],
      ['Rhône', null, 0],
    ])
    expect(f1.success).toBe(false)
    expect(f1.explanation).toEqual([
      '2 of 3 elements of the gold list are in the answer.',
      "Missing: 'Rhône'.",
    ])
    const rouge = await scoreAnswer({
      gold: rivers,
      scorer: 'rouge-l',
      answerText: '["Rhône", "Seine", "Loire", "Thames"]',
    })
    expect(rouge.metrics.rougeL).toBe(3 / 4)
    expect(rouge.items.map(item => item.score)).toEqual([1, 1, 1])
  })

  it.each(['answer-f1', 'rouge-l'])('%s returns 0 without an answer, and says why', async scorer => {
    const attempt = attemptEnding({ cause: 'budget', reason: 'tokens' })
    const score = await scoreAnswer({ gold: rivers, scorer, answerText: null, attempt })
    expect(score).toMatchObject({ status: 'scored', answered: false, success: false })
    expect(Object.values(score.metrics).every(value => value === 0)).toBe(true)
    expect(score.items.map(item => [item.predicted, item.rule])).toEqual(Array(3).fill([null, 'no-answer']))
    expect(score.explanation).toEqual(['The attempt gave no answer. It ended with budget / tokens.'])
  })

  it('counts the cost of a judge model, and is unscored when it fails', async () => {
    const judge = judgeSaying(
      prompt => `Judge: ${prompt.includes('<reference>\nthe city') ? 'True' : 'False'}`,
    )
    const score = await scoreAnswer({ gold: capital, scorer: 'judge-accuracy', judge, answerText: 'Lutetia' })
    expect(score).toMatchObject({
      judge: 'scripted',
      success: true,
      metrics: { judgeAccuracy: 1 },
      judgeUsage: { calls: 2, inputTokens: 20, outputTokens: 4, usd: 1 },
      items: [{ gold: 'the city of Paris', rule: 'judge', score: 1 }],
    })
    const failing = judgeSaying(() => 'perhaps')
    for (const gold of [capital, rivers]) {
      const failed = await scoreAnswer({
        gold,
        scorer: 'judge-accuracy',
        judge: failing,
        answerText: 'Lutetia',
      })
      expect(failed).toMatchObject({ status: 'unscored', cause: 'judge', answered: true, success: null })
      expect(failed.judgeUsage.calls).toBeGreaterThan(0)
    }
  })

  it.each(withoutJudge)('is recorded with the judge rules, whatever judge the run has: %s', async scorer => {
    const judge = judgeSaying(() => {
      throw new Error('the scorer asked its judge')
    })
    const scores = []
    for (const one of [judge, noJudge, rulesJudge])
      scores.push(await scoreAnswer({ gold: capital, scorer, judge: one, answerText: 'Paris' }))
    expect(scores[0]).toMatchObject({ judge: 'rules', judgeUsage: { calls: 0 } })
    expect(scores[1]).toEqual(scores[0])
    expect(scores[2]).toEqual(scores[0])
  })
})
