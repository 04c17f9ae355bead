import { mkdtemp, readFile } from 'node:fs/promises'
import { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, vi } from 'vitest'
import { readTrace } from '../../logs/reader.ts'
import { resolveConfig } from '../../src/config.ts'
import type { Attempt } from '../../src/core/attempt.ts'
import { executeRun } from '../../src/run.ts'

afterEach(() => vi.restoreAllMocks())

/** Tasks and their documents. */
export interface TaskFiles {
  readonly tasks: string
  readonly docs: string
  /** Only the first so many tasks. */
  readonly limit?: number
  /** Further options of both runs. */
  readonly options?: Readonly<Record<string, unknown>>
  /** The environment of both runs; empty by default. */
  readonly env?: NodeJS.ProcessEnv
}

/** Runs the online setting and gives what results are made of, without what may differ between equal runs. */
async function run(
  { tasks, docs, limit, options, env = {} }: TaskFiles,
  folder: string,
  web: Record<string, unknown>,
) {
  const out = join(folder, `run-${String(web.web).split(':')[0]}`)
  const config = resolveConfig({
    tasks,
    docs,
    out,
    setting: 'online',
    ...(limit === undefined ? {} : { limit }),
    ...options,
    browser: 'off',
    cache: join(folder, 'cache'),
    ...web,
  })
  await executeRun(config, { env })
  const lines = (await readFile(join(out, 'attempts.jsonl'), 'utf8')).trim().split('\n')
  const attempts = lines.map(line => JSON.parse(line) as Attempt)
  return {
    attempts: attempts.map(
      ({ startedAt, endedAt, files, usage: { wallMs, workingMs, ...usage }, ...rest }) => ({
        ...rest,
        usage,
      }),
    ),
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
export async function recordAndReplay(files: TaskFiles, faults?: string) {
  const folder = await mkdtemp(join(tmpdir(), 'tablehunt-replay-'))
  const record = join(folder, 'recording')
  const recorded = await run(files, folder, { web: 'sealed', record, ...(faults ? { faults } : {}) })
  const connect = vi.spyOn(Socket.prototype, 'connect').mockImplementation(() => {
    throw new Error('a replay connected to something')
  })
  const replayed = await run(files, folder, { web: `replay:${record}` })
  expect(connect).not.toHaveBeenCalled()
  return { recorded, replayed }
}
