import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { readTrace } from '../../logs/reader.ts'
import { resolveConfig } from '../../src/config.ts'
import { optionsText } from '../../src/core/arm.ts'
import { type RunRecords, readRun } from '../../src/run/records/read-records.ts'
import { readReport } from '../../src/run/report-run.ts'
import { executeRun } from '../../src/run.ts'
import { demoPaths } from '../../tasks/demo/demo.ts'

const { tasks, documents: docs } = demoPaths

async function controlled(options: Record<string, unknown>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'online-controls-'))
  const common = { tasks, docs, web: 'sealed', browser: 'off', controls: 'found-only,oracle-inject' }
  const out = join(folder, 'run')
  await executeRun(resolveConfig({ ...common, out, cache: join(folder, 'cache'), ...options }))
  return out
}

describe('controls of the online setting', () => {
  let folder: string
  let run: RunRecords
  const of = (setting: string, variant: string) =>
    run.attempts.filter(one => one.setting === setting && optionsText(one.options) === variant)
  beforeAll(async () => {
    folder = await controlled({ setting: 'offline,online', limit: 5, budgetFetchCalls: 1, concurrency: 2 })
    run = await readRun(folder)
  })

  it('are one additional attempt each, with options of their own', () => {
    expect(of('offline', '')).toHaveLength(5)
    expect(of('online', '')).toHaveLength(5)
    expect(of('offline', 'control=found-only')).toHaveLength(5)
    expect(of('online', 'control=oracle-inject')).toHaveLength(5)
    expect(run.attempts).toHaveLength(20)
  })

  it('include found-only, which shows offline exactly what the online attempt opened and parsed', () => {
    let missed = 0
    for (const online of of('online', '')) {
      const control = of('offline', 'control=found-only').find(one => one.taskId === online.taskId)
      const found = online.discovery?.hints.filter(hint => hint.parsedStep !== null).map(hint => hint.hint)
      expect(control?.context?.documents.map(document => document.hint)).toEqual(found)
      missed += (online.discovery?.hints.length ?? 0) - (found?.length ?? 0)
    }
    expect(missed).toBeGreaterThan(0)
  })

  it('include oracle-inject, which adds the missed documents to the conversation and requests one more answer', async () => {
    for (const online of of('online', '')) {
      const control = of('online', 'control=oracle-inject').find(one => one.taskId === online.taskId)!
      const missing = online.discovery?.hints.filter(hint => hint.parsedStep === null).map(hint => hint.hint)
      expect(control.context?.documents.map(document => document.hint)).toEqual(missing)
      expect(control.usage).toMatchObject({ modelCalls: 1, searchCalls: 0, fetchCalls: 0 })
      expect(control.termination.cause).toBe('agent')
      const asked = (await readTrace(folder, control.attemptId)).events.find(
        one => one.type === 'model-called',
      )
      const before = (await readTrace(folder, online.attemptId)).events
      const roles = asked?.messages.map(message => message.role) ?? []
      expect(roles.slice(0, 2)).toEqual(['system', 'user'])
      expect(roles.at(-1)).toBe('user')
      const shown = before.filter(one => one.type === 'tool-answered' || one.type === 'tool-failed').length
      expect(roles.filter(role => role === 'tool').length).toBeLessThanOrEqual(shown)
      expect(roles.filter(role => role === 'tool').length).toBeGreaterThan(0)
    }
  })

  it('have loss classes, and found-only is part of the waterfall', async () => {
    for (const score of run.scores) for (const cell of score.cells) expect(cell.class).not.toBeNull()
    const { waterfall } = (await readReport(folder)).report
    const onlineRow = waterfall.find(
      row => row.setting === 'online' && optionsText(row.options) === '' && row.domain === 'all',
    )
    const control = waterfall.find(row => row.options.control === 'found-only' && row.domain === 'all')
    expect(onlineRow?.foundOnly).toBe(control?.recall)
    expect(waterfall.filter(row => row.setting !== 'online').every(row => row.foundOnly === undefined)).toBe(
      true,
    )
    const cellsOf = (variant: string) =>
      run.scores.filter(one => optionsText(one.options) === variant).flatMap(one => one.cells)
    const correct = (variant: string) => cellsOf(variant).filter(cell => cell.class === 'correct').length
    const online = run.scores.filter(one => one.setting === 'online' && optionsText(one.options) === '')
    const found = online.flatMap(one => one.cells).filter(cell => cell.class === 'correct').length
    expect(correct('control=oracle-inject')).toBeGreaterThan(found)
  })
})

it('refuses impossible controls before anything is spent', async () => {
  await expect(controlled({ setting: 'offline', limit: 1 })).rejects.toMatchObject({
    code: 'control-needs-setting',
  })
  await expect(
    controlled({ setting: 'online', docs: undefined, limit: 3, web: 'replay:nowhere' }),
  ).rejects.toMatchObject({ code: 'control-needs-documents' })
})
