import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { parse } from 'yaml'
import packageJson from '../../package.json' with { type: 'json' }
import { packageRoot } from '../../src/system/paths.ts'

const citation = parse(readFileSync(join(packageRoot, 'CITATION.cff'), 'utf8')) as {
  readonly version: string
  readonly license: string
  readonly references: readonly { readonly title: string }[]
}

it('cites the version and the licence of the package', () => {
  expect(citation).toMatchObject({ version: packageJson.version, license: packageJson.license })
})

it('cites the same papers as the page about papers', () => {
  const page = readFileSync(join(packageRoot, 'docs/paper.md'), 'utf8').replaceAll(/[{}]/g, '')
  for (const { title } of citation.references) expect(page).toContain(`title = ${title},`)
})
