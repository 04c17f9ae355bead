import { expect, it } from 'vitest'
import { sortLines } from '../../src/run/records/record-index.ts'

it('sorts records by the order of the attempts, with records of unknown attempts last', () => {
  const place = (attemptId: string, start: number) => [attemptId, { attemptId, start, length: 1 }] as const
  const places = new Map([place('gone', 0), place('b', 1), place('a', 2)])
  expect(sortLines(places, ['a', 'b']).map(({ attemptId }) => attemptId)).toEqual(['a', 'b', 'gone'])
})
