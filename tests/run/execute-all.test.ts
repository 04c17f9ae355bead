import { expect, it } from 'vitest'
import { systemClock } from '../../src/core/runtime.ts'
import { executeAll } from '../../src/run/attempt/execute-all.ts'
import type { Executor } from '../../src/run/attempt/executor.ts'
import { ServiceWatch } from '../../src/run/attempt/service-watch.ts'
import type { RunResources } from '../../src/run/open-run/open-resources.ts'
import type { PlannedAttempt } from '../../src/run/plan/plan.ts'
import { Tally } from '../../src/run/progress/tally.ts'
import type { RunFolder } from '../../src/run/records/run-folder.ts'
import { quietHooks } from '../../src/run/run-hooks.ts'

type Executed = Awaited<ReturnType<Executor['execute']>>

it('withdraws the waiting attempts when a record cannot be written', async () => {
  const planned = ['a', 'b', 'c'].map(
    attemptId =>
      ({
        attemptId,
        setting: 'offline',
        model: 'm',
        options: {},
        task: { question: { taskId: 't' } },
      }) as PlannedAttempt,
  )
  const waiting: (() => void)[] = []
  const executor: Executor = {
    concurrency: 10,
    execute: ({ attemptId }) =>
      attemptId === 'a'
        ? Promise.resolve({ attempt: {}, scores: [], leaks: [] } as unknown as Executed)
        : new Promise(resolve => waiting.push(() => resolve(null))),
    recorded: () => expect.fail('it is not recorded'),
    withdraw: () => {
      for (const giveBack of waiting) giveBack()
    },
    close: async () => undefined,
  }
  const full = { append: async () => Promise.reject(new Error('ENOSPC')) } as unknown as RunFolder
  const resources = {
    modelNames: ['m'],
    withoutQuestions: <T>(record: T) => record,
    serviceFor: () => 'm',
    limitOf: () => Number.POSITIVE_INFINITY,
  } as unknown as RunResources
  const services = new ServiceWatch(new Set(['m']), systemClock)
  const tally = new Tally({ offline: 3 }, null)
  await expect(
    executeAll(planned, { resources, trials: 1, executor, folder: full, tally, services, ...quietHooks }),
  ).rejects.toThrow('ENOSPC')
})
