import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readRun } from '../../src/run/records/read-records.ts'
import { readBenchmark } from '../../tasks/load-benchmark.ts'
import { tablehunt } from '../cli/cli.ts'

const tasksPath = 'tests/fixtures/gisa/question.jsonl'
const table = '```tsv\nTown\tPopulation\tOpen land\nOrovale\t18650\t37.5%\nPelting\t4120\t12%\n```'

describe('a run of questions that their benchmark encrypts', () => {
  let folder: string
  const questions: string[] = []

  /** The model repeats each question in its reasoning, in a search and in its answer. */
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tablehunt-encrypted-'))
    const { tasks } = await readBenchmark('gisa', tasksPath, { spreadsheet: null, readWorkbook: () => [] })
    questions.push(...tasks.map(({ question }) => question.query))
    const script = tasks.flatMap(({ question: { taskId, query } }) => {
      const answer = { text: `${query}\n${table}`, reasoning: query }
      const search = { toolCalls: [{ name: 'web_search', args: { queries: [query, 'Orovale'] } }] }
      return [
        { taskId, setting: 'closed-book', turns: [answer] },
        { taskId, setting: 'online', turns: [search, answer] },
      ]
    })
    await writeFile(join(folder, 'script.jsonl'), script.map(line => `${JSON.stringify(line)}\n`).join(''))
    const { code, stderr } = await tablehunt([
      ...['run', '--benchmark', 'gisa', '--tasks', tasksPath, '--setting', 'closed-book,online'],
      ...['--docs', 'tests/fixtures/fanoutqa/pages', '--web', 'sealed', '--twins', '0'],
      ...['--model', `scripted:${join(folder, 'script.jsonl')}`, '--out', join(folder, 'run')],
    ])
    expect(stderr).toContain('8 of 8 attempts done')
    expect(code).toBe(0)
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  it('has no file with a question in clear', async () => {
    expect(questions).toHaveLength(4)
    const names = await readdir(join(folder, 'run'), { recursive: true, withFileTypes: true })
    const files = names.filter(entry => entry.isFile())
    expect(files.length).toBeGreaterThan(20)
    for (const { parentPath, name } of files) {
      const text = await readFile(join(parentPath, name), 'utf8')
      for (const question of questions) expect(text.includes(question), name).toBe(false)
    }
  })

  it('asks the model in clear, and scores every type of answer', async () => {
    const { scores, attempts } = await readRun(join(folder, 'run'))
    expect(attempts).toHaveLength(8)
    const tables = scores.filter(({ scorer }) => scorer === 'gisa-table')
    expect(tables.map(({ metrics }) => metrics.exactMatch)).toEqual([1, 1])
    const texts = scores.filter(({ scorer }) => scorer === 'gisa')
    expect(texts.map(({ metrics }) => metrics.exactMatch)).toEqual([0, 0, 0, 0, 0, 0])
  })
})
