import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { packageRoot } from '../../src/system/paths.ts'

const licences = await readFile(join(packageRoot, 'dist/command/licenses.md'), 'utf8')
const joined = [...licences.matchAll(/^## (\S+) - /gm)].map(([, name]) => name!)

it('the built command carries the licences of the packages joined to it', () => {
  expect(joined).toContain('commander')
  expect(licences.match(/Permission is hereby granted|Permission to use, copy/g)!.length).toBeGreaterThan(10)
})

it('what a provider package of LangChain loads too is not among them: there must be one copy', () => {
  expect(joined.filter(name => name.startsWith('@langchain/') || name === 'zod')).toEqual([])
})
