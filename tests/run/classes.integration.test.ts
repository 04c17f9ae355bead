import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { tracePath } from '../../logs/writer.ts'
import { resolveConfig } from '../../src/config.ts'
import { type CellClass, cellClasses } from '../../src/core/cell-classes.ts'
import type { Score } from '../../src/core/score.ts'
import { sumLosses } from '../../src/report/model/waterfall.ts'
import { readRun } from '../../src/run/records/read-records.ts'
import { readReport } from '../../src/run/report-run.ts'
import { scoreRun } from '../../src/run/scores/score-run.ts'
import { buildWeb } from '../../src/run/web-tools/sealed-web.ts'
import { executeRun } from '../../src/run.ts'
import { demoPaths } from '../../tasks/demo/demo.ts'

const lacks: Readonly<Record<string, readonly CellClass[]>> = {
  offline: ['not-surfaced', 'not-opened', 'not-parsed', 'not-retrieved'],
  rag: ['not-surfaced', 'not-opened', 'not-parsed', 'not-in-view'],
  online: ['not-retrieved'],
}

async function demoRun(options: Record<string, unknown>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'classes-'))
  const { tasks, documents: docs } = demoPaths
  const common = { tasks, docs, web: 'sealed', browser: 'off', vectorStore: 'exact', contextTokens: '400' }
  const out = join(folder, 'run')
  await executeRun(resolveConfig({ ...common, out, cache: join(folder, 'cache'), ...options }))
  return out
}

async function corpusOfDemo(): Promise<string> {
  const folder = join(await mkdtemp(join(tmpdir(), 'corpus-')), 'corpus')
  await buildWeb([demoPaths.documents], { out: folder, twins: '1', seed: '0' }, () => undefined)
  return folder
}

const config = resolveConfig({ tasks: '-', out: '-' })
const signal = new AbortController().signal
const classesOf = (scores: readonly Score[], scorer: string) =>
  scores
    .filter(score => score.scorer === scorer)
    .map(score => [score.attemptId, score.cells.map(cell => cell.class)])

describe('the classes of a run', () => {
  let folder: string
  beforeAll(async () => {
    folder = await demoRun({ budgetFetchCalls: 2, contextWindow: 4000 })
  })

  it('exist for every gold cell of every scored attempt, among those that are possible in its setting', async () => {
    const { scores } = await readRun(folder)
    expect(scores.length).toBeGreaterThan(5)
    for (const score of scores) {
      expect(score.status).toBe('scored')
      for (const cell of score.cells) {
        expect(cellClasses).toContain(cell.class)
        expect(lacks[score.setting] ?? []).not.toContain(cell.class)
      }
    }
    const lost = new Set(scores.flatMap(score => score.cells.map(cell => cell.class)))
    expect(lost.size).toBeGreaterThan(3)
  })

  it('add up to 1 - recall in every attempt and in the waterfall', async () => {
    const { scores } = await readRun(folder)
    for (const score of scores) {
      const lost = [...sumLosses(score)!.classes.values()].reduce((sum, share) => sum + share, 0)
      expect(lost).toBeCloseTo(1 - score.metrics.cellRecall!, 10)
    }
    const { waterfall, notes } = (await readReport(folder)).report
    expect(waterfall.map(row => row.setting)).toEqual(expect.arrayContaining(['offline', 'rag', 'online']))
    for (const row of waterfall) {
      const lost = Object.values(row.classes).reduce((sum, share) => sum + share, 0)
      expect(row.recall + lost).toBeCloseTo(1, 10)
    }
    expect(notes.join()).not.toContain('without a class')
  })

  it('are equal when the run is scored again, and exist under every other scorer', async () => {
    const before = classesOf((await readRun(folder)).scores, 'aoe')
    const notices: string[] = []
    const options = { config, repeats: 1, signal, tell: (line: string) => notices.push(line) }
    await scoreRun(folder, { ...options, config: { ...config, scorer: ['aoe', 'strict'] } })
    const { scores } = await readRun(folder)
    expect(classesOf(scores, 'aoe')).toEqual(before)
    expect(notices).toEqual([])
    for (const score of scores.filter(one => one.scorer === 'strict')) {
      for (const cell of score.cells) expect(cell.class).not.toBeNull()
      const lost = [...sumLosses(score)!.classes.values()].reduce((sum, share) => sum + share, 0)
      expect(lost).toBeCloseTo(1 - score.metrics.cellRecall!, 10)
    }
  })

  it('are unknown, with a notice, when the line that records the shown texts is damaged', async () => {
    const wrong = (score: Score) => score.setting === 'offline' && score.cells.some(cell => cell.score === 0)
    const { attemptId } = (await readRun(folder)).scores.find(wrong)!
    const path = tracePath(folder, attemptId)
    const trace = await readFile(path, 'utf8')
    await writeFile(path, trace.replace('"type":"answer-parsed",', '"type":"answer-parsed",,'))
    const notices: string[] = []
    const options = { config, repeats: 1, signal, tell: (line: string) => notices.push(line) }
    await scoreRun(folder, { ...options, config: { ...config, scorer: ['aoe'] } })
    await writeFile(path, trace)
    expect(notices).toEqual([expect.stringMatching(/^1 of \d+ attempts have lost items .*: damaged/)])
  })

  it("are unknown, with a notice and without guesses, when the run's documents are missing", async () => {
    const blobs = join(folder, 'traces', 'blobs')
    for (const name of await readdir(blobs)) await rm(join(blobs, name))
    const notices: string[] = []
    const options = { config, repeats: 1, signal, tell: (line: string) => notices.push(line) }
    await scoreRun(folder, { ...options, config: { ...config, scorer: ['aoe'] } })
    const { scores } = await readRun(folder)
    const cells = scores.filter(score => score.scorer === 'aoe').flatMap(score => score.cells)
    for (const cell of cells) expect(['correct', 'wrong', 'budget', 'unreadable', null]).toContain(cell.class)
    expect(cells.some(cell => cell.class === null && cell.score === 0)).toBe(true)
    expect(notices).toHaveLength(1)
    expect(notices[0]).toMatch(/^\d+ of \d+ attempts have lost items without a class: .*missing/)
    expect((await readReport(folder)).report.notes.join()).toContain('of unknown class')
  })
})

it('online without documents, some classes are known, and a notice names those that are not', async () => {
  const live = await demoRun({ setting: 'online', docs: undefined, web: `sealed:${await corpusOfDemo()}` })
  const { attempts, scores } = await readRun(live)
  const unknown = new Set(attempts.filter(one => one.discovery === null).map(one => one.attemptId))
  const cells = scores.filter(score => unknown.has(score.attemptId)).flatMap(score => score.cells)
  expect(cells.some(cell => cell.class === 'correct')).toBe(true)
  for (const cell of cells)
    expect(cell.class).toBe(cell.score === 1 ? 'correct' : cell.score === 0 ? null : 'wrong')
  expect((await readReport(live)).report.notes.join()).toContain('of unknown class')
})
