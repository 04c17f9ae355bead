import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { readRecordedRun, recordedRunFile } from '../../bench/recorded-run.ts'
import { benches } from '../../bench/registry.ts'
import { benchReference } from '../../docs/bench-reference.ts'
import { partReference } from '../../docs/part-reference.ts'
import { recordReference } from '../../docs/record-reference.ts'
import { recordSchemas } from '../../docs/record-schemas.ts'
import { writeBenchmarkReference } from '../../src/commands/benchmark-reference.ts'
import { writeCommandReference } from '../../src/commands/reference.ts'
import { writeScorerReference } from '../../src/commands/scorer-reference.ts'
import { packageRoot } from '../../src/system/paths.ts'

const readText = (path: string): string => readFileSync(join(packageRoot, path), 'utf8')
const pagesIn = (folder: string): string[] =>
  readdirSync(join(packageRoot, folder))
    .filter(name => name.endsWith('.md'))
    .map(name => `${folder}/${name}`)
const docsPages = pagesIn('docs')
const pages = [
  ...['README.md', 'CONTRIBUTING.md', 'SECURITY.md'],
  ...docsPages,
  ...pagesIn('docs/decisions'),
  ...pagesIn('docs/extending'),
]

/** The targets of a page's relative links, relative to the package's root. */
const linksOf = (page: string): string[] =>
  [...readText(page).matchAll(/\]\((?!https?:|#)([^)#]+)/g)].map(hit => join(dirname(page), hit[1] ?? ''))

it('keeps the README at 120 lines or fewer', () => {
  expect(readText('README.md').trimEnd().split('\n').length).toBeLessThanOrEqual(120)
})

it('has a current reference of commands and options (npm run reference writes it)', async () => {
  expect(readText('docs/commands.md')).toBe(await writeCommandReference())
})

it('has a current list of scorers and metrics (npm run reference writes it)', () => {
  expect(readText('docs/scorers.md')).toBe(writeScorerReference())
})

it('has a current list of benchmarks (npm run reference writes it)', () => {
  expect(readText('docs/benchmark-list.md')).toBe(writeBenchmarkReference())
})

it('has a page of speed that states the recorded run and the targets of the benches (npm run reference writes it)', async () => {
  const recorded = await readRecordedRun(recordedRunFile)
  expect(readText('docs/bench.md')).toBe(benchReference(benches, recorded!))
})

it('has a current description of records and exported tables (npm run reference writes it)', () => {
  expect(readText('docs/records.md')).toBe(recordReference())
})

it('has a current list of built-in parts (npm run reference writes it)', () => {
  expect(readText('docs/parts.md')).toBe(partReference())
})

it('has the JSON Schemas of the records as the program reads them', () => {
  for (const [name, text] of recordSchemas()) expect(readText(`docs/schemas/${name}`)).toBe(text)
})

it('lists every page of docs/ in docs/index.md', () => {
  const listed = linksOf('docs/index.md')
  expect(docsPages.filter(page => page !== 'docs/index.md' && !listed.includes(page))).toEqual([])
})

it('lists every page of docs/extending in docs/extending.md', () => {
  expect(linksOf('docs/extending.md')).toEqual(expect.arrayContaining(pagesIn('docs/extending')))
})

it.each(pages)('has no broken link in %s', page => {
  expect(linksOf(page).filter(link => !existsSync(join(packageRoot, link)))).toEqual([])
})

/** The anchors of a page's headings, as GitHub and the site make them. */
const anchorsOf = (page: string): string[] =>
  [...readText(page).matchAll(/^#+ (.+)$/gm)].map(([, title]) =>
    title!
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s-]/gu, '')
      .replaceAll(' ', '-'),
  )

it.each(pages)('links from %s only to headings that exist', page => {
  const links = [...readText(page).matchAll(/\]\(((?!https?:)[^)#]*)#([^)]+)\)/g)]
  const missing = links.filter(([, target, anchor]) => {
    const linked = target === '' ? page : join(dirname(page), target!)
    return existsSync(join(packageRoot, linked)) && !anchorsOf(linked).includes(anchor!)
  })
  expect(missing.map(([link]) => link)).toEqual([])
})

it('links from the README only to files that the package contains', () => {
  const { files } = JSON.parse(readText('package.json')) as { files: string[] }
  const patterns = files.map(
    file => new RegExp(`^${file.replaceAll('.', '\\.').replace('*', '[^/]+')}(?:/|$)`),
  )
  const isPacked = (link: string): boolean => patterns.some(pattern => pattern.test(link))
  expect(linksOf('README.md').filter(link => !isPacked(link))).toEqual([])
})

it('lists every room of the code in CONTRIBUTING.md', () => {
  const listed = [...readText('CONTRIBUTING.md').matchAll(/^\| `([\w/]+)\/` \|/gm)].map(hit => hit[1])
  const folders = readdirSync(join(packageRoot, 'src'), { withFileTypes: true })
  const rooms = folders.filter(folder => folder.isDirectory()).map(({ name }) => `src/${name}`)
  expect([...listed].sort()).toEqual(['agents', 'logs', 'retrieval', 'tasks', 'tools', ...rooms].sort())
})

it('names only existing files in CONTRIBUTING.md', () => {
  const paths = [
    ...readText('CONTRIBUTING.md').matchAll(
      /`((?:agents|docs|logs|retrieval|src|tasks|tests|tools)\/[\w./-]*)`/g,
    ),
  ]
  const missing = paths
    .map(hit => hit[1]!)
    .filter(path => !path.includes('NAME') && !existsSync(join(packageRoot, path)))
  expect(paths.length).toBeGreaterThan(20)
  expect(missing).toEqual([])
})

it.each(['agents', 'bench', 'logs', 'retrieval', 'src', 'tasks', 'tests', 'tools'])(
  'names only existing pages of docs in the files of %s',
  folder => {
    const files = readdirSync(join(packageRoot, folder), { recursive: true, encoding: 'utf8' })
    const named = files
      .filter(name => /\.tsx?$/.test(name))
      .flatMap(name =>
        [...readText(`${folder}/${name}`).matchAll(/\bdocs\/[\w/-]+\.md\b/g)].map(hit => hit[0]),
      )
    expect(named.filter(page => !existsSync(join(packageRoot, page)))).toEqual([])
  },
)
