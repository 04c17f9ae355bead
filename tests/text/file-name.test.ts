import { expect, it } from 'vitest'
import { makeDistinctName, writeFileName } from '../../src/text/file-name.ts'

it.each([
  ['runs/first run', 'runs-first-run'],
  ['中文 一', '中文-一'],
  ['हिन्दी', 'हिन्दी'],
  ['../.env', '-.env'],
  ['...', 'unnamed'],
  ['C:\\Users', 'C-Users'],
])('keeps letters and digits of all scripts: %j is %j', (text, name) => {
  expect(writeFileName(text)).toBe(name)
})

it('cuts names between characters to what file systems take', () => {
  const name = writeFileName('表'.repeat(100))
  expect(name).toBe('表'.repeat(66))
})

it('numbers names until they are free', () => {
  const taken = new Set<string>()
  const names = ['a-2', 'a', 'a', 'A', 'a-2'].map(name => makeDistinctName(name, taken))
  expect(names).toEqual(['a-2', 'a', 'a-3', 'A-4', 'a-2-2'])
})
