import { mkdir, mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { systemClock } from '../../src/core/runtime.ts'
import { readRunDate } from '../../src/run/make-attempts.ts'

const clock = { ...systemClock, now: () => Date.parse('2026-11-23T22:00:00Z') }

async function recording(head: Record<string, unknown>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'recording-'))
  await mkdir(join(folder, 'bodies'))
  const whole = { format: 'tablehunt-recording-1', source: 'live', entries: null, ...head }
  await writeFile(join(folder, 'recording.json'), `${JSON.stringify(whole)}\n`)
  await writeFile(join(folder, 'index.jsonl'), '{}\n')
  return folder
}

it('the date of a run is the given one, else that of the recording, else today', async () => {
  const out = join(tmpdir(), 'a-run-that-does-not-exist')
  const folder = await recording({ date: '2026-01-05' })
  const web = `replay:${folder}`
  expect(await readRunDate({ date: '2025-02-03', out, web }, clock)).toBe('2025-02-03')
  expect(await readRunDate({ date: null, out, web }, clock)).toBe('2026-01-05')
  expect(await readRunDate({ date: null, out, web: 'live' }, clock)).toBe('2026-11-23')
  const older = `replay:${await recording({})}`
  expect(await readRunDate({ date: null, out, web: older }, clock)).toBe('2026-11-23')
})
