import { expect, it } from 'vitest'
import type { Task } from '../../src/core/task.ts'
import { estimatePower, listPowerLines } from '../../src/run/estimate/power-estimate.ts'

/** Tasks that ask about these documents. */
const tasksOf = (...documents: readonly string[]): Task[] =>
  documents.map((name, at) => {
    const question = { taskId: `t${at}`, query: '' }
    return { question, documents: [{ name }] } as unknown as Task
  })

it('says which difference a plan detects and what other differences need, with their cost', () => {
  const twelve = tasksOf(...Array.from({ length: 24 }, (_, at) => `d${at % 12}`))
  const power = estimatePower(twelve, { attempts: 96, usd: 12 })
  // 25 points times (t(11) at 0.0498 + t(11) at 0.4) over the root of 12, with scipy.
  expect(power.detectable).toBeCloseTo(22.2189, 3)
  expect(power).toMatchObject({ tasks: 24, groups: 12, spread: 25 })
  const [, ten] = power.needed
  // Four attempts for each task, of which each costs an eighth of a dollar.
  expect(ten).toMatchObject({ difference: 10, tasks: 2 * ten!.groups, attempts: 8 * ten!.groups })
  expect(ten?.usd).toBeCloseTo(ten!.groups, 12)
  const text = listPowerLines(power).join(' ')
  expect(text).toContain('24 tasks in 12 groups')
  expect(text).toContain('a difference of 22.2 points')
})

it('says that fewer than five groups show no difference, and leaves out an unknown cost', () => {
  const power = estimatePower(tasksOf('a', 'a', 'b', 'c', 'd'), { attempts: 5, usd: null })
  expect(power).toMatchObject({ groups: 4, detectable: null })
  const text = listPowerLines(power).join(' ')
  expect(text).toContain('Detectable: nothing, with 5 tasks in 4 groups')
  expect(text).not.toContain('US$')
})

it('says nothing about a plan without tasks', () => {
  expect(listPowerLines(estimatePower([], { attempts: 0, usd: 0 }))).toEqual([])
})
