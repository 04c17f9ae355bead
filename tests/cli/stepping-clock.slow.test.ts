import { execFile } from 'node:child_process'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { readRun } from '../../src/run/records/read-records.ts'
import { packageRoot } from '../../src/system/paths.ts'
import { withoutTimes } from '../run/without-times.ts'

const demo = join(packageRoot, 'tasks', 'demo')
const clock = join(packageRoot, 'tests', 'fixtures', 'stepping-clock.mjs')
const hourMs = 3_600_000

async function run(out: string, nodeOptions: readonly string[]): Promise<string> {
  const what = ['--tasks', join(demo, 'tasks.jsonl'), '--docs', join(demo, 'documents'), '--limit', '6']
  const how = ['--web', 'sealed', '--browser', 'off', '--date', '2025-01-01', '--budget-wall', '5m']
  const command = [join(packageRoot, 'bin', 'tablehunt.js'), 'run', ...what, ...how, '--out', out]
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [...nodeOptions, ...command])
  return stdout + stderr
}

it('makes the same records while the wall clock steps, and no duration of hours', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tablehunt-clock-'))
  await run(join(folder, 'steady'), [])
  const printed = await run(join(folder, 'stepping'), ['--import', clock])
  const [steady, stepping] = await Promise.all([
    readRun(join(folder, 'steady')),
    readRun(join(folder, 'stepping')),
  ])
  expect(stepping.attempts.map(withoutTimes)).toEqual(steady.attempts.map(withoutTimes))
  for (const { startedAt, endedAt, usage } of stepping.attempts) {
    const durationMs = Date.parse(endedAt) - Date.parse(startedAt)
    expect(durationMs).toBeGreaterThanOrEqual(0)
    expect(durationMs).toBeLessThan(hourMs)
    expect(usage.wallMs).toBeLessThan(hourMs)
  }
  expect(printed).not.toMatch(/\d ?h\b|NaN|-\d+ ?m?s\b/)
})
