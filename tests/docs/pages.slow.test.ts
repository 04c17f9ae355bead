import { spawn, spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { cp, mkdir, mkdtemp, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { packageRoot } from '../../src/system/paths.ts'
import { excerptLinesOf, patternOf, type ShellBlock, shellBlocksOf } from './page-blocks.ts'

const readPage = (path: string): string => readFileSync(join(packageRoot, path), 'utf8')
const docs = readdirSync(join(packageRoot, 'docs'), { recursive: true, encoding: 'utf8' })
const pages = ['README.md', ...docs.filter(name => name.endsWith('.md')).map(name => `docs/${name}`)]
const tutorial = 'docs/your-own-tasks.md'
const fromEmptyFolder = [tutorial, 'README.md', 'docs/paper.md']
const base = await mkdtemp(join(tmpdir(), 'tablehunt-pages-'))

/** Programs that a block may need and that a machine may have. Everything else that is needed is taken as missing. */
const programs: Record<string, boolean> = {
  python3: runsHere('python3', ['--version']),
  'python3 and pandas': runsHere('python3', ['-c', 'import pandas']),
  'python3 with pandas, pyarrow and duckdb': runsHere('python3', ['-c', 'import duckdb, pandas, pyarrow']),
}

function runsHere(program: string, args: readonly string[]): boolean {
  return spawnSync(program, args).status === 0
}

const isRunnable = ({ needs }: ShellBlock): boolean => needs === null || programs[needs] === true

/** A program `npx` that starts the built command, for blocks and for the programs that they start. */
async function writeNpx(): Promise<void> {
  await mkdir(join(base, 'bin'), { recursive: true })
  const script = `#!/bin/sh\nshift\nexec node '${join(packageRoot, 'bin', 'tablehunt.js')}' "$@"\n`
  await writeFile(join(base, 'bin', 'npx'), script, { mode: 0o755 })
}

async function runBlock(
  text: string,
  cwd: string,
): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const path = [join(base, 'bin'), process.env.PATH].join(delimiter)
  const env = { PATH: path, HOME: cwd, XDG_CACHE_HOME: join(base, 'cache') }
  const child = spawn('bash', ['-c', `set -euo pipefail\n${text}`], { cwd, env })
  let [stdout, stderr] = ['', '']
  child.stdout.on('data', piece => {
    stdout += piece
  })
  child.stderr.on('data', piece => {
    stderr += piece
  })
  const code = await new Promise<number | null>(resolve => child.on('close', resolve))
  return { code, stdout, stderr }
}

async function runPage(markdown: string, cwd: string): Promise<void> {
  let printed = ''
  for (const block of shellBlocksOf(markdown).filter(isRunnable)) {
    const { code, stdout, stderr } = await runBlock(block.text, cwd)
    expect(code, `${block.text}${stderr}${stdout}`).toBe(0)
    if (block.output !== null) expect(stdout).toMatch(patternOf(block.output))
    printed += stdout
  }
  const lines = new Set(printed.split('\n').map(withoutSpacing))
  expect(excerptLinesOf(markdown).filter(line => !lines.has(withoutSpacing(line)))).toEqual([])
}

/** Excerpts may leave out rows, which changes the width of columns. */
function withoutSpacing(line: string): string {
  return line.trim().replace(/\s+/g, ' ')
}

async function newFolder(name: string): Promise<string> {
  const folder = join(base, name)
  await mkdir(join(folder, 'node_modules'), { recursive: true })
  await symlink(packageRoot, join(folder, 'node_modules', 'tablehunt'))
  return folder
}

/** What the tutorial leaves behind when its fifth step is done, beside the demo's tasks. */
async function runTutorial(folder: string): Promise<void> {
  await runPage(readPage(tutorial).split('## From a spreadsheet', 1)[0]!, folder)
  await cp(join(packageRoot, 'tasks', 'demo'), join(folder, 'tasks', 'demo'), { recursive: true })
}

describe('the commands of a page', () => {
  let finished = ''

  beforeAll(async () => {
    await writeNpx()
    finished = await newFolder('tutorial')
    await runTutorial(finished)
  })

  it.each(fromEmptyFolder)('run as printed in an empty folder: %s', async page => {
    await runPage(readPage(page), await newFolder(page.replaceAll('/', '-')))
  })

  it.each(
    pages.filter(page => !fromEmptyFolder.includes(page) && shellBlocksOf(readPage(page)).some(isRunnable)),
  )('run as printed after the tutorial: %s', async page => {
    const folder = join(base, `after-${page.replaceAll('/', '-')}`)
    await cp(finished, folder, { recursive: true, verbatimSymlinks: true })
    await runPage(readPage(page), folder)
  })

  it.skip.each(Object.keys(programs).filter(name => programs[name] !== true))(
    'run where this is installed, which is not on this machine: %s',
    () => {},
  )

  it('include a demo that prints what the README shows', async () => {
    const shown = /^```console\n(.*?)^```$/ms.exec(readPage('README.md'))![1]!
    await runPage(
      `\`\`\`sh\nnpx tablehunt demo\n\`\`\`\n\n\`\`\`text\n…\n${shown}…\n\`\`\`\n`,
      await newFolder('demo'),
    )
  })
})
