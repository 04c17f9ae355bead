import { expect, it } from 'vitest'
import { tablehunt } from './cli.ts'

it.each([
  [['run', '--judge', 'rules', '--judge', 'none'], '--judge: given twice: it takes one value'],
  [
    ['run', '--context-tokens', '1k', '--context-tokens', '2k'],
    'it takes one list, its values parted by commas',
  ],
  [['score-table', '--batch', 'a', '--batch', 'b'], '--batch: given twice'],
  [['web', 'build', 'docs', '--out', 'a', '--out', 'b'], '--out: given twice'],
])('%j is refused in one line: one of the two would be lost', async (args, words) => {
  const { code, stderr } = await tablehunt(args)
  expect(code).toBe(2)
  expect(stderr).toContain(words)
  expect(stderr.trim().split('\n')).toHaveLength(1)
})

it.each([
  [['run', '--tasks', 'no/such.jsonl', '--out', 'nowhere', '--model', 'extractive', '--model', 'scripted:x']],
  [['score', 'no/such/run', '--profile', 'aoe', '--profile', 'strict']],
  [['run', '--scorer', 'aoe', '--scorer', 'strict']],
])('%j is not: that flag may be given several times', async args => {
  expect((await tablehunt(args)).stderr).not.toContain('given twice')
})
