import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readRun } from '../../src/run/records/read-records.ts'
import { tablehunt } from '../cli/cli.ts'

/**
 * A quiz of two questions with three scorers. While the file `broken` contains 'broken', `throwing` throws at the question
 * 'rivers', and `malformed` returns a result without metrics at every question.
 */
const plugin = (broken: string): string => `
import { readFileSync } from 'node:fs'
import { definePlugin } from 'tablehunt'

const isBroken = () => readFileSync(${JSON.stringify(broken)}, 'utf8') === 'broken'
const task = (taskId, reference) => ({
  question: {
    taskId, benchmark: 'quiz', domain: 'geography', language: 'en', query: taskId, documentNames: [],
    form: { kind: 'text' },
  },
  gold: { kind: 'text', references: [reference] },
  documents: [],
  evidence: null,
})
const scorer = (key, check) => ({
  summary: key,
  kind: 'text',
  metrics: [{
    key, label: key, unit: 'share', better: 'higher', primary: true, role: 'score', description: key, range: [0, 1],
  }],
  async score({ question }) {
    const metrics = check(question.taskId)
    return {
      status: 'scored', answered: true, success: true, metrics, items: [], explanation: [], counts: {},
      judgeUsage: { calls: 0, callsSaved: 0, inputTokens: 0, outputTokens: 0, usd: 0 },
    }
  },
})

export default definePlugin({
  name: 'quiz',
  benchmarks: {
    quiz: {
      summary: 'a quiz',
      answerKinds: ['text'],
      load: async () => ({ skipped: [], tasks: [task('capital', 'Paris'), task('rivers', 'Seine')] }),
    },
  },
  scorers: {
    throwing: scorer('right', taskId => {
      if (isBroken() && taskId === 'rivers') throw new Error('no such word')
      return { right: 1 }
    }),
    malformed: scorer('shape', () => (isBroken() ? undefined : { shape: 1 })),
  },
})
`
const usage = { inputTokens: 10, outputTokens: 5 }

describe('a run whose scorers fail', () => {
  let folder: string
  const at = (name: string): string => join(folder, name)
  const run = () =>
    tablehunt([
      ...['run', '--plugin', at('quiz.ts'), '--benchmark', 'quiz', '--tasks', at('tasks.json')],
      ...['--out', at('run'), '--setting', 'closed-book', '--model', `scripted:${at('turns.jsonl')}`],
      ...['--context-window', '32k', '--cache', at('cache'), '--scorer', 'throwing,malformed,rouge-l'],
    ])
  const records = async () => await readRun(at('run'))
  const scoreOf = async (taskId: string, scorer: string) =>
    (await records()).scores.find(score => score.taskId === taskId && score.scorer === scorer)

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tablehunt-failed-scorer-'))
    await writeFile(at('quiz.ts'), plugin(at('broken')))
    await writeFile(at('broken'), 'broken')
    await writeFile(at('tasks.json'), '[]')
    await writeFile(at('turns.jsonl'), JSON.stringify({ turns: [{ text: 'Paris', usage }] }))
  })
  afterAll(() => rm(folder, { recursive: true }))

  it('records every attempt with its answer and returns 1', async () => {
    const { code, stderr } = await run()
    expect(code, stderr).toBe(1)
    const { attempts, scores } = await records()
    expect(attempts.map(({ termination }) => termination.reason)).toEqual(['answered', 'answered'])
    expect(scores).toHaveLength(6)
    expect(await readFile(at(`run/answers/${attempts[1]!.attemptId}.txt`), 'utf8')).toBe('Paris')
    // Once for each scorer: why, and what to do. At the end, how many scores are missing.
    expect(stderr.match(/scorer throwing failed: no such word \[plugin-failed\]/g)).toHaveLength(1)
    expect(stderr.match(/scorer malformed failed: .*`metrics` is missing \[invalid-score\]/g)).toHaveLength(1)
    expect(stderr).toContain(`run tablehunt score ${at('run')}`)
    expect(stderr).toMatch(/^tablehunt: scorer throwing failed: 1 attempt has no score.*\[scorer-failed\]$/m)
    expect(stderr).toMatch(
      /^tablehunt: scorer malformed failed: 2 attempts have no score.*\[scorer-failed\]$/m,
    )
    expect(stderr).not.toContain('nothing-scored')
  })

  it('leaves attempts unscored by the failing scorers with the cause scorer, and scores them by the others', async () => {
    expect(await scoreOf('rivers', 'throwing')).toMatchObject({
      ...{ status: 'unscored', cause: 'scorer', answered: true, success: null, metrics: {} },
      explanation: [expect.stringContaining('scorer throwing failed: no such word [plugin-failed]')],
    })
    expect(await scoreOf('capital', 'throwing')).toMatchObject({ status: 'scored', metrics: { right: 1 } })
    expect(await scoreOf('capital', 'malformed')).toMatchObject({ status: 'unscored', cause: 'scorer' })
    expect(await scoreOf('rivers', 'rouge-l')).toMatchObject({ status: 'scored', success: false })
  })

  it('never counts a failure of a scorer as 0 in the report', async () => {
    const { stdout } = await tablehunt(['report', at('run'), '--json'])
    const { groups } = JSON.parse(stdout) as {
      groups: { scorer: string; domain: string; [key: string]: unknown }[]
    }
    const groupOf = (scorer: string) => groups.find(one => one.scorer === scorer && one.domain === 'all')
    expect(groupOf('throwing')).toMatchObject({
      ...{ n: 2, scored: 1, unscored: 1, scorerFailures: 1 },
      metrics: { right: { mean: 1 } },
    })
    expect(groupOf('malformed')).toMatchObject({ n: 2, scored: 0, unscored: 2, scorerFailures: 2 })
    expect(groupOf('rouge-l')).not.toHaveProperty('scorerFailures')
  })

  it('still returns 1 when the same command has no attempts left', async () => {
    const { code, stderr } = await run()
    expect(code).toBe(1)
    expect(stderr).toContain('[scorer-failed]')
  })

  it('gets the missing scores from `score`, without another model call, when the scorers are fixed', async () => {
    await writeFile(at('broken'), 'correct')
    await rm(at('turns.jsonl'))
    const scorers = ['--scorer', 'throwing,malformed,rouge-l']
    const { code, stderr } = await tablehunt(['score', at('run'), '--plugin', at('quiz.ts'), ...scorers])
    expect(code, stderr).toBe(0)
    expect(await scoreOf('rivers', 'throwing')).toMatchObject({ status: 'scored', cause: null })
    expect(await scoreOf('capital', 'malformed')).toMatchObject({ status: 'scored', metrics: { shape: 1 } })
    expect((await records()).scores).toHaveLength(6)
  })
})
