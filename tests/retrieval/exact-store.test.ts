import { expect, it } from 'vitest'
import { exactStore } from '../../retrieval/stores/exact.ts'

it('drops the vectors that were used longest ago first', async () => {
  const store = exactStore()
  const made: string[] = []
  const vector = new Float32Array(25_600)
  const ask = (name: string) =>
    store.nearest(
      {
        name,
        // One vector that claims 150 MB stands for many.
        vectors: async () => {
          made.push(name)
          return new Array<Float32Array>(1_500).fill(vector)
        },
      } as never,
      vector,
      1,
      new AbortController().signal,
    )
  for (const name of ['a', 'b', 'a', 'c', 'a']) await ask(name)
  expect(made).toEqual(['a', 'b', 'c'])
  await ask('b')
  expect(made).toEqual(['a', 'b', 'c', 'b'])
  await store.close()
})
