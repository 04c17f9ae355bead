import { existsSync } from 'node:fs'
import { basename, join } from 'node:path'
import { expect, it } from 'vitest'
import { packageRoot } from '../../src/system/paths.ts'
import { changedRegistry, examples, sampleModule } from './extension-examples.ts'
import { exampleOf, exportsOf, typeErrorsOf } from './type-check.ts'

it('compiles every example, its sample, and the registry that it changes', () => {
  const files: Record<string, string> = {}
  for (const example of examples) {
    const { page, part, change } = example
    expect(existsSync(join(packageRoot, part.path)), `${part.path} exists`).toBe(false)
    files[part.path] = part.text
    files[change.path] = changedRegistry(change)
    files[`tests/docs/sample-of-${basename(page, '.md')}.ts`] = sampleModule(example)
  }
  expect(typeErrorsOf(files)).toEqual([])
})

it('has a doc comment with an example that compiles on every export of tablehunt/testing', () => {
  const exported = exportsOf('src/testing/index.ts')
  expect(exported.filter(({ text }) => exampleOf(text) === null).map(({ name }) => name)).toEqual([])
  const files = exported.map(({ name, text }) => [`tests/docs/example-of-${name}.ts`, exampleOf(text)!])
  expect(typeErrorsOf(Object.fromEntries(files), { noUnusedLocals: false })).toEqual([])
})
