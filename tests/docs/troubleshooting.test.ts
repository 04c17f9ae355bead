import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { packageRoot } from '../../src/system/paths.ts'
import { errorCodes, unionMembers } from './error-codes.ts'

const page = readFileSync(join(packageRoot, 'docs', 'troubleshooting.md'), 'utf8')
const headings = [...page.matchAll(/^### `([\w-]+)`$/gm)].map(hit => hit[1]!)
const codes = errorCodes()

/** The first column of the table in a section of the page. */
function rowsOf(title: string): string[] {
  const section = page.split(`\n## ${title}\n`)[1]!.split('\n## ')[0]!
  return [...section.matchAll(/^\| `([\w-]+)` \|/gm)].map(hit => hit[1]!)
}

it('has an entry for every code in the source', () => {
  const missing = [...codes].filter(([code]) => !headings.includes(code))
  expect(missing.map(([code, files]) => `${code} (${files.join(', ')})`)).toEqual([])
})

it('has no entry for a code that the source no longer has, and none twice', () => {
  expect(headings.filter((code, at) => !codes.has(code) || headings.indexOf(code) !== at)).toEqual([])
})

it('says for every code what happened and how to fix it', () => {
  const entries = page.split(/^###? /m).filter(entry => entry.startsWith('`'))
  for (const entry of entries) expect(entry).toMatch(/^`[\w-]+`\n\n.+\n\n\*\*Fix:\*\* .+\n/)
})

it('lists every class of tool errors and every reason of provider failures', () => {
  expect(rowsOf('Failures of tools')).toEqual(unionMembers('ToolErrorClass'))
  expect(rowsOf('Failures of providers')).toEqual(unionMembers('ProviderReason'))
})
