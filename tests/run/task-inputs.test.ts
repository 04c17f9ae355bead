import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { sha256 } from '../../src/core/hash.ts'
import { changedInputs, hashTaskInputs, taskInputs, tasksSha256 } from '../../src/run/records/task-inputs.ts'

async function folderOf(files: Readonly<Record<string, string>>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'tablehunt-inputs-'))
  await mkdir(join(folder, 'finance'))
  await mkdir(join(folder, '.git'))
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text)
  return folder
}

const files = { 'finance/a.gold.json': '{}', 'finance/rows.csv': 'a\n1\n2\n', '.git/HEAD': 'x', 'b.txt': '' }

describe('the files that tasks come from', () => {
  it('are all files of a folder but hidden ones, by their place in it', async () => {
    const inputs = await taskInputs(await folderOf(files))
    expect(inputs.map(input => input.place)).toEqual(['b.txt', 'finance/a.gold.json', 'finance/rows.csv'])
  })

  it('are the file itself, by its name', async () => {
    const path = join(await folderOf({ 'tasks.jsonl': '{}' }), 'tasks.jsonl')
    const inputs = await hashTaskInputs(path)
    expect(inputs).toEqual({ 'tasks.jsonl': sha256('{}') })
    expect(tasksSha256(path, inputs)).toBe(sha256('{}'))
  })

  it('are named where they changed, were added or are missing', async () => {
    const folder = await folderOf(files)
    const run = { inputs: await hashTaskInputs(folder), identity: {} }
    const changes = async () => changedInputs(run, folder, await hashTaskInputs(folder))
    expect(await changes()).toEqual([])
    await writeFile(join(folder, 'finance/rows.csv'), 'a\n1\n')
    await writeFile(join(folder, 'c.csv'), '')
    await rm(join(folder, 'b.txt'))
    expect(await changes()).toEqual(['b.txt is missing', 'c.csv was added', 'finance/rows.csv has changed'])
  })

  it('may be one file under another name', async () => {
    const folder = await folderOf({ 'tasks.jsonl': '{}' })
    const run = { inputs: await hashTaskInputs(join(folder, 'tasks.jsonl')), identity: {} }
    const moved = join(folder, 'moved.jsonl')
    await rename(join(folder, 'tasks.jsonl'), moved)
    expect(changedInputs(run, moved, await hashTaskInputs(moved))).toEqual([])
  })

  it('are compared by their JSON alone in runs of versions that recorded no more', async () => {
    const folder = await folderOf(files)
    const run = { identity: { tasksSha256: tasksSha256(folder, await hashTaskInputs(folder)) } }
    await writeFile(join(folder, 'finance/rows.csv'), '')
    expect(changedInputs(run, folder, await hashTaskInputs(folder))).toEqual([])
    await writeFile(join(folder, 'finance/a.gold.json'), '[]')
    expect(changedInputs(run, folder, await hashTaskInputs(folder))).toHaveLength(1)
  })

  it('cannot be told where one of them cannot be read', async () => {
    const folder = await folderOf(files)
    await expect(hashTaskInputs(join(folder, 'none'))).rejects.toMatchObject({ code: 'unreadable-tasks' })
  })
})
