import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { packageRoot } from '../../src/system/paths.ts'

const licences = await readFile(join(packageRoot, 'dist/bundle/licenses.md'), 'utf8')
const joined = [...licences.matchAll(/^## (\S+) - /gm)].map(([, name]) => name!)

it('contains the licences of the packages in the bundle', () => {
  expect(joined).toContain('commander')
  expect(licences.match(/Permission is hereby granted|Permission to use, copy/g)!.length).toBeGreaterThan(10)
})

it("excludes LangChain's core and zod from the bundle, because packages of other providers load the same copy", () => {
  const langchain = joined.filter(name => name === 'langchain' || name.startsWith('@langchain/'))
  expect(langchain.filter(name => name !== '@langchain/openai')).toEqual([])
  expect(joined).not.toContain('zod')
})
