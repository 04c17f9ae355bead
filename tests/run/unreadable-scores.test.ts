import { mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { buildReport } from '../../src/report/model/build-report.ts'
import { readSummaries } from '../../src/run/records/summaries.ts'
import { makeAttempt, makeCell, makeScore, scorers } from '../report/records.ts'

const attempts = ['a', 'b'].map(task => makeAttempt({ task, setting: 'offline' }))
const [first, second] = attempts.map(attempt => makeScore(attempt, 1, { cells: [makeCell()] }))
const withoutRow = { ...first!, cells: [{ ...makeCell(), goldRow: undefined }] }

async function folderWith(...scores: readonly object[]): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'unreadable-scores-'))
  const lines = (records: readonly object[]) => records.map(one => `${JSON.stringify(one)}\n`).join('')
  await writeFile(join(folder, 'attempts.jsonl'), lines(attempts))
  await writeFile(join(folder, 'scores.jsonl'), lines(scores))
  return folder
}

it('leaves out scores that are not records, and says which', async () => {
  const { scores, unreadableScores } = await readSummaries(await folderWith(withoutRow, second!))
  expect(scores).toMatchObject([{ taskId: 'b' }])
  expect(unreadableScores).toHaveLength(1)
  expect(unreadableScores[0]).toMatch(/scores\.jsonl:1: .*cells\[0\]\.goldRow.*left out/)
  const manifest = { runId: 'r1', startedAt: null, endedAt: null, config: {} }
  const report = buildReport({ manifest, scorers, attempts, scores, unreadableScores, skippedTasks: [] })
  expect(report.notes.join('\n')).toContain('1 score record could not be read')
  expect(report.groups.find(({ domain }) => domain === 'all')).toMatchObject({ scored: 1, missingScores: 1 })
})

it('takes a later record in the place of an unreadable one', async () => {
  const { scores, unreadableScores } = await readSummaries(await folderWith(withoutRow, second!, first!))
  expect([scores.length, unreadableScores]).toEqual([2, []])
})

it('does not take an earlier record in the place of an unreadable one', async () => {
  const { scores, unreadableScores } = await readSummaries(await folderWith(first!, withoutRow))
  expect([scores.length, unreadableScores.length]).toEqual([0, 1])
})

it('refuses a line that names neither attempt nor scorer', async () => {
  await expect(readSummaries(await folderWith({ score: 1 }))).rejects.toMatchObject({
    code: 'invalid-record',
  })
})

it('leaves out a damaged line, and a later record takes its place', async () => {
  const folder = await folderWith(first!, second!)
  const path = join(folder, 'scores.jsonl')
  const [line, ...rest] = (await readFile(path, 'utf8')).split('\n')
  await writeFile(path, [line!.slice(20), ...rest].join('\n'))
  const damaged = await readSummaries(folder)
  expect(damaged.scores).toMatchObject([{ taskId: 'b' }])
  expect(damaged.unreadableScores).toHaveLength(1)
  expect(damaged.unreadableScores[0]).toMatch(/scores\.jsonl:1: damaged: .*left out/)
  await writeFile(path, [line!.slice(20), ...rest.slice(0, -1), line, ''].join('\n'))
  expect((await readSummaries(folder)).scores).toHaveLength(2)
})
