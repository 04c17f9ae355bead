import { readdir, readFile } from 'node:fs/promises'
import { builtinModules } from 'node:module'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import packageJson from '../../package.json' with { type: 'json' }
import { packageRoot } from '../../src/system/paths.ts'

const licences = await readFile(join(packageRoot, 'dist/bundle/licenses.md'), 'utf8')
const joined = [...licences.matchAll(/^## (\S+) - /gm)].map(([, name]) => name!)

it('contains the licences of the packages in the bundle', () => {
  expect(joined).toContain('commander')
  expect(licences.match(/Permission is hereby granted|Permission to use, copy/g)!.length).toBeGreaterThan(10)
})

it("excludes LangChain's core and zod from the bundle, because packages of other providers load the same copy", () => {
  const langchain = joined.filter(name => name === 'langchain' || name.startsWith('@langchain/'))
  expect(langchain.filter(name => !/^@langchain\/(?:openai|community)$/.test(name))).toEqual([])
  expect(joined).not.toContain('zod')
})

it('loads only packages that npm installs with Tablehunt, or that are asked for when they are first used', async () => {
  const bundle = join(packageRoot, 'dist/bundle')
  const files = (await readdir(bundle, { recursive: true })).filter(name => name.endsWith('.js'))
  const packages = new Set<string>()
  for (const file of files) {
    const code = await readFile(join(bundle, file), 'utf8')
    for (const [, atStart, later] of code.matchAll(
      /^(?:import|export)\b[^'"\n]*["']((?:@[\w.-]+\/)?[\w.-]+)(?:\/[^"']*)?["'];?$|\bawait import\("((?:@[\w.-]+\/)?[\w.-]+)/gm,
    )) {
      const name = atStart ?? later ?? '.'
      if (!name.startsWith('.') && !builtinModules.includes(name)) packages.add(name)
    }
  }
  const { dependencies, peerDependencies } = packageJson
  const known = Object.keys({ ...dependencies, ...peerDependencies })
  expect([...packages]).toEqual(expect.arrayContaining(['zod', 'playwright']))
  expect([...packages].filter(name => !known.includes(name))).toEqual([])
})
