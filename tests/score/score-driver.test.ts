import { beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod/v4'
import type { JsonGold, TableGold, TextGold } from '../../src/core/gold.ts'
import { scoreSchema } from '../../src/core/score.ts'
import type { ModelJudge } from '../../src/score/contract/judge.ts'
import type { Scorer } from '../../src/score/contract/scorer.ts'
import { type AttemptToScore, scoreAttempt } from '../../src/score/score-attempt.ts'
import { findAnswerKind } from '../../tasks/kinds/answer-kinds.ts'
import { scorers } from '../../tasks/registry.ts'
import { findScorer } from '../../tasks/scorers.ts'
import { attemptEnding } from './attempt-ending.ts'
import { questionFor, scoreAnswer } from './score-answer.ts'

const towns: TableGold = {
  kind: 'table',
  keyColumns: ['town'],
  targetColumns: ['beds', 'river'],
  numericColumns: ['beds'],
  rows: [
    { town: 'Ardmore', beds: 120, river: 'Esk' },
    { town: 'Belford', beds: 45, river: null },
  ],
}
const loan: JsonGold = {
  kind: 'json',
  schemaName: 'loan',
  schema: {
    type: 'object',
    properties: {
      borrower: { type: 'string', evaluation_config: 'string_fuzzy' },
      amount: { type: 'number', nullable: true },
      lenders: { type: 'array', items: { type: 'object', properties: { name: { type: 'string' } } } },
    },
  },
  value: { borrower: 'Harbor Bank', amount: null, lenders: [{ name: 'A' }, { name: 'B' }] },
  text: '{"borrower": "Harbor Bank", "amount": null, "lenders": [{"name": "A"}, {"name": "B"}]}',
}

const scorersOfKind = { table: ['aoe', 'paper', 'strict'], json: ['extract-bench'] } as const

describe('a score', () => {
  it('of a table or of JSON is a record as the schema has it', async () => {
    const answers = [
      '```csv\ntown,beds,x\nArdmore,120,1\nCarwin,2,2\n```',
      '{"borrower": "Harbor Bnak", "amount": 1, "lenders": [{"name": "B"}, {"name": "C"}]}',
      '{"borrower": 5}',
      'nothing',
      null,
    ]
    for (const gold of [towns, loan]) {
      for (const answerText of answers) {
        for (const scorer of scorersOfKind[gold.kind]) {
          const score = await scoreAnswer({ gold, answerText, scorer })
          expect(scoreSchema.parse(score)).toEqual(score)
        }
      }
    }
  })

  it('of JSON has an item for every scored field and every value of a list, with its place in the gold', async () => {
    const score = await scoreAnswer({
      gold: loan,
      answerText: '{"borrower": "Harbor Bnak", "amount": 1, "lenders": [{"name": "C"}, {"name": "A"}]}',
    })
    expect(score.items.map(item => [item.id, item.gold, item.predicted, item.score, item.rule])).toEqual([
      ['.borrower', 'Harbor Bank', 'Harbor Bnak', score.extract?.nodes[0]?.score, 'string_fuzzy'],
      ['.amount', 'null', '1', 0, 'gold_null'],
      ['.lenders.0.name', 'A', 'A', 1, 'array_llm'],
      ['.lenders.1.name', 'B', null, 0, 'unmatched-element'],
    ])
    const places = new Set(
      findAnswerKind(loan)
        .items(loan)
        .map(item => item.id),
    )
    expect(score.items.every(item => places.has(item.id))).toBe(true)
  })

  it.each([
    ['{"borrower": "Harbor Bank",}', 'trailing-comma'],
    ['{"borrower": 5}', 'schema-mismatch'],
    ['I could not find it.', 'no-json'],
    [null, 'empty-response'],
  ])('of the invalid JSON %j has every item, wrong because of %s', async (answerText, rule) => {
    const { items, success, metrics } = await scoreAnswer({ gold: loan, answerText })
    expect(items.map(item => item.id)).toEqual(['.borrower', '.amount', '.lenders.0.name', '.lenders.1.name'])
    expect(items.every(item => item.predicted === null && item.score === 0 && item.rule === rule)).toBe(true)
    expect([success, metrics]).toEqual([false, { fieldPassRate: 0 }])
  })

  it('succeeds at the requested share, else when every item is right', async () => {
    const answerText = '```csv\ntown,beds,river\nArdmore,120,Esk\nBelford,44,\n```'
    const score = await scoreAnswer({ gold: towns, answerText })
    expect([score.metrics.cellF1, score.success]).toEqual([0.75, false])
    expect(await scoreAnswer({ gold: towns, answerText, successAt: 0.75 })).toMatchObject({
      success: true,
      successAt: 0.75,
    })
    expect((await scoreAnswer({ gold: towns, answerText, successAt: 0.8 })).success).toBe(false)
    const passed = await scoreAnswer({
      gold: loan,
      answerText: findAnswerKind(loan).write(loan).replace('Bank', 'Bonk'),
    })
    expect([passed.items[0]!.score! < 1, passed.success]).toEqual([true, true])
  })
})

describe('a conversation', () => {
  const turns = [
    { query: 'And its river?', form: { kind: 'text' } as const },
    { query: 'And its beds?', form: { kind: 'text' } as const },
  ]
  const goldOf = (text: string): TextGold => ({ kind: 'text', references: [text] })
  const conversation = (answers: readonly (string | null)[], how: Partial<AttemptToScore> = {}) =>
    scoreAttempt({
      attempt: attemptEnding({ cause: 'agent', reason: 'answered' }),
      answers,
      task: {
        question: { ...questionFor(goldOf('')), turns },
        gold: goldOf('Ardmore'),
        turnGolds: [goldOf('Esk'), goldOf('120')],
      },
      scorer: findScorer('answer-f1'),
      judge: { kind: 'rules', name: 'rules' },
      clock: { now: () => 0, sleep: async () => undefined },
      infrastructureFailures: 0,
      successAt: null,
      ...how,
    })

  it('omits a turn on which the judge failed from its means and items, and then does not succeed', async () => {
    const judge: ModelJudge = {
      kind: 'model',
      name: 'a-judge',
      batch: false,
      ask: async ({ prompt, parse }) => ({
        value: prompt.includes('120') ? null : parse('Judge: True'),
        failure: null,
        ...{ calls: 1, inputTokens: 2, outputTokens: 1, usd: 0 },
      }),
    }
    const score = await conversation(['Ardmore', 'Esk', '120'], {
      scorer: findScorer('judge-accuracy'),
      judge,
    })
    expect(score).toMatchObject({ status: 'scored', answered: true, success: false })
    expect(score.counts).toMatchObject({ turns: 3, unscoredTurns: 1 })
    expect(score.judgeUsage.calls).toBe(3)
    expect(score.items.map(item => item.turn)).toEqual([0, 1])
    expect(score.turns?.map(turn => turn.success)).toEqual([true, true, null])
    expect(score.metrics.judgeAccuracy).toBe(1)
  })

  it('is scored turn by turn, and its metrics are means over the turns', async () => {
    const score = await conversation(['Ardmore', 'Tay', null])
    expect(score.metrics.answerF1).toBeCloseTo(1 / 3, 12)
    expect(score).toMatchObject({ answered: false, success: false, counts: { goldItems: 3, turns: 3 } })
    expect(score.turns).toEqual([
      { answered: true, success: true, metrics: { answerF1: 1, answerPrecision: 1, answerRecall: 1 } },
      { answered: true, success: false, metrics: { answerF1: 0, answerPrecision: 0, answerRecall: 0 } },
      { answered: false, success: false, metrics: { answerF1: 0, answerPrecision: 0, answerRecall: 0 } },
    ])
    expect(score.items.map(item => [item.id, item.turn, item.gold, item.score])).toEqual([
      ['0:0', 0, 'Ardmore', 1],
      ['1:0', 1, 'Esk', 0],
      ['2:0', 2, '120', 0],
    ])
    expect(score.explanation?.[0]).toMatch(/^Turn 1: /)
    expect(scoreSchema.parse(score)).toEqual(score)
  })

  it('succeeds when every turn does', async () => {
    expect((await conversation(['Ardmore', 'Esk', 'one hundred and twenty'])).success).toBe(true)
  })
})

describe('the configuration that a task has for its scorer', () => {
  const seen: unknown[] = []
  const judged: Scorer = {
    summary: 'a scorer with a configuration',
    kind: 'text',
    metrics: [],
    configuration: z.object({ digits: z.int().default(2) }),
    score: async ({ configuration }) => {
      seen.push(configuration)
      return {
        status: 'scored',
        answered: true,
        metrics: {},
        items: [],
        explanation: [],
        counts: {},
        judgeUsage: { calls: 0, callsSaved: 0, inputTokens: 0, outputTokens: 0, usd: 0 },
      }
    },
  }
  beforeAll(() => scorers.add('a-test', { configured: judged }))

  it('is validated by the scorer, with its defaults', async () => {
    const gold: TextGold = { kind: 'text', references: ['x'], scoring: {} }
    const score = await scoreAnswer({ gold, answerText: 'y', scorer: 'configured' })
    expect(seen).toEqual([{ digits: 2 }])
    expect(score.success).toBe(false)
  })

  it('is refused with a message that names the task when it is invalid', async () => {
    const gold: TextGold = { kind: 'text', references: ['x'], scoring: { digits: 'two' } }
    const wrong = scoreAnswer({ gold, answerText: 'y', scorer: 'configured' })
    await expect(wrong).rejects.toMatchObject({
      name: 'DataError',
      code: 'invalid-scoring',
      message: expect.stringMatching(/^t: .*digits.*Correct the task/),
    })
  })
})
