import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { createBlobStore, readStoredText } from '../../logs/blobs.ts'
import { readTrace } from '../../logs/reader.ts'
import { resolveConfig } from '../../src/config.ts'
import { type Clock, systemClock } from '../../src/core/runtime.ts'
import { readRun } from '../../src/run/records/read-records.ts'
import { executeRun } from '../../src/run.ts'
import { demoPaths } from '../../tasks/demo/demo.ts'

/** A clock that shows another day, and otherwise runs as usual. */
function clockFrom(day: string): Clock {
  const offsetMs = Date.parse(day) - systemClock.now()
  return { ...systemClock, now: () => systemClock.now() + offsetMs }
}

it('a recorded run and its replay on a later day state the same date in the prompt', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tablehunt-date-'))
  const promptOf = async (name: string, day: string, web: Record<string, unknown>): Promise<string> => {
    const out = join(folder, name)
    const config = resolveConfig({
      ...{ tasks: demoPaths.tasks, docs: demoPaths.documents, limit: 1, setting: 'online', browser: 'off' },
      ...{ out, cache: join(folder, 'cache'), ...web },
    })
    await executeRun(config, { env: {}, clock: clockFrom(day) })
    return await firstPromptOf(out)
  }
  const record = join(folder, 'recording')
  const recorded = await promptOf('recorded', '2026-01-05T12:00:00Z', { web: 'sealed', record })
  const replayed = await promptOf('replayed', '2026-02-07T12:00:00Z', { web: `replay:${record}` })
  expect(recorded).toContain('2026-01-05')
  expect(replayed).toBe(recorded)
})

/** Returns the messages of the first model call of a run with one attempt. */
async function firstPromptOf(out: string): Promise<string> {
  const [attempt] = (await readRun(out)).attempts
  const { events } = await readTrace(out, attempt!.attemptId)
  const call = events.find(event => event.type === 'model-called')
  const blobs = createBlobStore({ folder: out })
  return call!.messages.map(({ content }) => readStoredText(content, blobs)).join('\n')
}
