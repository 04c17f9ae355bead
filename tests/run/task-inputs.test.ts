import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import type { TasksPlace } from '../../src/run/plan/read-tasks.ts'
import {
  describeTaskInputs,
  hashTaskInputs,
  hashTasks,
  listChangedInputs,
} from '../../src/run/records/task-inputs.ts'
import { canonicalJson, sha256 } from '../../src/system/hash.ts'
import { defineBenchmark } from '../../tasks/benchmark.ts'
import { benchmarks } from '../../tasks/registry.ts'

const load = async () => ({ tasks: [], skipped: [] })
const remove = benchmarks.add('tests', {
  'all-files': defineBenchmark({ summary: 'every file', load }),
  'with-rows': defineBenchmark({
    summary: 'a file, and a folder of rows beside it',
    load,
    inputs: async path => [join(path, '..', 'rows', 'a.csv'), join(path, '..', '..', 'shared.csv')],
  }),
})
afterAll(remove)
const at = (tasks: string, benchmark = 'all-files'): TasksPlace => ({ tasks, benchmark })

async function folderOf(files: Readonly<Record<string, string>>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'tablehunt-inputs-'))
  await mkdir(join(folder, 'finance'))
  await mkdir(join(folder, '.git'))
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text)
  return folder
}

const files = { 'finance/a.gold.json': '{}', 'finance/rows.csv': 'a\n1\n2\n', '.git/HEAD': 'x', 'b.txt': '' }

describe('the files that tasks come from', () => {
  it('are all visible files of a folder, named by their relative path', async () => {
    const inputs = await describeTaskInputs(at(await folderOf(files)))
    expect(inputs.map(input => input.place)).toEqual(['b.txt', 'finance/a.gold.json', 'finance/rows.csv'])
  })

  it('consist of a single file, named by its own name', async () => {
    const path = join(await folderOf({ 'tasks.jsonl': '{}' }), 'tasks.jsonl')
    const inputs = await hashTaskInputs(at(path))
    expect(inputs).toEqual({ 'tasks.jsonl': sha256('{}') })
    expect(hashTasks(path, inputs)).toBe(sha256('{}'))
  })

  it('are named when they changed, were added or are missing', async () => {
    const folder = await folderOf(files)
    const run = { inputs: await hashTaskInputs(at(folder)), identity: {} }
    const changes = async () => listChangedInputs(run, await hashTaskInputs(at(folder)))
    expect(await changes()).toEqual([])
    await writeFile(join(folder, 'finance/rows.csv'), 'a\n1\n')
    await writeFile(join(folder, 'c.csv'), '')
    await rm(join(folder, 'b.txt'))
    expect(await changes()).toEqual(['b.txt is missing', 'c.csv was added', 'finance/rows.csv has changed'])
  })

  it('may be one file under another name', async () => {
    const folder = await folderOf({ 'tasks.jsonl': '{}' })
    const run = { inputs: await hashTaskInputs(at(join(folder, 'tasks.jsonl'))), identity: {} }
    const moved = join(folder, 'moved.jsonl')
    await rename(join(folder, 'tasks.jsonl'), moved)
    expect(listChangedInputs(run, await hashTaskInputs(at(moved)))).toEqual([])
  })

  it('are the files that the benchmark names and the file of --tasks, in any place', async () => {
    const folder = await folderOf({ 'finance/tasks.jsonl': '{}' })
    const inputs = await describeTaskInputs(at(join(folder, 'finance/tasks.jsonl'), 'with-rows'))
    expect(inputs.map(input => input.place)).toEqual(['../shared.csv', 'rows/a.csv', 'tasks.jsonl'])
  })

  it('are the JSON files of ExtractBench', async () => {
    const folder = await folderOf({ ...files, '.git/x.json': '1' })
    const place = at(folder, 'extract-bench')
    const hash = hashTasks(folder, await hashTaskInputs(place))
    const jsonFiles = [
      ['.git/x.json', sha256('1')],
      ['finance/a.gold.json', sha256('{}')],
    ]
    expect(hash).toBe(sha256(canonicalJson(jsonFiles)))
    const run = { inputs: await hashTaskInputs(place) }
    await writeFile(join(folder, 'finance/rows.csv'), '')
    expect(listChangedInputs(run, await hashTaskInputs(place))).toEqual([])
    await writeFile(join(folder, 'finance/a.gold.json'), '[]')
    expect(listChangedInputs(run, await hashTaskInputs(place))).toHaveLength(1)
  })

  it('are unknown when one of them cannot be read', async () => {
    const folder = await folderOf(files)
    await expect(hashTaskInputs(at(join(folder, 'none')))).rejects.toMatchObject({ code: 'unreadable-tasks' })
  })
})
