import { mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { readTrace } from '../../logs/reader.ts'
import { tracePath } from '../../logs/writer.ts'
import { resolveConfig } from '../../src/config.ts'
import type { Attempt } from '../../src/core/attempt.ts'
import { readRun } from '../../src/run/records/read-records.ts'
import { readReport } from '../../src/run/report-run.ts'
import { scoreRun } from '../../src/run/scores/score-run.ts'
import { executeRun } from '../../src/run.ts'
import { demoPaths } from '../../tasks/demo/demo.ts'
import { withoutTimes } from './without-times.ts'

async function onlineRun(options: Record<string, unknown>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'checkpoints-'))
  const { tasks, documents: docs } = demoPaths
  const out = join(folder, 'run')
  const common = { tasks, docs, out, cache: join(folder, 'cache'), setting: 'online', web: 'sealed' }
  await executeRun(resolveConfig({ ...common, browser: 'off', ...options }))
  return out
}

it('checkpoints draw budget curves and change nothing else in a run', async () => {
  const [plain, watched] = [
    await onlineRun({ limit: 4 }),
    await onlineRun({ checkpointTokens: '1k,3k', limit: 4 }),
  ]
  const [before, after] = [await readRun(plain), await readRun(watched)]
  expect(after.attempts.map(withoutTimes)).toEqual(before.attempts.map(withoutTimes))
  const taken = after.scores.flatMap(score => score.checkpoints ?? [])
  expect(taken.length).toBeGreaterThan(3)
  expect(taken.every(one => one.tokens >= 1000 && typeof one.metrics.cellF1 === 'number')).toBe(true)
  expect(taken.some(one => one.answered)).toBe(true)
  for (const { attemptId, checkpoints = [] } of after.scores) {
    const { events } = await readTrace(watched, attemptId)
    expect(events.filter(event => event.type === 'checkpoint')).toHaveLength(checkpoints.length)
  }
  const { curves, run } = (await readReport(watched)).report
  expect(run.repeated).toMatchObject({ attempts: 0, shadowAnswers: taken.length })
  const drawn = new Set(
    curves.filter(curve => curve.figure === 'budget').map(curve => `${curve.y} ${curve.x}`),
  )
  expect([...drawn]).toEqual(
    expect.arrayContaining(['cellF1 tokens', 'answered modelCalls', 'discovery tokens']),
  )
  const without = (await readReport(plain)).report.curves.filter(curve => curve.figure === 'budget')
  expect(new Set(without.map(curve => curve.y))).toEqual(new Set(['discovery']))
})

it('scoring a run again includes its checkpoints', async () => {
  const folder = await onlineRun({ checkpointTokens: '1k', limit: 2 })
  const before = (await readRun(folder)).scores
  const config = resolveConfig({ tasks: '-', out: '-', scorer: 'aoe,strict' })
  const signal = new AbortController().signal
  await scoreRun(folder, { config, repeats: 1, signal })
  const { scores } = await readRun(folder)
  expect(scores.filter(score => score.scorer === 'aoe')).toEqual(before)
  const strict = scores.filter(score => score.scorer === 'strict')
  expect(strict.map(score => score.checkpoints?.length)).toEqual(
    before.map(score => score.checkpoints?.length),
  )
})

it('scoring a run again names damaged checkpoints by file and line', async () => {
  const folder = await onlineRun({ checkpointTokens: '1k', limit: 1 })
  const [{ attemptId }] = (await readRun(folder)).attempts as [Attempt]
  const path = tracePath(folder, attemptId)
  const lines = (await readFile(path, 'utf8')).split('\n')
  const at = lines.findIndex(line => line.includes('"type":"checkpoint"'))
  lines[at] = lines[at]!.replace('"type":"checkpoint",', '"type":"checkpoint",,')
  await writeFile(path, lines.join('\n'))
  const config = resolveConfig({ tasks: '-', out: '-', scorer: 'strict' })
  const signal = new AbortController().signal
  await expect(scoreRun(folder, { config, repeats: 1, signal })).rejects.toMatchObject({
    code: 'damaged-trace',
    message: expect.stringContaining(`${path}:${at + 1}: `),
  })
})
