import { describe, expect, it } from 'vitest'
import { scoreSchema } from '../../../src/core/score.ts'
import type { AttemptEnd } from '../../../src/core/termination.ts'
import { noJudge } from '../../../src/score/contract/judge.ts'
import { attemptEnding } from '../../score/attempt-ending.ts'
import { scoreAnswer } from '../../score/score-answer.ts'

const gold = {
  kind: 'json' as const,
  schemaName: 'race',
  schema: { type: 'object', properties: { name: { type: 'string' }, time: { type: 'number' } } },
  value: { name: 'Ada', time: 5 },
  text: '{"name": "Ada", "time": 5.0}',
}
const score = (
  answerText: string | null,
  end: AttemptEnd = { cause: 'agent', reason: 'answered' },
  detail: string | null = null,
) => {
  const attempt = attemptEnding(end, 'extract-bench')
  return scoreAnswer({
    attempt: { ...attempt, termination: { ...attempt.termination, detail } },
    answerText,
    gold,
    judge: noJudge,
    infrastructureFailures: 0,
  })
}

describe('scoring an attempt at an extraction', () => {
  it('writes a score record with the nodes and the published report', async () => {
    const result = await score('```json\n{"name": "ada ", "time": 6}\n```')
    expect(scoreSchema.parse(result)).toEqual(result)
    expect(result).toMatchObject({
      status: 'scored',
      answered: true,
      scorer: 'extract-bench',
    })
    expect(result.extract?.nodes).toEqual([
      {
        path: '$.properties.name',
        metric: 'string_semantic',
        score: 1,
        passed: true,
        presence: 'both_present',
      },
      {
        path: '$.properties.time',
        metric: 'number_tolerance',
        score: 0,
        passed: false,
        presence: 'both_present',
      },
    ])
    expect(result.counts).toMatchObject({ nodes: 2, passedNodes: 1, schemaKeys: 2, wrongValues: 1 })
  })

  it('scores an invalid answer, records its failure and counts its nodes as failed', async () => {
    expect(await score('{"name": "Ada",}')).toMatchObject({
      status: 'scored',
      answered: false,
      extract: { valid: false, failure: 'trailing-comma' },
      counts: { nodes: 2, passedNodes: 0 },
    })
    expect((await score('{"name": 5}')).extract?.failure).toBe('schema-mismatch')
    expect((await score(null, { cause: 'budget', reason: 'context-window' })).extract?.failure).toBe(
      'context-length',
    )
    const detail = 'HTTP 400: A maximum of 100 PDF pages may be provided.'
    const tooManyPages = await score(null, { cause: 'budget', reason: 'context-window' }, detail)
    expect(tooManyPages.extract?.failure).toBe('page-limit')
  })

  it('does not score an attempt that the provider ended', async () => {
    expect(await score(null, { cause: 'provider', reason: 'timeout' })).toMatchObject({
      status: 'unscored',
      cause: 'provider',
    })
  })
})
