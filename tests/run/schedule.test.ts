import { describe, expect, it } from 'vitest'
import type { PlannedAttempt } from '../../src/run/plan/plan.ts'
import { createSchedule, runSchedule } from '../../src/run/plan/schedule.ts'
import { withoutWaiting } from '../no-waiting.ts'

withoutWaiting()

const never = new AbortController().signal
const wait = (ms: number) => new Promise<void>(resolve => setTimeout(resolve, ms))
const unlimited = () => Number.POSITIVE_INFINITY
const serviceOf = (model: string) => model

/** Tasks x models x settings in the order of the plan. */
function plan(tasks: number, settings: readonly string[], models: readonly string[] = ['m']) {
  const planned: PlannedAttempt[] = []
  for (let task = 0; task < tasks; task++)
    for (const model of models)
      for (const setting of settings)
        planned.push({
          attemptId: `${task} ${model} ${setting}`,
          setting,
          model,
        } as unknown as PlannedAttempt)
  return planned
}

describe('the schedule of a run', () => {
  it('equals the plan when attempts run one at a time', async () => {
    const planned = plan(3, ['offline', 'rag', 'online'])
    const made: PlannedAttempt[] = []
    await runSchedule(createSchedule(planned, serviceOf, unlimited), 1, never, async one => {
      made.push(one)
    })
    expect(made).toEqual(planned)
  })

  it('continues with other attempts while one is slow', async () => {
    const planned = plan(40, ['offline'])
    const ended: string[] = []
    await runSchedule(createSchedule(planned, serviceOf, unlimited), 2, never, async one => {
      await wait(one === planned[0] ? 300 : 1)
      ended.push(one.attemptId)
    })
    expect(ended.at(-1)).toBe(planned[0]!.attemptId)
    expect(ended).toHaveLength(40)
  })

  it('keeps a share of the places for each setting, however slow another is', async () => {
    const planned = plan(20, ['offline', 'online'])
    const running: Record<string, number> = { offline: 0, online: 0 }
    let [mostOnline, offlineLeft] = [0, 20]
    await runSchedule(createSchedule(planned, serviceOf, unlimited), 4, never, async ({ setting }) => {
      running[setting]! += 1
      if (offlineLeft > 2) mostOnline = Math.max(mostOnline, running.online!)
      await wait(setting === 'online' ? 40 : 2)
      running[setting]! -= 1
      if (setting === 'offline') offlineLeft -= 1
    })
    expect(mostOnline).toBe(2)
  })

  it('uses the places that a service with a low limit leaves free for others', async () => {
    const planned = plan(10, ['offline'], ['slow', 'fast'])
    const schedule = createSchedule(planned, serviceOf, service => (service === 'slow' ? 1 : 100))
    const running = { slow: 0, fast: 0 }
    const most = { slow: 0, fast: 0 }
    await runSchedule(schedule, 8, never, async ({ model }) => {
      const name = model as 'slow' | 'fast'
      running[name] += 1
      most[name] = Math.max(most[name], running[name])
      await wait(5)
      running[name] -= 1
    })
    expect(most).toEqual({ slow: 2, fast: 6 })
  })

  it("releases a place while the rest of an attempt's work continues, but limits how much work is pending", async () => {
    const planned = plan(12, ['offline'])
    let [running, mostRunning, underWay, mostUnderWay, ended] = [0, 0, 0, 0, 0]
    await runSchedule(
      createSchedule(planned, serviceOf, unlimited),
      3,
      never,
      async ({ attemptId }, leave) => {
        running += 1
        underWay += 1
        mostRunning = Math.max(mostRunning, running)
        mostUnderWay = Math.max(mostUnderWay, underWay)
        await wait(1)
        running -= 1
        leave()
        leave()
        await wait(attemptId.startsWith('0 ') ? 100 : 20)
        underWay -= 1
        ended += 1
      },
    )
    expect([mostRunning, mostUnderWay, ended]).toEqual([3, 6, 12])
  })

  it('waits for work that has released its place, and rejects with its failure', async () => {
    let ended = 0
    const made = runSchedule(
      createSchedule(plan(2, ['a']), serviceOf, unlimited),
      2,
      never,
      async (one, leave) => {
        leave()
        await wait(10)
        if (one.attemptId.startsWith('0 ')) throw new Error('a bug')
        await wait(20)
        ended += 1
      },
    )
    await expect(made).rejects.toThrow('a bug')
    expect(ended).toBe(1)
  })

  it('starts nothing more when it is stopped, and waits for running attempts', async () => {
    const stopping = new AbortController()
    let [started, ended] = [0, 0]
    await runSchedule(createSchedule(plan(50, ['a']), serviceOf, unlimited), 3, stopping.signal, async () => {
      started += 1
      if (started === 5) stopping.abort()
      await wait(5)
      ended += 1
    })
    expect([started, ended]).toEqual([5, 5])
  })

  it('ends with the first failure, after running attempts have ended', async () => {
    let ended = 0
    const made = runSchedule(createSchedule(plan(50, ['a']), serviceOf, unlimited), 3, never, async one => {
      if (one.attemptId.startsWith('1 ')) throw new Error('a bug')
      await wait(20)
      ended += 1
    })
    await expect(made).rejects.toThrow('a bug')
    expect(ended).toBe(2)
  })
})
