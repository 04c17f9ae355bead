import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type HandMadeGold, loadTasks, ProviderError, score, type Task } from '../../src/index.ts'
import { packageRoot } from '../../src/system/paths.ts'

const gold: HandMadeGold = {
  kind: 'table',
  keyColumns: ['hospital'],
  targetColumns: ['beds'],
  numericColumns: ['beds'],
  rows: [
    { hospital: 'North', beds: 120 },
    { hospital: 'South', beds: 80 },
  ],
}
const task = { question: 'Which hospitals are there?', gold }
const half = 'Here it is:\n```csv\nhospital,beds\nNorth,120\nSouth,90\n```'

describe('score', () => {
  it('scores an answer by a gold that is written by hand, without a run', async () => {
    const scored = await score(half, task, { scorer: 'strict' })
    expect(scored).toMatchObject({
      ...{ status: 'scored', scorer: 'strict', judge: 'rules', answered: true, success: false },
      metrics: { cellF1: 0.5, rowF1: 1 },
      cells: [
        { score: 1, class: null },
        { score: 0, gold: '80', predicted: '90' },
      ],
    })
    expect(scored.explanation.length).toBeGreaterThan(0)
    expect(scored).not.toHaveProperty('attemptId')
  })

  it('returns 0 when there is no answer, and explains it', async () => {
    const scored = await score(null, task)
    expect(scored).toMatchObject({ status: 'scored', answered: false, metrics: { cellF1: 0 } })
    expect(scored.explanation).toEqual(['There is no answer.'])
  })

  it('uses the first scorer for JSON and for texts by default', async () => {
    const schema = { type: 'object', properties: { beds: { type: 'integer' } } }
    const json = { question: 'Beds?', gold: { kind: 'json' as const, schema, value: { beds: 120 } } }
    const text = { question: 'Town?', gold: { kind: 'text' as const, references: ['Elm'] } }
    expect(await score('{ "beds": 120 }', json)).toMatchObject({ scorer: 'extract-bench', success: true })
    expect(await score('Elm', text)).toMatchObject({ scorer: 'answer-f1', success: true })
  })

  it('scores tasks of a benchmark as its first scorer does', async () => {
    const { tasks } = await loadTasks(join(packageRoot, 'tasks', 'demo', 'tasks.jsonl'))
    expect(await score('no table', tasks[0]!)).toMatchObject({
      ...{ taskId: tasks[0]!.question.taskId, scorer: 'aoe', answered: false },
    })
  })

  it('accepts an answer for each question of a conversation', async () => {
    const form = { kind: 'text' } as const
    const conversation: Pick<Task, 'question' | 'gold' | 'turnGolds'> = {
      question: {
        ...{
          taskId: 'two',
          benchmark: 'mine',
          domain: 'x',
          language: 'en',
          query: 'One?',
          documentNames: [],
        },
        form,
        turns: [{ query: 'Two?', form }],
      },
      gold: { kind: 'text', references: ['a'] },
      turnGolds: [{ kind: 'text', references: ['b'] }],
    }
    expect(await score(['a', 'c'], conversation)).toMatchObject({
      success: false,
      turns: [{ success: true }, { success: false }],
    })
    await expect(score('a', conversation)).rejects.toMatchObject({ code: 'invalid-answer' })
  })

  it('counts a success at the share in successAt', async () => {
    expect(await score(half, task, { scorer: 'strict', successAt: 0.5 })).toMatchObject({ success: true })
  })

  const wrong: [string, () => Promise<unknown>, string][] = [
    ['an unknown scorer', () => score(half, task, { scorer: 'stric' }), 'unknown-scorer'],
    ['a scorer of another kind', () => score(half, task, { scorer: 'rouge-l' }), 'wrong-scorer'],
    ['several scorers', () => score(half, task, { scorer: 'aoe,strict' }), 'several-scorers'],
    ['an unknown judge', () => score(half, task, { judge: 'nobody' }), 'invalid-option'],
    ['an unknown option', () => score(half, task, { judgee: 'none' } as never), 'unknown-option'],
    ['an answer that is no text', () => score(undefined as never, task), 'invalid-answer'],
    ['a gold of no kind', () => score(half, { question: 'x', gold: {} } as never), 'invalid-record'],
    [
      'a gold without rows',
      () => score(half, { ...task, gold: { ...gold, rows: [] } as never }),
      'empty-gold',
    ],
    [
      'a column that the gold lacks',
      () => score(half, { ...task, gold: { ...gold, keyColumns: ['clinic'] } as never }),
      'unknown-column',
    ],
    ['a plug-in that is not there', () => score(half, task, { plugins: './none.ts' }), 'plugin-not-found'],
  ]
  it.each(wrong)('refuses %s', async (_, call, code) => {
    await expect(call()).rejects.toMatchObject({ code })
  })
})

describe('a judge that is a function', () => {
  const question = 'What is the capital of France?'
  const text = { question, gold: { kind: 'text' as const, references: ['Paris'] } }

  it('is asked with the prompt of the scorer, and named in the score', async () => {
    const prompts: string[] = []
    async function mine(prompt: string): Promise<string> {
      prompts.push(prompt)
      return 'CORRECT'
    }
    const scored = await score('It is Paris.', text, { scorer: 'judge-accuracy', judge: mine })
    expect(scored.judge).toBe('function:mine')
    expect(scored.judgeUsage).toMatchObject({ calls: prompts.length, usd: null })
    expect(prompts[0]).toContain(question)
  })

  it('leaves the answer unscored when its provider fails', async () => {
    const judge = async (): Promise<string> => {
      throw new ProviderError('auth', 'no key', { retryable: false })
    }
    expect(await score('Paris', text, { scorer: 'judge-accuracy', judge })).toMatchObject({
      ...{ status: 'unscored', cause: 'judge', metrics: {} },
    })
  })

  it('rejects with judge-failed when it throws anything else, or returns no text', async () => {
    const broken = async (): Promise<string> => {
      throw new Error('boom')
    }
    for (const judge of [broken, (async () => 1) as never])
      await expect(score('Paris', text, { scorer: 'judge-accuracy', judge })).rejects.toMatchObject({
        ...{ name: 'RunError', code: 'judge-failed' },
      })
  })
})
