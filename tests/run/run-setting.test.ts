import { expect, it } from 'vitest'
import type { Setting, SettingEnvironment } from '../../agents/setting.ts'
import { attemptSchema } from '../../src/core/attempt.ts'
import type { Question } from '../../src/core/task.ts'
import { buildReport } from '../../src/report/model/build-report.ts'
import { runSetting } from '../../src/run/attempt/execute.ts'
import { Tally } from '../../src/run/progress/tally.ts'
import { makeAttempt } from '../report/records.ts'

const crashing = {
  run: async () => {
    throw new TypeError('a bug')
  },
} as unknown as Setting

it('leaves the spending of a crashed attempt unknown in records, report and status', async () => {
  const { usage, termination } = await runSetting(crashing, {} as Question, {} as SettingEnvironment)
  expect(termination).toMatchObject({ cause: 'harness', reason: 'crash', detail: 'TypeError: a bug' })
  expect(new Set(Object.values(usage))).toEqual(new Set([null]))
  const crashed = attemptSchema.parse(
    makeAttempt({ task: 't1', setting: 'online', over: { usage, termination } }),
  )
  const done = makeAttempt({ task: 't2', setting: 'online' })
  const manifest = { runId: 'r', startedAt: null, endedAt: null, config: {} }
  const report = buildReport({
    manifest,
    scorers: {},
    attempts: [crashed, done],
    scores: [],
    skippedTasks: [],
  })
  const tally = new Tally({ online: 4 }, 1)
  for (const attempt of [crashed, done]) tally.add(attempt)
  expect(tally.standing(null)).toMatchObject({
    done: 2,
    failed: 1,
    tokens: 1200,
    tokensUnknown: 1,
    leftMs: 4000,
  })
  expect(report.groups[0]).toMatchObject({ n: 2, tokens: 1200, modelCalls: 1, wallMs: 2000 })
})
