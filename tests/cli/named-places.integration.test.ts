import { existsSync } from 'node:fs'
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { packageRoot } from '../../src/system/paths.ts'
import { demoPaths } from '../../tasks/demo/demo.ts'
import { tablehunt } from './cli.ts'

/** Holds a run, a file and a folder; all commands are called in it. */
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
}, 60_000)
afterAll(async () => {
  process.chdir(packageRoot)
  await rm(folder, { recursive: true })
})

const cases: [string, string[], RegExp][] = [
  ['a folder for the report', ['report', 'run', '--html', 'dir'], /--html dir: is a folder; name a file/],
  ['a report below a file', ['report', 'run', '--html', 'file.txt/x.html'], /--html file\.txt\/x\.html: can't be written/],
  ['a folder for a new sheet', ['audit', 'run', '--sample', '3', '--sheet', 'dir', '--new'], /--sheet dir: is a folder; name a file/],
  ['a folder for a sheet', ['audit', 'run', '--sheet', 'dir'], /--sheet dir: is a folder, not a file; name a sheet/],
  ['a file for tables as CSV', ['compare', 'run', '--csv', 'file.txt'], /--csv file\.txt: can't be written/],
  ['a file for tables in LaTeX', ['compare', 'run', '--latex', 'file.txt'], /--latex file\.txt: can't be written/],
  ['a file for a corpus', ['web', 'build', 'dir', '--out', 'file.txt'], /--out file\.txt: can't be written/],
  ['a file for an imported run', ['logs', 'import', 'generic', 'log.jsonl', '--out', 'file.txt'], /--out file\.txt: can't be written/],
  ['a judge that is none', ['score', 'run', '--judge', 'ruls'], /--judge: 'ruls': did you mean 'rules'/],
  ['help of an unknown command', ['help', 'rnu'], /unknown command 'rnu': did you mean 'run'\?/],
  ['help of what is like no command', ['help', 'xyzzy'], /unknown command 'xyzzy': tablehunt --help lists them all/],
  ['a batch of tables that is not there', ['score-table', '--batch', 'nope.json'], /--batch nope\.json: no such file; wanted: a file of \[\{ id, task/],
  ['a batch of extractions that is a folder', ['score-extract', '--batch', 'dir'], /--batch dir: is a folder, not a file; wanted/],
  ['a batch of texts that is empty', ['score-text', '--batch', 'empty.json'], /--batch empty\.json: is empty; wanted: \[/],
  ['a text file for a batch', ['score-text', '--batch', 'file.txt'], /file\.txt: case 1: /],
  ['prompts that are not there', ['run', '--tasks', demoPaths.tasks, '--docs', demoPaths.documents, '--setting', 'offline', '--out', 'x', '--prompts', 'nope.yaml'], /--prompts nope\.yaml: no such file; give AOE's prompts/],
  ['--resume without a run', ['run', '--resume'], /--resume: name the run .*--out RUN/],
  ['--resume of imported logs', ['run', '--resume', '--out', 'imported'], /imported holds imported logs/],
] // biome-ignore format: a table

describe('a place that does not serve is told in one line with exit code 2', () => {
  it.each(cases)('%s', async (_name, args, words) => {
    const { code, stdout, stderr } = await here(...args)
    expect(stderr).toMatch(words)
    expect({ code, stdout, lines: stderr.trimEnd().split('\n').length }).toEqual({
      code: 2,
      stdout: '',
      lines: 1,
    })
  })
})

it('makes the folders that a named file lies in', async () => {
  expect((await here('report', 'run', '--html', 'new/deep/x.html')).code).toBe(0)
  expect((await here('audit', 'run', '--sample', '3', '--sheet', 'new/sheets/a.csv')).code).toBe(0)
  expect(['new/deep/x.html', 'new/sheets/a.csv'].map(name => existsSync(name))).toEqual([true, true])
})

it('reports a run whose own report can not be written, where another file is named', async () => {
  await cp('run', 'shut', { recursive: true })
  await rm('shut/report.html')
  await mkdir('shut/report.html')
  const refused = await here('report', 'shut')
  expect(refused).toMatchObject({ code: 2, stdout: '' })
  expect(refused.stderr).toMatch(/shut\/report\.html: is a folder; name a file with --html\n$/)
  const { code, stdout, stderr } = await here('report', 'shut', '--html', 'shut.html')
  expect({ code, stderr }).toEqual({ code: 0, stderr: 'report: shut/report.html cannot be written\n' })
  expect(stdout).toMatch(/^Report: shut\.html$/m)
  expect(existsSync('shut.html')).toBe(true)
})

it('reports a run without its scores as one with none, and names the mend', async () => {
  await cp('run', 'unscored', { recursive: true })
  await rm('unscored/scores.jsonl')
  const { code, stdout, stderr } = await here('report', 'unscored')
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(stdout).toMatch(/attempts have no score record\. 'tablehunt score RUN' adds/)
})

describe('a run whose tasks are not where it is called from', () => {
  it.each([
    ['score', ['score'], /tasks\.jsonl \(in .*\): the run's tasks are not there; call it from the folder/],
    [
      '--resume',
      ['run', '--resume', '--out'],
      /--resume: tasks\.jsonl \(in .*\): not there; .*, or give --tasks/,
    ],
  ])('%s names the folder looked in and the mend', async (_name, args, words) => {
    await mkdir('begun', { recursive: true })
    await cp(demoPaths.tasks, 'begun/tasks.jsonl')
    process.chdir('begun')
    const docs = ['--docs', demoPaths.documents, '--setting', 'offline', '--limit', '1']
    await here('run', '--tasks', 'tasks.jsonl', ...docs, '--out', 'run', '--cache', '../cache')
    process.chdir(folder)
    const { code, stderr } = await here(...args, join(folder, 'begun/run'))
    expect(stderr).toMatch(words)
    expect({ code, lines: stderr.trimEnd().split('\n').length }).toEqual({ code: 2, lines: 1 })
    process.chdir('begun')
    expect((await here(...args, 'run')).code).toBe(0)
    process.chdir(folder)
  })
})
