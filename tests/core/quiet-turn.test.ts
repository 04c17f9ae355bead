import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { quietTurn } from '../../src/core/quiet-turn.ts'

function keepBusy(ms: number): void {
  for (const until = performance.now() + ms; performance.now() < until; );
}

it('gives each caller a turn of its own, in order, and serves what came between', async () => {
  const done: string[] = []
  const piece = async (name: string): Promise<void> => {
    await quietTurn()
    done.push(name)
    setImmediate(() => done.push(`after ${name}`))
  }
  await Promise.all([piece('a'), piece('b'), piece('c')])
  expect(done).toEqual(['a', 'after a', 'b', 'after b', 'c'])
})

it('waits for what others wait for, turn after turn', async () => {
  let turns = 0
  const quiet = quietTurn().then(() => turns)
  for (; turns < 20; turns++) {
    keepBusy(2)
    await nextTurn()
  }
  expect(await quiet).toBeGreaterThanOrEqual(19)
})

it('waits a second at most where no turn is quiet', async () => {
  let waits = true
  const began = performance.now()
  const quiet = quietTurn().then(() => {
    waits = false
  })
  while (waits && performance.now() - began < 10_000) {
    keepBusy(2)
    await nextTurn()
  }
  await quiet
  expect(performance.now() - began).toBeLessThan(10_000)
})
