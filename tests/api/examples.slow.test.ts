import { readdirSync, readFileSync } from 'node:fs'
import { cp, mkdir, mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import ts from 'typescript'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import * as api from '../../src/index.ts'
import { loadModule } from '../../src/plugins/load-module.ts'
import { packageRoot } from '../../src/system/paths.ts'

interface Documented {
  readonly name: string
  readonly text: string
  readonly examples: readonly string[]
}

const compilerOptions: ts.CompilerOptions = {
  ...ts.parseJsonConfigFileContent(
    { compilerOptions: JSON.parse(readFileSync(join(packageRoot, 'tsconfig.json'), 'utf8')).compilerOptions },
    ts.sys,
    packageRoot,
  ).options,
  // An example may name a value that the reader goes on with.
  noUnusedLocals: false,
  incremental: false,
  paths: { tablehunt: [join(packageRoot, 'src', 'index.ts')] },
}
delete compilerOptions.tsBuildInfoFile

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

/** What TypeScript says against these files, which need not exist. */
function compilerErrors(files: ReadonlyMap<string, string>): string[] {
  const host = ts.createCompilerHost(compilerOptions)
  const { getSourceFile, fileExists, readFile } = host
  host.fileExists = path => files.has(path) || fileExists(path)
  host.readFile = path => files.get(path) ?? readFile(path)
  host.getSourceFile = (path, target, ...rest) => {
    const text = files.get(path)
    return text === undefined ? getSourceFile(path, target, ...rest) : ts.createSourceFile(path, text, target)
  }
  const program = ts.createProgram([...files.keys()], compilerOptions, host)
  return [...files.keys()].flatMap(path => {
    const source = program.getSourceFile(path)!
    const found = [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)]
    return found.map(one => `${path}: ${ts.flattenDiagnosticMessageText(one.messageText, '\n')}`)
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
    const files = snippets.map(
      ({ name, text }) => [join(packageRoot, 'tests', 'api', `snippet-${name}.ts`), text] as const,
    )
    expect(compilerErrors(new Map(files))).toEqual([])
  }, 120_000)

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
