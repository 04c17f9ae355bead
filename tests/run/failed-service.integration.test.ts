import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { resolveConfig } from '../../src/config.ts'
import type { RunEvent } from '../../src/run/progress/progress.ts'
import { readRun } from '../../src/run/records/read-records.ts'
import { executeRun } from '../../src/run.ts'
import { completion, type SeenRequest, send, startOpenAiServer } from '../models/openai-server.ts'

let server: Awaited<ReturnType<typeof startOpenAiServer>>
let folder = ''
/** Refused are requests for it. */
let refusedModel: string | null = null
let notices: string[] = []

const modelOf = ({ body }: SeenRequest): unknown => body.model

beforeAll(async () => {
  server = await startOpenAiServer((request, response) => {
    if (modelOf(request) === refusedModel)
      send(response, 401, { error: { message: 'Incorrect API key provided.' } })
    else send(response, 200, completion({ content: '```csv\nname,note\na,b\n```' }))
  })
})
afterAll(async () => await server.close())

beforeEach(async () => {
  server.seen.length = 0
  notices = []
  folder = await mkdtemp(join(tmpdir(), 'tablehunt-failed-service-'))
  await writeFile(join(folder, 'notes.md'), 'Notes.')
  const tasks = Array.from({ length: 8 }, (_, at) =>
    JSON.stringify({
      record_id: `academic_t${at}_1`,
      language: 'en',
      domain: 'academic',
      query: 'Which note has a?',
      input_doc: ['notes.md'],
      answers: [{ name: 'a', note: 'b' }],
      key_cols: ['name'],
      target_value_columns: ['note'],
      numeric_columns: [],
    }),
  )
  await writeFile(join(folder, 'tasks.jsonl'), tasks.join('\n'))
})

const run = (more: Record<string, unknown> = {}) =>
  executeRun(
    resolveConfig({
      tasks: join(folder, 'tasks.jsonl'),
      docs: folder,
      setting: 'offline',
      model: ['openai:a', 'openai:b'],
      baseUrl: server.url,
      contextWindow: 32_000,
      concurrency: 2,
      cache: join(folder, 'cache'),
      out: join(folder, 'run'),
      ...more,
    }),
    { tell: (event: RunEvent) => void (event.type === 'notice' && notices.push(event.text)) },
  )

const requests = (model: string): number => server.seen.filter(request => modelOf(request) === model).length

it('stops using a model that refuses its key and continues with the others; the same command completes the run', async () => {
  refusedModel = 'a'
  const stopped = await run()
  expect(stopped.failedServices).toEqual([
    expect.objectContaining({ service: 'openai:a', reason: 'auth', failed: 3, skipped: 5 }),
  ])
  expect([requests('a'), requests('b')]).toEqual([3, 8])
  expect(stopped.left).toBe(8)
  expect((await readRun(join(folder, 'run'))).attempts).toHaveLength(11)

  refusedModel = null
  const finished = await run()
  expect(notices).toContain('3 attempts that failed because of openai:a: made again')
  expect([requests('a'), requests('b')]).toEqual([3 + 8, 8])
  expect(finished).toMatchObject({ failedServices: [], left: 0 })
  const { attempts } = await readRun(join(folder, 'run'))
  expect(attempts.map(attempt => attempt.termination.reason)).toEqual(Array(16).fill('answered'))
})

it('stops when a judge refuses its key, and keeps all records', async () => {
  refusedModel = 'judge'
  const judged = run({
    model: ['openai:b'],
    judge: `openai:judge@${server.url}`,
    scorer: 'paper',
    trials: 1,
  })
  await expect(judged).rejects.toMatchObject({ code: 'provider-failed' })
})
