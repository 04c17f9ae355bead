import { existsSync } from 'node:fs'
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { packageRoot } from '../../src/system/paths.ts'
import { demoPaths } from '../../tasks/demo/demo.ts'
import { tablehunt } from './cli.ts'

/** The working folder of all commands. It contains a run, a file and a folder. */
let folder: string

const here = (...args: string[]) => tablehunt(args)

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tablehunt-places-'))
  process.chdir(folder)
  await mkdir('dir')
  await writeFile('empty.json', ' \n')
  await writeFile('file.txt', 'hello\nworld\n')
  await writeFile('log.jsonl', '{"id": 1, "termination": {"cause": "agent", "reason": "answered"}}\n')
  const { tasks, documents } = demoPaths
  const what = ['--tasks', tasks, '--docs', documents, '--setting', 'offline', '--filter', 'legal']
  await here('run', ...what, '--out', 'run', '--cache', 'cache')
  await here('logs', 'import', 'generic', 'log.jsonl', '--out', 'imported')
})
afterAll(async () => {
  process.chdir(packageRoot)
  await rm(folder, { recursive: true })
})

/** The arguments of a command and the code of its error. */
const cases: [string, string[], string][] = [
  ['a folder for the report', ['report', 'run', '--html', 'dir'], 'file-not-writable'],
  ['a report below a file', ['report', 'run', '--html', 'file.txt/x.html'], 'file-not-writable'],
  ['a folder for a new sheet', ['audit', 'run', '--sample', '3', '--sheet', 'dir', '--new'], 'file-not-writable'],
  ['a folder for a sheet', ['audit', 'run', '--sheet', 'dir'], 'unreadable-sheet'],
  ['a file for tables as CSV', ['compare', 'run', '--csv', 'file.txt'], 'folder-not-writable'],
  ['a file for tables in LaTeX', ['compare', 'run', '--latex', 'file.txt'], 'folder-not-writable'],
  ['a file for a corpus', ['web', 'build', 'dir', '--out', 'file.txt'], 'folder-not-writable'],
  ['a file for an imported run', ['logs', 'import', 'generic', 'log.jsonl', '--out', 'file.txt'], 'folder-not-writable'],
  ['a file for samples', ['tasks', 'make', 'structext', '--out', 'file.txt'], 'folder-not-writable'],
  ['an unknown judge', ['score', 'run', '--judge', 'ruls'], 'invalid-option'],
  ['an unknown command', ['rnu'], 'unknown-command'],
  ['an unknown option', ['run', '--task', 'x'], 'unknown-option'],
  ['a missing argument', ['report'], 'missing-argument'],
  ['an argument too many', ['status', 'a', 'b'], 'unexpected-argument'],
  ['an option without a value', ['run', '--out'], 'missing-value'],
  ['help of an unknown command', ['help', 'rnu'], 'unknown-command'],
  ['help of a command that is unlike all others', ['help', 'xyzzy'], 'unknown-command'],
  ['a missing file of cases', ['score', 'nope.json'], 'path-missing'],
  ['a folder without a run', ['score', 'dir'], 'not-a-run'],
  ['an empty file of cases', ['score', 'empty.json'], 'empty-batch'],
  ['a text file instead of cases', ['score', 'file.txt'], 'unknown-cases'],
  ['a missing file of prompts', ['run', '--tasks', demoPaths.tasks, '--docs', demoPaths.documents, '--setting', 'offline', '--out', 'x', '--prompts', 'nope.yaml'], 'unreadable-prompts'],
  ['--resume without a run', ['run', '--resume'], 'resume-needs-out'],
  ['--resume of imported logs', ['run', '--resume', '--out', 'imported'], 'imported-logs'],
] // biome-ignore format: a table

describe('a command ends with code 2 and one line for', () => {
  it.each(cases)('%s', async (_name, args, errorCode) => {
    const { code, stdout, stderr } = await here(...args)
    expect(stderr).toContain(` [${errorCode}]\n`)
    expect({ code, stdout, lines: stderr.trimEnd().split('\n').length }).toEqual({
      code: 2,
      stdout: '',
      lines: 1,
    })
  })
})

it('creates the folders above a named file', async () => {
  expect((await here('report', 'run', '--html', 'new/deep/x.html')).code).toBe(0)
  expect((await here('audit', 'run', '--sample', '3', '--sheet', 'new/sheets/a.csv')).code).toBe(0)
  expect(['new/deep/x.html', 'new/sheets/a.csv'].map(name => existsSync(name))).toEqual([true, true])
})

it('prints the report of a run whose report.html cannot be written, when --html names another file', async () => {
  await cp('run', 'shut', { recursive: true })
  await rm('shut/report.html')
  await mkdir('shut/report.html')
  const refused = await here('report', 'shut')
  expect(refused).toMatchObject({ code: 2, stdout: '' })
  expect(refused.stderr).toMatch(
    /--html shut\/report\.html: is a folder\. Name a file with --html\. \[file-not-writable\]\n$/,
  )
  const { code, stdout, stderr } = await here('report', 'shut', '--html', 'shut.html')
  expect({ code, stderr }).toEqual({ code: 0, stderr: 'report: shut/report.html cannot be written\n' })
  expect(stdout).toMatch(/^Report: shut\.html$/m)
  expect(existsSync('shut.html')).toBe(true)
})

it('reports a run without scores.jsonl, and names the fix', async () => {
  await cp('run', 'unscored', { recursive: true })
  await rm('unscored/scores.jsonl')
  const { code, stdout, stderr } = await here('report', 'unscored')
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(stdout).toMatch(/attempts have no score record\. 'tablehunt score RUN' adds/)
})

describe('when the tasks of a run are not in the working folder', () => {
  it.each([
    ['score', ['score'], 'tasks-missing'],
    ['--resume', ['run', '--resume', '--out'], 'path-missing'],
  ])('%s names the folder and the fix', async (_name, args, errorCode) => {
    await mkdir('begun', { recursive: true })
    await cp(demoPaths.tasks, 'begun/tasks.jsonl')
    process.chdir('begun')
    const docs = ['--docs', demoPaths.documents, '--setting', 'offline', '--limit', '1']
    await here('run', '--tasks', 'tasks.jsonl', ...docs, '--out', 'run', '--cache', '../cache')
    process.chdir(folder)
    const { code, stderr } = await here(...args, join(folder, 'begun/run'))
    expect(stderr).toMatch(new RegExp(`tasks\\.jsonl.*Run the command in the folder.*\\[${errorCode}\\]`))
    expect({ code, lines: stderr.trimEnd().split('\n').length }).toEqual({ code: 2, lines: 1 })
    process.chdir('begun')
    expect((await here(...args, 'run')).code).toBe(0)
    process.chdir(folder)
  })
})
