import { describe, expect, it } from 'vitest'
import type { TextGold } from '../../../src/core/gold.ts'
import type { Judge } from '../../../src/score/contract/judge.ts'
import { readVerdict } from '../../../tasks/browsecomp-plus/score-answer.ts'
import { attemptEnding } from '../../score/attempt-ending.ts'
import { scoreAnswer } from '../../score/score-answer.ts'

/** A judge with one reply, which is a failure when it cannot be read. Null: the provider fails. */
function judgeOf(reply: string | null, prompts: string[] = []): Judge {
  return {
    ...{ kind: 'model', name: 'test', batch: false },
    ask: async ({ prompt, parse }) => {
      prompts.push(prompt)
      const value = reply === null ? null : parse(reply)
      const failure = value === null ? 'failed' : null
      return { value, failure, calls: 1, inputTokens: 0, outputTokens: 0, usd: 0 }
    },
  }
}

const gold: TextGold = { kind: 'text', references: ['Pelting'] }
const answerText = 'It is on the Orva.\nExact Answer: Pelting\nConfidence: 80%'
const scorer = 'browsecomp-plus'

describe('a verdict', () => {
  it('is read from the first yes or no, with a confidence of at most 100', () => {
    expect(readVerdict('reasoning: same\ncorrect: yes\nconfidence: 87.5%')).toEqual({
      ...{ isCorrect: true, confidence: 0.875 },
    })
    expect(readVerdict('**correct:** No\n**confidence**: 250')).toEqual({ isCorrect: false, confidence: 1 })
    expect(readVerdict('Correct: no, or\ncorrect: yes')).toEqual({ isCorrect: false, confidence: null })
    expect(readVerdict('I cannot say.')).toBeNull()
  })
})

describe('the scorer browsecomp-plus', () => {
  it('takes accuracy and confidence from the judge, who sees the whole response', async () => {
    const prompts: string[] = []
    const judge = judgeOf('correct: yes\nconfidence: 80', prompts)
    const score = await scoreAnswer({ gold, answerText, scorer, judge })
    expect(score).toMatchObject({
      ...{ status: 'scored', answered: true, success: true },
      metrics: { browseCompAccuracy: 1, browseCompConfidence: 0.8 },
      items: [{ gold: 'Pelting', predicted: 'Pelting', score: 1, rule: 'judge' }],
      explanation: ["The judge says that the answer 'Pelting' is right. Its stated confidence is 80%."],
    })
    expect(score.counts.completedAnswers).toBe(1)
    expect(prompts).toEqual([expect.stringContaining(answerText)])
    expect(prompts[0]).toContain('100 if it states none')
  })

  it('does not ask the judge about an empty answer, which is wrong', async () => {
    const prompts: string[] = []
    const score = await scoreAnswer({
      gold,
      answerText: ' ',
      scorer,
      judge: judgeOf('correct: yes', prompts),
    })
    expect(score).toMatchObject({
      ...{ status: 'scored', answered: false },
      metrics: { browseCompAccuracy: 0, browseCompConfidence: null },
    })
    expect(prompts).toEqual([])
  })

  it('does not count an answer after the end of a budget as completed', async () => {
    const attempt = attemptEnding({ cause: 'budget', reason: 'tokens' })
    const score = await scoreAnswer({ gold, answerText, scorer, attempt, judge: judgeOf('correct: yes') })
    expect(score).toMatchObject({ metrics: { browseCompAccuracy: 1 }, counts: { completedAnswers: 0 } })
  })

  it('leaves the attempt unscored when the judge fails, and says whether it replied', async () => {
    const unreadable = await scoreAnswer({ gold, answerText, scorer, judge: judgeOf('I cannot say.') })
    expect(unreadable).toMatchObject({
      status: 'unscored',
      cause: 'judge',
      counts: { unreadableVerdicts: 1 },
    })
    const failed = await scoreAnswer({ gold, answerText, scorer, judge: judgeOf(null) })
    expect(failed).toMatchObject({ status: 'unscored', cause: 'judge', counts: { unreadableVerdicts: 0 } })
  })

  it('does not record the gold of an encrypted data set', async () => {
    const encrypted = { ...gold, scoring: { isEncrypted: true } }
    const score = await scoreAnswer({
      ...{ gold: encrypted, answerText: 'Exact Answer: Elm', scorer },
      judge: judgeOf('correct: no'),
    })
    expect(JSON.stringify(score)).not.toContain('Pelting')
  })
})
