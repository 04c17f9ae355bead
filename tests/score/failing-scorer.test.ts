import { afterEach, expect, it } from 'vitest'
import { rulesJudge } from '../../src/score/contract/judge.ts'
import type { Scorer } from '../../src/score/contract/scorer.ts'
import { scorers } from '../../tasks/registry.ts'
import { attemptEnding } from './attempt-ending.ts'
import { scoreAnswer } from './score-answer.ts'

let remove: () => void = () => undefined
afterEach(() => remove())

it.each([
  [
    'throws',
    () => {
      throw new Error('no such word')
    },
  ],
  [
    'rejects',
    async () => {
      throw new Error('no such word')
    },
  ],
])("names the scorer and the task when a plug-in's scorer %s", async (_, score) => {
  const broken: Scorer = { summary: 'broken', kind: 'text', metrics: [], score }
  remove = scorers.add('mine', { broken })
  const scored = scoreAnswer({
    attempt: attemptEnding({ cause: 'agent', reason: 'answered' }),
    answerText: 'Oslo',
    gold: { kind: 'text', references: ['Oslo'] },
    scorer: 'broken',
    judge: rulesJudge,
    infrastructureFailures: 0,
  })
  await expect(scored).rejects.toMatchObject({
    code: 'plugin-failed',
    message: expect.stringMatching(/^task \S+: plug-in mine: scorer broken: no such word/),
  })
})
