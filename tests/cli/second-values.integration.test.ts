import { expect, it } from 'vitest'
import { tablehunt } from './cli.ts'

it.each([
  [['run', '--judge', 'rules', '--judge', 'none'], '--judge is given twice. It accepts one value.'],
  [
    ['run', '--context-tokens', '1k', '--context-tokens', '2k'],
    '--context-tokens is given twice. Write its values in one option, separated by commas: --context-tokens 1k,2k.',
  ],
  [
    ['run', '--setting', 'rag', '--setting=offline', '--setting', 'online'],
    '--setting is given twice. Write its values in one option, separated by commas: --setting rag,offline.',
  ],
  [['run', '--block', '*a b*', '--block', 'c.org'], "commas: --block '*a b*,c.org'."],
  [['score', 'a', '--judge', 'none', '--judge', 'rules'], '--judge is given twice'],
  [['web', 'build', 'docs', '--out', 'a', '--out', 'b'], '--out is given twice'],
])('%j is rejected in one line, because one of the values would be lost', async (args, words) => {
  const { code, stderr } = await tablehunt(args)
  expect(code).toBe(2)
  expect(stderr).toContain(words)
  expect(stderr).toContain('[flag-twice]')
  expect(stderr.trim().split('\n')).toHaveLength(1)
})

it.each([
  [['run', '--tasks', 'no/such.jsonl', '--out', 'nowhere', '--model', 'extractive', '--model', 'scripted:x']],
  [['score', 'no/such/run', '--scorer', 'aoe', '--scorer', 'strict']],
  [['run', '--scorer', 'aoe', '--scorer', 'strict']],
])('%j is accepted, because that flag may be given several times', async args => {
  expect((await tablehunt(args)).stderr).not.toContain('[flag-twice]')
})
