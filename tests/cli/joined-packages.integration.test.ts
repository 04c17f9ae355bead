import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { packageRoot } from '../../src/system/paths.ts'

const licences = await readFile(join(packageRoot, 'dist/command/licenses.md'), 'utf8')
const joined = [...licences.matchAll(/^## (\S+) - /gm)].map(([, name]) => name!)

it('contains the licences of the packages in the bundle', () => {
  expect(joined).toContain('commander')
  expect(licences.match(/Permission is hereby granted|Permission to use, copy/g)!.length).toBeGreaterThan(10)
})

it("excludes packages from the bundle that LangChain's providers also load, because only one copy may exist", () => {
  expect(joined.filter(name => name.startsWith('@langchain/') || name === 'zod')).toEqual([])
})
