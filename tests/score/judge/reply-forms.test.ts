import { describe, expect, it } from 'vitest'
import type { ModelJudge } from '../../../src/score/contract/judge.ts'
import { readJsonObject, readScore, readScores } from '../../../src/score/judge/read-reply.ts'
import { createTally } from '../../../src/score/judge/tally.ts'
import { readGoldTable } from '../../../src/score/table/gold-table.ts'
import { alignRawTables } from '../../../src/score/table/raw-comparison.ts'
import { createJudgeAsker, JudgeFailure } from '../../../tasks/widesearch/ask-judge.ts'

describe('a reply that is not in the required form is no score', () => {
  it.each([
    ...[
      '<score>**1**</score>',
      '80%',
      'Score: 1',
      '<score>80%</score>',
      '<score>8/10</score>',
      '<score>-1</score>',
    ],
    ...[
      '<score>one</score>',
      '<score></score>',
      '<score>0,5</score>',
      '<score>85</score>',
      '{"score": 1}',
      '',
    ],
    ...['<score>1</score><score>high</score>', '<score>0</score> <score>unsure</score>'],
  ])('%s', reply => {
    expect(readScore(reply)).toBeNull()
  })

  it.each([
    '<score pair=1>1</score>',
    '<score pair=1>1</score><score pair=1>0</score>',
    '<score pair=1>1</score><score pair=3>0</score>',
    '<score>1</score><score>0</score>',
    '<score pair=1>1</score><score pair=2>n/a</score>',
  ])('for two pairs: %s', reply => {
    expect(readScores(reply, 2)).toBeNull()
  })

  it.each(['{"score": 1 /* sure */}', "{'score': 1}", '{"score": 1', 'score = 1', '[1]'])(
    'as JSON: %s',
    reply => {
      expect(readJsonObject(reply)).toBeNull()
    },
  )
})

const fence = (json: string) => `\`\`\`json\n${json}\n\`\`\``

/** A judge model that gives this reply, read as the request demands. */
function judgeWith(reply: string): ModelJudge {
  return {
    ...{ kind: 'model', name: 'judge', batch: false, published: undefined },
    ask: async request => {
      const value = request.parse(reply)
      const failure = value === null ? 'answer out of form' : null
      return { value, failure, calls: 1, inputTokens: 1, outputTokens: 1, usd: 0 }
    },
  }
}

describe('grades of widesearch-fixed', () => {
  const call = {
    call: 'grade',
    of: 'beds',
    criterion: 'same',
    pairs: [
      ['12', '12'],
      ['9', '8'],
    ],
  } as const
  const ask = (reply: string) =>
    createJudgeAsker(judgeWith(reply), createTally(), { needsReadableReply: true })(call)

  it.each([
    fence('{"idx_0": 1}'),
    fence('{}'),
    fence('{"idx_0": 1, "idx_1": "0"}'),
    fence('{"idx_0": 1, "idx_1": null}'),
    fence('{"idx_0": 1, "idx_1": 80}'),
    fence('{"0": 1, "1": 0}'),
    fence('{"idx_0": 1, "idx_1": 0, // no\n}'),
    'idx_0: 1, idx_1: 0',
  ])('are a failure of the judge, and not 0, in the reply %s', async reply => {
    await expect(ask(reply)).rejects.toBeInstanceOf(JudgeFailure)
  })

  it.each([
    fence('{"idx_0": 1, "idx_1": 0}'),
    `Entry 0 is right.\n${fence('{"idx_0": true, "idx_1": false}')}`,
  ])('are read from the reply %s', async reply => {
    expect(await ask(reply)).toBe(reply)
  })
})

describe('a reply about the columns of an answer', () => {
  const rows = [{ Hotel: 'Alder', Beds: '12' }]
  const gold = readGoldTable({
    kind: 'table',
    keyColumns: ['Hotel'],
    targetColumns: ['Beds'],
    numericColumns: [],
    rows,
  } as never)
  const answer = { header: ['Haus', 'Betten'], rows: [['Alder', '12']] }
  const align = (reply: string) =>
    alignRawTables({ gold, answer, judge: judgeWith(reply), answerText: '' } as never, createTally(), false)

  it.each([
    '{}',
    '{"error": "rate limited"}',
    '{"columns": {"Hotel": "Haus"}}',
    '{"hotel": "Haus", "beds": "Betten"}',
  ])('that names none of the columns asked for is a failure: %s', async reply => {
    expect(await align(reply)).toBeNull()
  })

  it('may say that the answer has no such column', async () => {
    expect(await align('{"Hotel": "Haus", "Beds": null}')).not.toBeNull()
  })
})
