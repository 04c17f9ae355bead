import { readdirSync, readFileSync } from 'node:fs'
import { cp, mkdir, mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import ts from 'typescript'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import * as api from '../../src/index.ts'
import { loadModule } from '../../src/plugins/load-module.ts'
import { packageRoot } from '../../src/system/paths.ts'
import { compilerOptions, typeErrorsOf } from '../docs/type-check.ts'

interface Documented {
  readonly name: string
  readonly text: string
  readonly examples: readonly string[]
}

/** The exports of the package with their doc comments, as an editor shows them. `z` is zod's own. */
function documentedExports(): Documented[] {
  const index = join(packageRoot, 'src', 'index.ts')
  const program = ts.createProgram([index], compilerOptions)
  const checker = program.getTypeChecker()
  const exported = checker.getExportsOfModule(checker.getSymbolAtLocation(program.getSourceFile(index)!)!)
  return exported
    .filter(({ name }) => name !== 'z')
    .map(symbol => {
      const own = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol
      const examples = own.getJsDocTags(checker).filter(tag => tag.name === 'example')
      return {
        name: symbol.name,
        text: ts.displayPartsToString(own.getDocumentationComment(checker)),
        examples: examples.map(tag => ts.displayPartsToString(tag.text)),
      }
    })
}

const exports = documentedExports()
const page = readFileSync(join(packageRoot, 'docs', 'library.md'), 'utf8')
const pageBlocks = [...page.matchAll(/^```[jt]s\n(.*?)^```$/gms)].map(hit => hit[1]!)
const programs = readdirSync(join(packageRoot, 'examples')).filter(name => name.endsWith('.js'))
const snippets = [
  ...exports.flatMap(({ name, examples }) => examples.map((text, at) => ({ name: `${name}-${at}`, text }))),
  ...pageBlocks.map((text, at) => ({ name: `library-page-${at}`, text })),
]

let folder = ''
const before = process.cwd()

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tablehunt-api-'))
  const demo = join(packageRoot, 'tasks', 'demo')
  await cp(join(demo, 'tasks.jsonl'), join(folder, 'tasks.jsonl'))
  await cp(join(demo, 'documents'), join(folder, 'documents'), { recursive: true })
  process.chdir(folder)
  vi.stubEnv('XDG_CACHE_HOME', join(folder, 'cache'))
  for (const [name, seed] of [
    ['first', 0],
    ['second', 1],
  ] as const)
    await api.run({
      ...{ tasks: 'tasks.jsonl', docs: 'documents', limit: 2, seed },
      setting: 'offline',
      out: `runs/${name}`,
    })
  await mkdir(join(folder, 'snippets'))
})

afterAll(() => {
  process.chdir(before)
  vi.unstubAllEnvs()
})

describe('what the package exports', () => {
  it('has a doc comment with an example each', () => {
    expect(exports.filter(({ text }) => text === '').map(({ name }) => name)).toEqual([])
    expect(exports.filter(({ examples }) => examples.length === 0).map(({ name }) => name)).toEqual([])
  })

  it('has examples that compile as they are, like those of docs/library.md', () => {
    const files = snippets.map(({ name, text }) => [`tests/api/snippet-${name}.ts`, text] as const)
    // An example may name a value that the reader continues with.
    expect(typeErrorsOf(Object.fromEntries(files), { noUnusedLocals: false })).toEqual([])
  })

  it.each(snippets)('runs the example $name', async ({ name, text }) => {
    const file = join(folder, 'snippets', `${name}.ts`)
    await writeFile(file, text)
    await printedBy(file)
  })

  it.each([
    ['run-and-read.js', /answered, Cell F1 [\d.]+/],
    ['score-answers.js', /Cell F1 0\.5/],
  ])('runs examples/%s', async (name, printed) => {
    expect(programs).toContain(name)
    expect(await printedBy(join(packageRoot, 'examples', name))).toMatch(printed)
  })
})

/** Runs a module that imports `tablehunt`; returns what it prints to the console. */
async function printedBy(file: string): Promise<string> {
  const lines: string[] = []
  const log = vi.spyOn(console, 'log').mockImplementation((...values) => void lines.push(values.join(' ')))
  try {
    await loadModule(file, api)
  } finally {
    log.mockRestore()
  }
  return lines.join('\n')
}
