import { existsSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createOwnedFolder, removeAbandonedFolders } from '../../src/system/owned-folder.ts'
import { processNamespace, processStartTime } from '../../src/system/process-status.ts'

let temporary = ''
beforeEach(async () => {
  temporary = await mkdtemp(join(tmpdir(), 'tablehunt-owned-'))
  vi.stubEnv('TMPDIR', temporary)
})
afterEach(async () => {
  vi.unstubAllEnvs()
  await rm(temporary, { recursive: true, force: true })
})

/** No system gives a process this number. */
const endedPid = 2 ** 30

/** Makes a folder with a file of an agent, and the lock of its owner. */
async function makeFolder(name: string, owner: object | string | null): Promise<string> {
  const folder = join(temporary, name)
  await mkdir(join(folder, 'work'), { recursive: true })
  await writeFile(join(folder, 'work', 'answer.csv'), 'a')
  const lock = { host: hostname(), started: '1', since: null, clock: null, namespace: processNamespace() }
  const text = typeof owner === 'string' ? owner : JSON.stringify({ pid: endedPid, ...lock, ...owner })
  if (owner !== null) await writeFile(join(folder, 'lock.1.json'), text)
  return folder
}

describe('temporary folders of a killed run', () => {
  it('are removed with everything in them, also when an agent made them read-only', async () => {
    await makeFolder('tablehunt-agent-a', {})
    await makeFolder('tablehunt-proxy-b', {})
    const folder = await makeFolder('tablehunt-agent-c', {})
    await chmod(join(folder, 'work'), 0o500)
    expect(await removeAbandonedFolders()).toBe(3)
    expect(await readdir(temporary)).toEqual([])
  })

  it('are those of an earlier process when another one has its number now', async () => {
    await makeFolder('tablehunt-agent-a', { pid: process.pid, started: '1' })
    expect(await removeAbandonedFolders()).toBe(processStartTime(process.pid) === null ? 0 : 1)
  })

  it.each<[string, object | string | null]>([
    ['its owner runs', { pid: process.pid, started: processStartTime(process.pid) }],
    ['it has no owner', null],
    ['its owner cannot be read', '{'],
    ['its owner is on another machine', { host: 'elsewhere' }],
    ['its owner is in another container', { namespace: 'pid:[1]' }],
  ])('stay when %s', async (_, owner) => {
    const folder = await makeFolder('tablehunt-agent-a', owner)
    expect(await removeAbandonedFolders()).toBe(0)
    expect(existsSync(join(folder, 'work', 'answer.csv'))).toBe(true)
  })

  it('are recognised by their names, and links are not followed', async () => {
    const other = await makeFolder('other', {})
    await symlink(other, join(temporary, 'tablehunt-agent-link'))
    expect(await removeAbandonedFolders()).toBe(0)
    expect(existsSync(join(other, 'work', 'answer.csv'))).toBe(true)
  })
})

it('a folder names this process as its owner until it is removed', async () => {
  const folder = await createOwnedFolder('agent')
  expect(await removeAbandonedFolders()).toBe(0)
  expect(await readdir(folder.path)).toHaveLength(1)
  await chmod(folder.path, 0o500)
  expect(await folder.remove()).toBe(true)
  expect(await readdir(temporary)).toEqual([])
})
