import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readRun } from '../../src/run/records/read-records.ts'
import { readStability } from '../../src/run/records/stability-file.ts'
import { tablehunt } from '../cli/cli.ts'

/** Two questions of a quiz: one answer, and a list of answers. */
const plugin = `
import { definePlugin } from 'tablehunt'

const task = (taskId, gold, isList) => ({
  question: {
    taskId, benchmark: 'rivers-quiz', domain: 'geography', language: 'en', query: taskId, documentNames: [],
    form: { kind: 'text', isList },
  },
  gold,
  documents: [],
  evidence: null,
})

export default definePlugin({
  name: 'rivers-quiz',
  benchmarks: {
    'rivers-quiz': {
      summary: 'a quiz',
      answerKinds: ['text'],
      load: async () => ({
        skipped: [],
        tasks: [
          task('capital', { kind: 'text', references: ['Paris', 'the city of Paris'] }, false),
          task('rivers', { kind: 'text', references: ['Seine, Loire'], items: ['Seine', 'Loire'] }, true),
        ],
      }),
    },
  },
})
`
const usage = { inputTokens: 10, outputTokens: 5 }
const turns = [
  { taskId: 'capital', turns: [{ text: 'The city of Paris', usage }] },
  { taskId: 'rivers', turns: [{ text: '["Loire", "Thames"]', usage }] },
]

describe('a run whose gold is text', () => {
  let folder: string
  const at = (name: string): string => join(folder, name)
  const run = (...more: string[]) =>
    tablehunt([
      ...['run', '--plugin', at('quiz.ts'), '--benchmark', 'rivers-quiz', '--tasks', at('tasks.json')],
      ...['--out', at('run'), '--setting', 'closed-book', '--model', `scripted:${at('turns.jsonl')}`],
      ...['--context-window', '32k', '--cache', at('cache'), ...more],
    ])
  const scores = async () => (await readRun(at('run'))).scores

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tablehunt-text-run-'))
    await writeFile(at('quiz.ts'), plugin)
    await writeFile(at('tasks.json'), '[]')
    await writeFile(at('turns.jsonl'), turns.map(turn => `${JSON.stringify(turn)}\n`).join(''))
  })
  afterAll(() => rm(folder, { recursive: true }))

  it('refuses scorers of other kinds, and missing judges, before it starts', async () => {
    const wrong = await run('--scorer', 'strict')
    expect(wrong).toMatchObject({ code: 2, stdout: '' })
    expect(wrong.stderr).toMatch(/strict: it scores a table, and the tasks ask for a text.*rouge-l/)
    expect((await run('--scorer', 'judge-accuracy')).stderr).toContain('[needs-judge-model]')
    await expect(readFile(at('run/manifest.json'))).rejects.toThrow('ENOENT')
  })

  it('has one score for each attempt and scorer, with the measures of the scorer', async () => {
    const { code, stderr } = await run('--scorer', 'rouge-l,answer-f1', '--success-at', '0.5', '--json')
    expect(code).toBe(0)
    expect(stderr).toMatch(/"taskId":"capital".*"metric":"rougeL","value":1/)
    const { attempts, manifest } = await readRun(at('run'))
    expect(attempts.map(({ termination, answer }) => [termination.reason, answer.parseStatus])).toEqual([
      ['answered', 'text'],
      ['answered', 'text'],
    ])
    const found = (await scores()).map(score => [score.taskId, score.scorer, score.success])
    expect(found).toHaveLength(4)
    expect(found).toEqual(
      expect.arrayContaining([
        ['rivers', 'answer-f1', true],
        ['capital', 'rouge-l', true],
      ]),
    )
    expect(Object.keys((manifest.source === 'run' && manifest.scorers) || {}).sort()).toEqual([
      'answer-f1',
      'rouge-l',
    ])
  })

  it('is scored again with an additional scorer', async () => {
    const again = await tablehunt([
      'score',
      at('run'),
      '--plugin',
      at('quiz.ts'),
      '--scorer',
      'structext,rouge-l',
    ])
    expect(again.code).toBe(0)
    const { manifest } = await readRun(at('run'))
    expect(Object.keys((manifest.source === 'run' && manifest.scorers) || {}).sort()).toEqual([
      'answer-f1',
      'rouge-l',
      'structext',
    ])
    expect(await scores()).toHaveLength(6)
  })

  it('has no second scores by a scorer that asks no judge when it is scored with a judge model', async () => {
    await writeFile(at('judge.jsonl'), '{"setting": "judge", "turns": [{"text": "Judge: True"}]}\n')
    const judge = `scripted:${at('judge.jsonl')}`
    const again = await tablehunt([
      ...['score', at('run'), '--plugin', at('quiz.ts'), '--scorer', 'structext,judge-accuracy'],
      ...['--judge', judge, '--cache', at('cache'), '--repeat', '2'],
    ])
    expect(again.code).toBe(0)
    const judges = (await scores()).map(score => [score.scorer, score.judge === 'rules'])
    expect(judges.filter(([scorer]) => scorer === 'structext')).toEqual(Array(2).fill(['structext', true]))
    expect(judges.filter(([, isByRules]) => isByRules === false)).toEqual(
      Array(2).fill(['judge-accuracy', false]),
    )
    expect(judges).toHaveLength(8)
    const { manifest } = await readRun(at('run'))
    const scored = Object.keys(manifest.scoredBy ?? {}).map(name => name.split(':')[0])
    expect(scored.toSorted()).toEqual(['judge-accuracy/scripted', 'rouge-l/rules', 'structext/rules'])
    const stability = await readStability(at('run'))
    expect(stability.map(one => [one.scorer, one.judge.split(':')[0]])).toEqual([
      ['structext', 'rules'],
      ['judge-accuracy', 'scripted'],
    ])
  })

  it('can be audited by the elements of its answers', async () => {
    expect((await tablehunt(['audit', at('run'), '--sample', '9', '--scorer', 'rouge-l'])).code).toBe(0)
    expect(await readFile(at('run/audit.csv'), 'utf8')).toContain('the city of Paris,The city of Paris,')
  })
})
