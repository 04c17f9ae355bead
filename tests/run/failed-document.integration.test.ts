import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { fixedDelayWeb } from '../../bench/parts/fixed-delay-web.ts'
import { resolveConfig } from '../../src/config.ts'
import { DataError } from '../../src/core/errors.ts'
import type { Task } from '../../src/core/task.ts'
import { readRun } from '../../src/run/records/read-records.ts'
import { executeRun } from '../../src/run.ts'
import { defineBenchmark } from '../../tasks/benchmark.ts'
import { benchmarks } from '../../tasks/registry.ts'

/** What the second task's document does when it is loaded. */
let fail: (() => never) | null = null

const taskOf = (taskId: string): Task => ({
  question: {
    ...{ taskId, benchmark: 'archive', domain: 'd', language: 'en', query: taskId, documentNames: ['a'] },
    form: { kind: 'text' },
  },
  gold: { kind: 'text', references: ['Paris'] },
  documents: [
    {
      name: 'a',
      load: async () => {
        if (taskId === 'second') fail?.()
        return { kind: 'text', text: 'The capital is Paris.' }
      },
    },
  ],
  evidence: { kind: 'documents', names: ['a'] },
})

const removeBenchmark = benchmarks.add('tests', {
  archive: defineBenchmark({
    summary: 'tasks whose documents come from an archive',
    answerKinds: ['text'],
    load: async () => ({ tasks: ['first', 'second', 'third'].map(taskOf), skipped: [] }),
  }),
})
afterAll(removeBenchmark)

describe('a run in which one document cannot be loaded', () => {
  let folder: string
  let runs = 0
  const configOf = (options: Readonly<Record<string, unknown>>) =>
    resolveConfig({
      ...{ tasks: join(folder, 'tasks.json'), benchmark: 'archive', cache: join(folder, 'cache') },
      ...{ model: `scripted:${join(folder, 'turns.jsonl')}`, contextWindow: 32_000, browser: 'off' },
      ...options,
    })
  const run = async (setting: string) => {
    const config = configOf({ setting, out: join(folder, `run-${runs++}`) })
    const summary = await executeRun(config, setting === 'online' ? { web: fixedDelayWeb(0) } : {})
    return { summary, records: await readRun(config.out) }
  }

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tablehunt-failed-document-'))
    await writeFile(join(folder, 'tasks.json'), '[]')
    const usage = { inputTokens: 10, outputTokens: 5 }
    await writeFile(join(folder, 'turns.jsonl'), JSON.stringify({ turns: [{ text: 'Paris', usage }] }))
  })
  afterEach(() => {
    fail = null
  })
  afterAll(() => rm(folder, { recursive: true }))

  it('ends the attempt that reads it as harness / crash, and completes the others', async () => {
    fail = () => {
      throw new Error('the archive is busy')
    }
    const { summary, records } = await run('offline')
    expect(summary.left).toBe(0)
    const ends = records.attempts.map(({ termination: { cause, reason } }) => `${cause} / ${reason}`)
    expect(ends).toEqual(['agent / answered', 'harness / crash', 'agent / answered'])
    expect(records.attempts[1]!.termination.detail).toContain('the archive is busy')
    expect(records.scores.map(({ status, cause }) => [status, cause])).toEqual([
      ['scored', null],
      ['unscored', 'harness'],
      ['scored', null],
    ])
  })

  it('keeps the answer and the usage of an attempt that did not read it, and leaves it unscored', async () => {
    fail = () => {
      throw new Error('the archive is busy')
    }
    const { records } = await run('online')
    const [first, second] = records.attempts
    expect(first!.termination).toMatchObject({ cause: 'agent', reason: 'answered' })
    expect(second).toMatchObject({
      termination: {
        ...{ cause: 'harness', reason: 'crash', answerProduced: true },
        detail: expect.stringContaining('the archive is busy'),
      },
      usage: { inputTokens: 10, outputTokens: 5 },
      answer: { parseStatus: 'text' },
      discovery: null,
    })
    expect(records.scores[1]).toMatchObject({ status: 'unscored', cause: 'harness' })
    expect(records.scores[2]).toMatchObject({ status: 'scored' })
  })

  it('repeats the attempt with --retry when the document can be loaded', async () => {
    fail = () => {
      throw new Error('the archive is busy')
    }
    const { summary } = await run('offline')
    fail = null
    await executeRun(configOf({ setting: 'offline', out: summary.folder, retry: 'unscored' }))
    const { scores } = await readRun(summary.folder)
    expect(scores.map(({ status }) => status)).toEqual(['scored', 'scored', 'scored'])
  })

  it('stops when the benchmark reports wrong data', async () => {
    fail = () => {
      throw new DataError('page 3 is missing', { code: 'wrong-archive' })
    }
    await expect(run('offline')).rejects.toMatchObject({ code: 'wrong-archive' })
  })
})
