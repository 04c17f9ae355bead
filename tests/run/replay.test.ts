import { existsSync } from 'node:fs'
import { copyFile, mkdir, mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { readTrace } from '../../logs/reader.ts'
import { resolveConfig } from '../../src/config.ts'
import type { Attempt } from '../../src/core/attempt.ts'
import { packageRoot } from '../../src/core/paths.ts'
import { seededRandom } from '../../src/core/runtime.ts'
import { executeRun } from '../../src/run.ts'
import { demoPaths } from '../../tasks/demo/demo.ts'

afterEach(() => vi.restoreAllMocks())

interface Made {
  readonly tasks: string
  readonly docs: string
}

/** Runs the online setting and gives what results are made of, without what may differ between equal runs. */
async function run({ tasks, docs }: Made, folder: string, web: Record<string, unknown>) {
  const out = join(folder, `run-${String(web.web).split(':')[0]}`)
  const config = resolveConfig({
    tasks,
    docs,
    out,
    setting: 'online',
    browser: 'off',
    cache: join(folder, 'cache'),
    ...web,
  })
  await executeRun(config, { env: {} })
  const lines = (await readFile(join(out, 'attempts.jsonl'), 'utf8')).trim().split('\n')
  const attempts = lines.map(line => JSON.parse(line) as Attempt)
  return {
    attempts: attempts.map(({ startedAt, endedAt, usage: { wallMs, workingMs, ...usage }, ...rest }) => ({
      ...rest,
      usage,
    })),
    scores: await readFile(join(out, 'scores.jsonl'), 'utf8'),
    leaks: await readFile(join(out, 'leaks.jsonl'), 'utf8'),
    traces: await Promise.all(attempts.map(async ({ attemptId }) => timeless(out, attemptId))),
  }
}

async function timeless(out: string, attemptId: string): Promise<unknown[]> {
  const { events } = await readTrace(out, attemptId)
  return events.map(event => {
    const { at, ...rest } = event as typeof event & { wallMs?: number }
    delete rest.wallMs
    return rest
  })
}

/** Records, then replays strictly with nothing to connect to. */
async function recordAndReplay(made: Made, faults?: string) {
  const folder = await mkdtemp(join(tmpdir(), 'tablehunt-replay-'))
  const record = join(folder, 'recording')
  const recorded = await run(made, folder, { web: 'sealed', record, ...(faults ? { faults } : {}) })
  const connect = vi.spyOn(Socket.prototype, 'connect').mockImplementation(() => {
    throw new Error('a replay connected to something')
  })
  const replayed = await run(made, folder, { web: `replay:${record}` })
  expect(connect).not.toHaveBeenCalled()
  return { recorded, replayed }
}

const shared = join(packageRoot, '../shared/data/tables')
const here = existsSync(shared)
const tasksAtOnce = 6

/** So many of the 28 tasks, drawn by a seed, with their documents. */
async function drawn(seed: number): Promise<Made> {
  const folder = await mkdtemp(join(tmpdir(), 'tablehunt-drawn-'))
  const docs = join(folder, 'docs')
  await mkdir(docs)
  const lines = (await readFile(join(shared, 'tasks.jsonl'), 'utf8')).trim().split('\n')
  const random = seededRandom(seed)
  const picked = lines
    .map(line => ({ line, order: random() }))
    .sort((a, b) => a.order - b.order)
    .slice(0, tasksAtOnce)
  for (const { line } of picked) {
    const hints = (JSON.parse(line) as { input_doc: string[] }).input_doc
    for (const hint of hints) {
      const path = join(shared, 'documents', hint)
      if (existsSync(path)) await copyFile(path, join(docs, hint))
    }
  }
  const tasks = join(folder, 'tasks.jsonl')
  await writeFile(tasks, `${picked.map(({ line }) => line).join('\n')}\n`)
  return { tasks, docs }
}

describe('a run that was recorded', () => {
  const demo = { tasks: demoPaths.tasks, docs: demoPaths.documents }

  it('is replayed without any connection: the same attempts, scores and traces', async () => {
    const { recorded, replayed } = await recordAndReplay(demo)
    expect(recorded.attempts).toHaveLength(9)
    expect(recorded.traces.flat().length).toBeGreaterThan(100)
    expect(replayed).toEqual(recorded)
  }, 240_000)

  it('is replayed with the faults that befell it', async () => {
    const { recorded, replayed } = await recordAndReplay(demo, 'flaky')
    expect(JSON.stringify(recorded.traces)).toContain('provider-retried')
    expect(replayed).toEqual(recorded)
  }, 240_000)

  it.skipIf(!here)(
    `is replayed alike on tasks drawn from ../shared${here ? '' : ' (skipped: ../shared is absent)'}`,
    async () => {
      const { recorded, replayed } = await recordAndReplay(await drawn(20_261_121))
      expect(recorded.attempts).toHaveLength(tasksAtOnce)
      expect(replayed).toEqual(recorded)
    },
    600_000,
  )
})
