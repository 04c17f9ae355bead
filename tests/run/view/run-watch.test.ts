import { appendFile, mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Attempt } from '../../../src/core/attempt.ts'
import { recordVersion } from '../../../src/core/attempt.ts'
import { RunWatch } from '../../../src/run/view/run-watch.ts'
import { withRecordChecksum } from '../../../src/system/record-checksum.ts'
import { makeAttempt, makeScore } from '../../report/records.ts'

let folder = ''
const file = (name: string): string => join(folder, 'first', name)
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tablehunt-watch-'))
  await mkdir(join(folder, 'first'))
  await writeFile(file('manifest.json'), JSON.stringify(manifest))
})
afterEach(() => rm(folder, { recursive: true }))

const manifest = {
  source: 'import',
  runId: 'r',
  recordVersion,
  tablehunt: '0.1.0',
  command: [],
  startedAt: '2026-01-02T00:00:00.000Z',
  endedAt: null,
  platform: { node: '20', os: 'linux', arch: 'x64' },
  planned: 3,
  skippedTasks: [],
  config: { imported: 'logs', files: [] },
  identity: {},
}

const line = (record: object): string => `${withRecordChecksum({ ...record })}\n`

async function end(attempt: Attempt, cellF1: number): Promise<void> {
  await appendFile(file('scores.jsonl'), line({ ...makeScore(attempt, cellF1) }))
  await appendFile(file('attempts.jsonl'), line(attempt))
}

const offline = (task: string) => makeAttempt({ task, setting: 'offline' })

describe('a watched run', () => {
  it('shows progress and the mean of each arm over what has ended', async () => {
    await end(offline('a'), 1)
    await end(offline('b'), 0.5)
    const run = new RunWatch(join(folder, 'first'))
    expect(await run.refresh()).toBe(true)
    expect(run.row()).toMatchObject({
      name: 'first',
      state: 'stopped',
      ...{ planned: 3, done: 2, failed: 0 },
      metric: { key: 'cellF1' },
      arms: [{ name: 'offline', mean: 0.75 }],
    })
    expect(await run.refresh()).toBe(false)
  })

  it('returns only the attempts after a position, with the arm that is new', async () => {
    await end(offline('a'), 1)
    const run = new RunWatch(join(folder, 'first'))
    await run.refresh()
    const { position } = run
    await end(makeAttempt({ task: 'b', setting: 'online' }), 0.25)
    await appendFile(file('attempts.jsonl'), '{"half')
    await run.refresh()
    const update = run.updateSince(position)
    expect(update).toMatchObject({
      isReplaced: false,
      progress: { done: 2 },
      tasks: [{ id: 'b' }],
      attempts: { task: [0], arm: [1], values: { cellF1: [0.25] } },
    })
    expect(update.arms.map(({ id }) => id)).toEqual(['offline-extractive', 'online-extractive'])
  })

  it('notices that the records were written again in another order, and sends those that are new', async () => {
    await end(offline('a'), 1)
    await end(offline('b'), 0)
    const run = new RunWatch(join(folder, 'first'))
    await run.refresh()
    const { position } = run
    await writeFile(file('part'), [offline('b'), offline('c'), offline('a')].map(line).join(''))
    await rename(file('part'), file('attempts.jsonl'))
    await run.refresh()
    expect(run.updateSince(position)).toMatchObject({ isReplaced: true, tasks: [{ id: 'c' }] })
    expect(run.row()).toMatchObject({ done: 3, arms: [{ mean: 0.5 }] })
    expect(run.wholeOf(offline('a').attemptId)?.attempt.taskId).toBe('a')
  })

  it('names the line of a damaged record', async () => {
    await writeFile(file('attempts.jsonl'), line(offline('a')).replace('"offline"', '"online"'))
    await expect(new RunWatch(join(folder, 'first')).refresh()).rejects.toMatchObject({
      code: 'damaged-record',
      message: expect.stringContaining('attempts.jsonl:1'),
    })
  })
})
