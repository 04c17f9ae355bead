import { expect, it } from 'vitest'
import type { Attempt } from '../../src/core/attempt.ts'
import type { InterventionKind } from '../../src/core/fork.ts'
import type { Score } from '../../src/core/score.ts'
import type { Task } from '../../src/core/task.ts'
import { createForkLister } from '../../src/report/html/fork-tree.ts'

const attempt = (attemptId: string, kind: InterventionKind | null, atStep = 2, source = 'a'): Attempt =>
  ({
    attemptId,
    taskId: 't',
    termination: { cause: 'agent', reason: 'answered' },
    ...(kind === null ? {} : { fork: { attemptId: source, atStep, intervention: { kind, value: null } } }),
  }) as unknown as Attempt

const score = (attemptId: string, scores: readonly number[]): Score =>
  ({
    attemptId,
    status: 'scored',
    cells: scores.map((value, goldRow) => ({ goldRow, column: 'c', score: value })),
    items: [],
    counts: {},
  }) as unknown as Score

it('lists the forks of one source by their steps, beside the fork without a change', () => {
  const attempts = [
    attempt('late', 'answer-now', 5),
    attempt('given', 'give'),
    attempt('control', 'none'),
    attempt('other', 'give', 2, 'b'),
    attempt('plain', null),
  ]
  const scores = [score('given', [1, 1, 0]), score('control', [0, 1, 1]), score('late', [1, 1, 1])]
  const forks = createForkLister({ attempts, scores })(attempts[1]!)
  expect(forks.map(({ id, step }) => [id, step])).toEqual([
    ['given', 2],
    ['control', 2],
    ['late', 5],
  ])
  expect(forks[0]).toMatchObject({
    ...{ change: 'give', value: null },
    end: 'agent / answered',
    right: 2,
    regained: ['row 1, c'],
    lost: ['row 3, c'],
  })
  expect(forks[2]).toMatchObject({ right: 3, regained: [], lost: [] })
  const rows = ['Alder', 'Birch', 'Cedar'].map(firm => ({ firm, year: 2024 }))
  const gold = { kind: 'table', keyColumns: ['firm', 'year'], rows }
  const tasks = new Map([['t', { gold } as unknown as Task]])
  expect(createForkLister({ attempts, scores, tasks })(attempts[1]!)[0]).toMatchObject({
    regained: ['Alder / 2024, c'],
    lost: ['Cedar / 2024, c'],
  })
  expect(createForkLister({ attempts, scores })(attempts[4]!)).toEqual([])
})

it('tells the questions of a conversation apart, and knows no changes against a fork without a score', () => {
  const attempts = [attempt('given', 'give'), attempt('control', 'none'), attempt('late', 'give', 3)]
  const turns = (attemptId: string, scores: readonly number[]): Score =>
    ({
      ...score(attemptId, []),
      items: scores.map((value, turn) => ({ id: 'x', turn, score: value })),
    }) as unknown as Score
  const unscored = { ...turns('control', [0, 1]), status: 'unscored' } as Score
  const list = (control: Score) =>
    createForkLister({ attempts, scores: [turns('given', [1, 0]), control] })(attempts[0]!)
  expect(list(turns('control', [0, 1]))[0]).toMatchObject({ right: 1, regained: ['1: x'], lost: ['2: x'] })
  expect(list(unscored)[0]).toMatchObject({ right: 1, regained: [], lost: [] })
  expect(list(unscored)[2]).toMatchObject({ right: null, regained: [], lost: [] })
})
