import { readdirSync, readFileSync } from 'node:fs'
import { mkdir, mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { expect } from 'vitest'
import type { PluginField } from '../../src/plugins/define-plugin.ts'
import { packageRoot } from '../../src/system/paths.ts'
import { type FileBlock, fileBlocksOf } from './code-blocks.ts'

/** The folder of the pages. */
export const folder = join(packageRoot, 'docs', 'extending')
/** The pages of docs/extending. */
export const pages = readdirSync(folder).map(name => ({
  name,
  text: readFileSync(join(folder, name), 'utf8'),
}))
const temporary = await mkdtemp(join(tmpdir(), 'tablehunt-extending-'))

/** What the samples of a page may use: `join`, and `folderOf` as in tests/tasks/benchmarks.test.ts. */
const helpers = `
import { mkdir, mkdtemp, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
async function folderOf(files: Readonly<Record<string, string>>): Promise<string> {
  const folder = await mkdtemp(${JSON.stringify(join(temporary, 'sample-'))})
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true })
    await writeFile(join(folder, name), text)
  }
  return folder
}
void [join, folderOf]
`

/** A page with a worked example: its part, the change of the registry and the sample of the contract test. */
export interface Example {
  readonly page: string
  readonly part: FileBlock
  readonly change: FileBlock
  readonly sample: FileBlock & { readonly field: PluginField }
}

function exampleOf({ name: page, text }: { name: string; text: string }): Example | null {
  const blocks = fileBlocksOf(text)
  if (blocks.length === 0) return null
  const [part, change, sample] = blocks
  expect(blocks.map(({ language }) => language)).toEqual(['ts', 'diff', 'ts'])
  return { page, part: part!, change: change!, sample: sample as Example['sample'] }
}

/** The worked examples, in the order of the pages. */
export const examples = pages.map(exampleOf).filter(one => one !== null)

/** A module that exports the sample of an example as `samples`. */
export const sampleModule = ({ sample }: Example): string => `
import type { Samples } from '../../src/testing/test-plugin.ts'
${helpers}
export const samples: Record<string, Samples['${sample.field}']> = {
${sample.text}}
`

/** The registry as the page changes it: added lines are put before the next line that the page shows. */
export function changedRegistry({ path, text }: FileBlock): string {
  let source = readFileSync(join(packageRoot, path), 'utf8')
  const lines = text.trimEnd().split('\n')
  const kept = lines.filter(line => !line.startsWith('+')).map(line => line.slice(1))
  for (const line of kept) expect(source.split('\n')).toContain(line)
  const removed = lines.find(line => line.startsWith('-'))?.slice(1)
  const added = lines.filter(line => line.startsWith('+')).map(line => line.slice(1))
  const imports = added.filter(line => line.startsWith('import '))
  const rest = added.filter(line => !line.startsWith('import ')).join('\n')
  if (removed !== undefined) source = source.replace(removed, () => rest)
  else {
    const anchor = lines.find(line => line.startsWith(' '))!.slice(1)
    source = source.replace(anchor, () => `${rest}\n${anchor}`)
  }
  return [...imports, source].join('\n')
}

/** Writes a module into the temporary folder, its relative imports made absolute. */
async function writeModule(path: string, text: string): Promise<string> {
  const target = join(temporary, path)
  await mkdir(dirname(target), { recursive: true })
  const from = join(packageRoot, dirname(path))
  await writeFile(
    target,
    text.replaceAll(/(from|import\() ?'(\.[^']*)'/g, (_, word, to) => `${word} '${join(from, to)}'`),
  )
  return target
}

/** The entry of a plug-in that an example's registry line adds. */
export async function entryOf({ part, change, sample }: Example, name: string): Promise<object> {
  const module: Record<string, unknown> = await import(await writeModule(part.path, part.text))
  const line = change.text.split('\n').find(one => one.startsWith('+  ') && one.includes(name))!
  const added = change.text
    .split('\n')
    .filter(one => one.startsWith('+    '))
    .map(one => one.slice(1))
    .join('\n')
  // A registry that loads its parts on first use has the entry itself in the change.
  if (/^\+ {4}\S+: \{$/.test(line)) {
    const source = `export default {\n${added}\n}\n`.replaceAll(
      /'\.\/[^']*'/g,
      `'${join(temporary, part.path)}'`,
    )
    const path = await writeModule(`entries/${sample.field}.ts`, source)
    const entries: { default: Record<string, object> } = await import(path)
    return entries.default[name]!
  }
  const exported = Object.values(module).filter(value => typeof value === 'object' && value !== null)
  expect(exported).toHaveLength(1)
  // A benchmark is exported as part of its room.
  const entry = exported[0] as Readonly<Record<string, Record<string, object> | undefined>>
  return entry[sample.field]?.[name] ?? entry
}

/** The name of an example's entry, and what its contract test is given. */
export async function sampleOf(example: Example): Promise<[name: string, sample: never]> {
  const path = `tests/docs/sample-of-${basename(example.page, '.md')}.ts`
  const { samples } = await import(await writeModule(path, sampleModule(example)))
  return Object.entries(samples)[0] as [string, never]
}
