import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { pluginFields } from '../../src/plugins/plugin-kinds.ts'
import { packageRoot } from '../../src/system/paths.ts'
import { declareTests } from '../../src/testing/contract.ts'
import { contracts } from '../../src/testing/test-plugin.ts'
import { fileBlocksOf, memberTablesOf } from './code-blocks.ts'
import { entryOf, examples, folder, pages, sampleOf } from './extension-examples.ts'
import { membersOf } from './type-check.ts'

it('has a worked example on every page', () => {
  expect(pages.map(({ name }) => name)).toEqual([
    'agent.md',
    'benchmark.md',
    'retriever.md',
    'scorer.md',
    'search-service.md',
    'setting.md',
    'tool.md',
  ])
  expect(examples.map(({ page }) => page)).toEqual(pages.map(({ name }) => name))
})

it.each(pages.flatMap(({ name: page, text }) => memberTablesOf(text).map(table => ({ page, ...table }))))(
  'lists the members of $name on $page as the source declares them',
  ({ name, file, members }) => {
    expect([...members].sort()).toEqual(membersOf(join(folder, file), name).sort())
  },
)

it.each(pages)('names an existing test file for every sample on $name', ({ text }) => {
  const files = [...text.matchAll(/npx vitest run --project \w+ (\S+)/g)].map(hit => hit[1]!)
  for (const { path } of fileBlocksOf(text).filter(({ field }) => field !== undefined))
    expect(files).toContain(path)
  expect(files.filter(file => !existsSync(join(packageRoot, file)))).toEqual([])
})

for (const example of examples) {
  const { page, sample } = example
  const [name, value] = await sampleOf(example)
  const { registry } = pluginFields[sample.field]
  const remove = registry.add('docs', { [name]: await entryOf(example, name) })
  describe(page, () => {
    declareTests(`${registry.kind} ${name}`, contracts[sample.field](name, value), { describe, it })
    afterAll(remove)
  })
}
