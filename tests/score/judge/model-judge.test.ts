import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ProviderError } from '../../../src/core/errors.ts'
import { createJudgeCache } from '../../../src/score/judge/judge-cache.ts'
import {
  type Completion,
  createModelJudge,
  type ModelJudgeOptions,
} from '../../../src/score/judge/model-judge.ts'
import { createTally } from '../../../src/score/judge/tally.ts'
import { readGoldTable } from '../../../src/score/table/gold-table.ts'
import { rateOverall } from '../../../src/score/table/score-table-answer.ts'
import { defaultRetry } from '../../../src/system/retry.ts'
import { findTableScorer } from '../../../tasks/scorers.ts'

const retry = {
  ...defaultRetry,
  clock: { now: () => 0, sleep: async () => undefined },
  signal: new AbortController().signal,
}
const completion = (text: string): Completion => ({ text, inputTokens: 10, outputTokens: 2, usd: 0.01 })

/** A judge that replies with a function of the prompt and records its questions. */
function judgeOf(answer: (prompt: string) => string, more: Partial<ModelJudgeOptions> = {}) {
  const prompts: string[] = []
  const settings: { temperature: number; seed: number }[] = []
  const judge = createModelJudge({
    name: 'scripted',
    cache: null,
    retry,
    complete: async (prompt, given) => {
      prompts.push(prompt)
      settings.push(given)
      return completion(answer(prompt))
    },
    ...more,
  })
  return { judge, prompts, settings }
}

const gold = readGoldTable({
  keyColumns: ['Name'],
  targetColumns: ['Role', 'City'],
  numericColumns: [],
  rows: [
    { Name: 'Ada', Role: 'engineer', City: 'London' },
    { Name: 'Bob', Role: 'cook', City: 'Paris' },
  ],
})
const answer = {
  header: ['Name', 'Role', 'City'],
  rows: [
    ['Ada', 'builds software', 'London'],
    ['Robert', 'chef', 'paris'],
  ],
}
const replies = (prompt: string): string => {
  if (prompt.includes('has to be matched')) return '<output>Bob</output>'
  if (prompt.includes('<pair')) return '<score pair="1">0.7</score>\n<score pair="2">1</score>'
  return prompt.includes('builds software') ? '<score>0.7</score>' : '<score>1.0</score>'
}

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'judge-'))
})
afterEach(async () => {
  await rm(folder, { recursive: true })
})

describe('a judge model', () => {
  it.each(['aoe', 'paper', 'strict'] as const)(
    'decides under %s only the cells that the rules leave undecided',
    async scorer => {
      const { judge, prompts } = judgeOf(replies)
      const result = await findTableScorer(scorer).compare({ gold, answer, judge })
      expect(result.cells.map(cell => cell.rating.score)).toEqual([0.7, 1, 1, 1])
      expect(result.cells.map(cell => cell.rating.rule)).toEqual([
        'judge',
        'equal',
        'judge',
        'normalised-equal',
      ])
      expect(prompts).toHaveLength(3)
      expect(result.judgeUsage).toMatchObject({ calls: 3, inputTokens: 30, outputTokens: 6 })
      expect(result.judgeUsage.callsSaved).toBeGreaterThan(0)
    },
  )

  it('rates the cells of a column in one call under strict only', async () => {
    const { judge, prompts } = judgeOf(replies, { batch: true })
    const result = await findTableScorer('strict').compare({ gold, answer, judge })
    expect(prompts).toHaveLength(2)
    expect(result.cells.map(cell => cell.rating.score)).toEqual([0.7, 1, 1, 1])
    const paper = judgeOf(replies, { batch: true })
    await findTableScorer('paper').compare({ gold, answer, judge: paper.judge })
    expect(paper.prompts.some(prompt => prompt.includes('<pair'))).toBe(false)
  })

  it('sends temperature 0 and a seed, with another seed for another try', async () => {
    const { judge, settings } = judgeOf(() => 'no idea', { seed: 7 })
    const outcome = await judge.ask({ prompt: 'p', maxOutputTokens: 9, parse: () => null })
    expect(settings.map(({ temperature, seed }) => [temperature, seed])).toEqual([
      [0, 7],
      [0, 8],
      [0, 9],
    ])
    expect(outcome).toMatchObject({ value: null, calls: 3, failure: 'answer out of form: no idea' })
  })

  it('leaves a cell that it cannot judge unscored, never 0', async () => {
    const { judge } = judgeOf(prompt => (prompt.includes('chef') ? 'hm' : replies(prompt)))
    const result = await findTableScorer('paper').compare({ gold, answer, judge })
    expect(result.cells.map(cell => cell.rating.score)).toEqual([0.7, 1, null, 1])
    expect(result.cells[2]?.rating.rule).toBe('judge-failed')
  })

  it('leaves unmatched rows unscored when the judge failed to match a row', async () => {
    const { judge } = judgeOf(prompt => (prompt.includes('has to be matched') ? '?' : replies(prompt)))
    const result = await findTableScorer('aoe').compare({ gold, answer, judge })
    expect(result.failedRows).toBe(1)
    expect(result.cells.map(cell => cell.rating.score)).toEqual([0.7, 1, null, null])
  })

  it('rewrites the table under the gold header in aoe, aligns columns in paper', async () => {
    const foreign = { header: ['Who', 'Job', 'Where'], rows: [['Ada', 'engineer', 'London']] }
    const aoe = judgeOf(() => '```csv\nName,Role,City\nAda,engineer,London\n```')
    expect(
      (await findTableScorer('aoe').compare({ gold, answer: foreign, judge: aoe.judge })).cells[0]?.rating
        .score,
    ).toBe(1)
    const paper = judgeOf(() => '{"Name": "Who", "Role": "Job", "City": "Where"}')
    const result = await findTableScorer('paper').compare({ gold, answer: foreign, judge: paper.judge })
    expect([result.matchedTargets, result.spuriousColumns, result.matchedRows]).toEqual([2, 0, 1])
    const broken = judgeOf(() => '{"Name": "Nobody"}')
    const failed = await findTableScorer('paper').compare({ gold, answer: foreign, judge: broken.judge })
    expect(failed.cells.every(cell => cell.rating.score === null)).toBe(true)
  })

  it('never repeats a question: valid replies are kept on disk, others are not', async () => {
    const first = judgeOf(replies, { cache: createJudgeCache(folder) })
    const once = await findTableScorer('paper').compare({ gold, answer, judge: first.judge })
    const second = judgeOf(() => 'never asked', { cache: createJudgeCache(folder) })
    const again = await findTableScorer('paper').compare({ gold, answer, judge: second.judge })
    expect(second.prompts).toEqual([])
    expect(again.cells).toEqual(once.cells)
    expect(again.judgeUsage.calls).toBe(0)
    const repeat = judgeOf(replies, { cache: createJudgeCache(folder), repeat: 1 })
    await findTableScorer('paper').compare({ gold, answer, judge: repeat.judge })
    expect(repeat.prompts.length).toBeGreaterThan(0)
    const files = (await readdir(folder, { recursive: true })).filter(name => name.endsWith('.txt'))
    expect(files).toHaveLength(6)
  })

  it('retries a provider that may recover, and gives up on one that will not', async () => {
    let calls = 0
    const flaky = judgeOf(replies, {
      complete: async () => {
        calls += 1
        if (calls < 3) throw new ProviderError('unavailable', 'down', { retryable: true })
        return completion('<score>1</score>')
      },
    })
    const asked = { prompt: 'p', maxOutputTokens: 9, parse: (text: string) => text }
    expect(await flaky.judge.ask(asked)).toMatchObject({ value: '<score>1</score>', calls: 3 })
    const refused = judgeOf(replies, {
      complete: async () => {
        throw new ProviderError('auth', 'bad key', { retryable: false })
      },
    })
    expect(await refused.judge.ask(asked)).toMatchObject({ value: null, failure: 'auth: bad key', calls: 1 })
  })
})

describe('overall quality', () => {
  const input = { query: 'q', goldCsv: 'a\n1\n', answer: 'x' }
  it('reads the four scores and their mean', async () => {
    const { judge } = judgeOf(
      () => '<score1>80</score1><score2>60</score2> <score3>40</score3><score4> 100 </score4>',
    )
    expect(await rateOverall(judge, createTally(), input)).toEqual({
      intent: 80,
      schema: 60,
      content: 40,
      format: 100,
      mean: 70,
    })
  })

  it('is unscored when a score is missing or beyond 100', async () => {
    const { judge, prompts } = judgeOf(
      () => '<score1>80</score1><score2>60</score2><score3>400</score3><score4>1</score4>',
    )
    expect(await rateOverall(judge, createTally(), input)).toBeNull()
    expect(prompts).toHaveLength(3)
  })

  it('counts the cost of a reply that its provider broke off', async () => {
    const failure = new ProviderError('content-filter', 'filtered', { retryable: false })
    const { judge } = judgeOf(() => '', {
      complete: async () => {
        throw failure
      },
      billOf: error => (error === failure ? { inputTokens: 10, outputTokens: 2, usd: 0.01 } : null),
    })
    const outcome = await judge.ask({ prompt: 'p', maxOutputTokens: 10, parse: text => text })
    expect(outcome).toMatchObject({ value: null, calls: 1, inputTokens: 10, outputTokens: 2, usd: 0.01 })
  })
})
