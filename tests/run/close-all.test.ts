import { expect, it } from 'vitest'
import { closeAll } from '../../src/run/open-run/close-all.ts'

it('closes all resources of a run, also when closing one of them fails', async () => {
  const closed: string[] = []
  const part = (name: string, failure?: Error) => async () => {
    if (failure !== undefined) throw failure
    closed.push(name)
  }
  const failing = [
    part('a'),
    part('b', new Error('b fell over')),
    part('c', new Error('c fell over')),
    part('d'),
  ]
  await expect(closeAll(failing)).rejects.toThrow('c fell over')
  expect(closed).toEqual(['d', 'a'])
})
