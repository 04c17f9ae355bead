import { spawnSync } from 'node:child_process'
import { mkdtemp, readdir, writeFile } from 'node:fs/promises'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { lockRun } from '../../src/run/folder/lock.ts'

const newFolder = () => mkdtemp(join(tmpdir(), 'tablehunt-lock-'))

it('refuses a folder that a living process holds, naming the process', async () => {
  const folder = await newFolder()
  const lock = await lockRun(folder)
  await expect(lockRun(folder)).rejects.toThrow(`in use by process ${process.pid}`)
  await lock.release()
  await (await lockRun(folder)).release()
})

it('takes the lock of a dead process at once', async () => {
  const folder = await newFolder()
  const dead = spawnSync(process.execPath, ['-e', '0']).pid
  await writeFile(join(folder, 'lock.json'), JSON.stringify({ pid: dead, host: hostname(), started: null }))
  await (await lockRun(folder)).release()
  expect(await readdir(folder)).toEqual([])
})

it('takes a lock whose process number belongs to a later process', async () => {
  const folder = await newFolder()
  const reused = { pid: process.pid, host: hostname(), started: 'long ago' }
  await writeFile(join(folder, 'lock.json'), JSON.stringify(reused))
  await (await lockRun(folder)).release()
})

it('takes a lock that was only half written', async () => {
  const folder = await newFolder()
  await writeFile(join(folder, 'lock.json'), '{"pid": 12')
  await (await lockRun(folder)).release()
})

it('leaves a lock of another machine alone and says how to remove it', async () => {
  const folder = await newFolder()
  await writeFile(join(folder, 'lock.json'), JSON.stringify({ pid: 1, host: 'elsewhere', started: null }))
  await expect(lockRun(folder)).rejects.toThrow(/elsewhere.*if it is dead, delete/)
})
