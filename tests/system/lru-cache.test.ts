import { expect, it } from 'vitest'
import { lruCache } from '../../src/system/lru-cache.ts'

it('accepts objects as keys, and weights that depend on the value', () => {
  const [first, second] = [{}, {}]
  const cache = lruCache<string, object>(5)
  const ask = (key: object, value: string) =>
    cache(
      key,
      () => value,
      ({ length }) => length,
    )
  expect([ask(first, 'abc'), ask(second, 'de'), ask(first, 'new')]).toEqual(['abc', 'de', 'abc'])
  expect([ask({}, 'fgh'), ask(second, 'new')]).toEqual(['fgh', 'new'])
})

it('drops the least recently used values by weight, but never the latest one', () => {
  const made: string[] = []
  const cache = lruCache<string>(10)
  const ask = (key: string, weight: number) =>
    cache(
      key,
      () => {
        made.push(key)
        return key.toUpperCase()
      },
      weight,
    )
  expect([ask('a', 4), ask('b', 4), ask('a', 4), ask('c', 4)]).toEqual(['A', 'B', 'A', 'C'])
  expect(made).toEqual(['a', 'b', 'c'])
  ask('a', 4)
  expect(made).toHaveLength(3)
  ask('b', 4)
  expect(made).toEqual(['a', 'b', 'c', 'b'])
  expect([ask('large', 99), ask('large', 99)]).toEqual(['LARGE', 'LARGE'])
  expect(made).toEqual(['a', 'b', 'c', 'b', 'large'])
  ask('a', 4)
  ask('large', 99)
  expect(made.slice(5)).toEqual(['a', 'large'])
})
