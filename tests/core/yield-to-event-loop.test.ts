import { expect, it } from 'vitest'
import { yieldToEventLoop } from '../../src/core/runtime.ts'

it('gives each caller a separate turn in order, and handles events in between', async () => {
  const done: string[] = []
  const piece = async (name: string): Promise<void> => {
    await yieldToEventLoop()
    done.push(name)
    setImmediate(() => done.push(`after ${name}`))
  }
  await Promise.all([piece('a'), piece('b'), piece('c')])
  expect(done).toEqual(['a', 'after a', 'b', 'after b', 'c'])
})
