import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { commands } from '../../src/commands/registry.ts'
import { runOptions } from '../../src/config.ts'
import { flagOf } from '../../src/core/flag-of.ts'
import { packageRoot } from '../../src/core/paths.ts'

const readme = readFileSync(join(packageRoot, 'README.md'), 'utf8')
const optionsPart = readme.split('### Options of `run`')[1]?.split('\n## ')[0] ?? ''
const commandsPart = readme.split('## Commands')[1]?.split('### ')[0] ?? ''

it('names every option of run and none that does not exist', () => {
  const named = new Set([...optionsPart.matchAll(/`(--[a-z-]+)`/g)].map(hit => hit[1]))
  expect([...named].sort()).toEqual(Object.keys(runOptions).map(flagOf).sort())
})

it('names every command and none that does not exist', () => {
  const rows = commandsPart.split('\n').filter(line => line.startsWith('| `'))
  const named = new Set(
    rows.flatMap(row => [...(row.split('|')[1] ?? '').matchAll(/`([a-z-]+)/g)].map(hit => hit[1])),
  )
  expect([...named].sort()).toEqual(Object.keys(commands).sort())
})

it('links to nothing that is missing, or that the package leaves out', () => {
  const { files } = JSON.parse(readFileSync(join(packageRoot, 'package.json'), 'utf8')) as { files: string[] }
  const links = [...readme.matchAll(/\]\((?!https?:)([^)#]+)/g)].map(hit => hit[1] ?? '')
  expect(links.length).toBeGreaterThan(5)
  expect(links.filter(link => !existsSync(join(packageRoot, link)))).toEqual([])
  const patterns = files.map(
    file => new RegExp(`^${file.replaceAll('.', '\\.').replace('*', '[^/]+')}(?:/|$)`),
  )
  const isPacked = (link: string): boolean => patterns.some(pattern => pattern.test(link))
  expect(links.filter(link => !isPacked(link))).toEqual([])
})
