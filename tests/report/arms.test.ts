import { describe, expect, it } from 'vitest'
import { buildReport } from '../../src/report/model/build-report.ts'
import { compareRuns } from './compare-runs.ts'
import { type MadeAttempt, makeAttempt, makeScore, scorers } from './records.ts'

const manifest = { runId: 'r', startedAt: null, endedAt: null, config: {} }

type Made = Omit<MadeAttempt, 'setting'> & { readonly setting?: string; readonly model?: string }

function recordsOf(made: readonly Made[]) {
  const attempts = made.map(({ model, ...one }) => {
    const attempt = makeAttempt({ setting: 'online', ...one })
    const own = model === undefined ? {} : { model, attemptId: `${attempt.attemptId}-${model}` }
    return { ...attempt, ...own }
  })
  const scores = attempts.map(attempt => makeScore(attempt, 0.5))
  return { manifest, attempts, scores, scorers }
}

const reportOf = (...made: readonly Made[]) => buildReport({ ...recordsOf(made), skippedTasks: [] })

describe('the arms of a report', () => {
  it('have a readable id, a name, an agent and the options that differ from the defaults', () => {
    const { arms } = reportOf(
      { task: 'a', setting: 'offline' },
      { task: 'a', setting: 'rag', variant: 'cot=off,retriever=hybrid' },
    )
    expect(arms).toEqual([
      {
        ...{ id: 'offline-extractive', name: 'offline', setting: 'offline' },
        ...{ agent: 'tablehunt', model: 'extractive', options: {} },
      },
      {
        id: 'rag-cot-off-hybrid-extractive',
        name: 'rag cot=off hybrid',
        ...{ setting: 'rag', agent: 'tablehunt', model: 'extractive' },
        options: { cot: 'off', retriever: 'hybrid' },
        retriever: 'hybrid',
      },
    ])
  })

  it('are named by what differs between the arms of a setting', () => {
    const shared = 'vector-store=exact,context-tokens'
    const { arms } = reportOf(
      { task: 'a', setting: 'offline' },
      { task: 'a', setting: 'rag', variant: `retriever=bm25,${shared}=4000` },
      { task: 'a', setting: 'rag', variant: `retriever=bm25,${shared}=16000,control=oracle` },
    )
    expect(arms.map(({ name }) => name)).toEqual(['offline', 'rag 4k', 'rag 16k oracle'])
  })

  it('get numbers when two ids would be the same', () => {
    const { arms, groups } = reportOf(
      { task: 'a', setting: 'offline', model: 'openai:qwen/qwen3' },
      { task: 'a', setting: 'offline', model: 'openrouter:other/qwen3' },
    )
    expect(arms.map(({ id }) => id)).toEqual(['offline-qwen3', 'offline-qwen3-2'])
    expect(new Set(groups.map(({ arm, model }) => `${arm} ${model}`))).toEqual(
      new Set(['offline-qwen3 openai:qwen/qwen3', 'offline-qwen3-2 openrouter:other/qwen3']),
    )
  })

  it('have short ids even with many options', () => {
    const variant = Array.from({ length: 20 }, (_, at) => `option-${at}=on`).join(',')
    const { arms } = reportOf({ task: 'a', variant }, { task: 'a', variant: `${variant},last=on` })
    expect(arms.map(({ id }) => id.length)).toEqual([60, 62])
  })

  it('are named by their ids in groups, ends and differences', () => {
    const report = reportOf({ task: 'a', setting: 'offline' }, { task: 'a', setting: 'online' })
    const ids = report.arms.map(({ id }) => id)
    expect(ids).toEqual(['offline-extractive', 'online-extractive'])
    for (const { arm } of [...report.groups, ...report.ends, ...report.terminations])
      expect(ids).toContain(arm)
    expect(report.differences[0]).toMatchObject({ fromArm: ids[0], arm: ids[1] })
  })

  it('are null in a termination row that counts several arms', () => {
    const { terminations, ends } = reportOf({ task: 'a' }, { task: 'a', variant: 'cot=off' })
    expect(terminations.map(({ arm }) => arm)).toEqual([null])
    expect(ends.map(({ arm }) => arm)).toEqual(['online-extractive', 'online-cot-off-extractive'])
  })

  it('have no agent when an imported log does not name one', () => {
    const records = recordsOf([{ task: 'a' }])
    const attempts = records.attempts.map(attempt => {
      const { agent: _, ...imported } = attempt
      return { ...imported, sourceId: 's' }
    })
    expect(buildReport({ ...records, attempts, skippedTasks: [] }).arms[0]?.agent).toBeNull()
  })
})

it('lists the arms of all runs in a comparison', () => {
  const first = recordsOf([{ task: 'a', model: 'openai:one' }])
  const second = recordsOf([{ task: 'a', model: 'openai:two' }])
  const { arms, differences } = compareRuns([first, second], { force: false })
  expect(arms.map(({ id }) => id)).toEqual(['online-one', 'online-two'])
  expect(differences[0]).toMatchObject({ fromArm: 'online-one', arm: 'online-two' })
})
