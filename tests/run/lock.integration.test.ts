import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import { lockRun } from '../../src/run/records/lock.ts'
import { lockFolder, lockLifeMs, lockRenewalMs } from '../../src/system/folder-lock.ts'
import { processStartTime } from '../../src/system/process-status.ts'

/** The test's own timeout ends the wait. */
const patient = { timeout: 3_600_000 }

const newFolder = () => mkdtemp(join(tmpdir(), 'tablehunt-lock-'))

it('refuses a folder that a running process has locked, and names the process', async () => {
  const folder = await newFolder()
  const lock = await lockRun(folder)
  await expect(lockRun(folder)).rejects.toMatchObject({
    code: 'folder-in-use',
    message: expect.stringContaining(`process ${process.pid}`),
  })
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

it('takes a lock whose process id belongs to a later process', async () => {
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

const elsewhere = { pid: 1, host: 'elsewhere', started: null, since: null, namespace: null }

it('respects a lock that another machine renews, and says when the folder is free at the latest', async () => {
  const folder = await newFolder()
  const path = join(folder, 'lock.1.json')
  await writeFile(path, JSON.stringify(elsewhere))
  const renewed = new Date(Date.now() - 20_000)
  await utimes(path, renewed, renewed)
  await expect(lockRun(folder)).rejects.toMatchObject({
    code: 'folder-in-use',
    message: expect.stringMatching(
      /process 1 on elsewhere, which renewed its lock 2\d s ago .*free in [34]\d s/,
    ),
  })
})

it('takes a lock that another machine has not renewed for a minute, including locks of versions that never renew', async () => {
  const folder = await newFolder()
  const path = join(folder, 'lock.1.json')
  await writeFile(path, JSON.stringify(elsewhere))
  const renewed = new Date(Date.now() - 61_000)
  await utimes(path, renewed, renewed)
  const { namespace: _, ...old } = elsewhere
  await writeFile(join(folder, 'lock.2.json'), JSON.stringify({ ...old, since: renewed.toISOString() }))
  const lock = await lockFolder(folder, 0)
  expect(await readdir(folder)).toEqual([expect.stringContaining(`lock.${process.pid}.`)])
  if ('release' in lock) await lock.release()
})

it.each([400, 3, 1])(
  'respects a lock that its holder renews after the clock was set %d days ahead',
  async days => {
    const folder = await newFolder()
    const path = join(folder, 'lock.1.json')
    await writeFile(path, JSON.stringify(elsewhere))
    const jumped = new Date(Date.now() - days * 86_400_000)
    await utimes(path, jumped, jumped)
    const taken = lockFolder(folder, 300)
    await vi.waitFor(async () => expect(await readdir(folder)).toHaveLength(2), patient)
    await utimes(path, new Date(), new Date())
    expect(await taken).toMatchObject({ host: 'elsewhere' })
    expect(await readdir(folder)).toEqual(['lock.1.json'])
  },
)

it('respects a lock of this host whose process id belongs to another container', async () => {
  const folder = await newFolder()
  const contained = { pid: 1, host: hostname(), started: 'then', since: null, namespace: 'pid:[1]' }
  await writeFile(join(folder, 'lock.1.json'), JSON.stringify(contained))
  await expect(lockRun(folder)).rejects.toMatchObject({ code: 'folder-in-use' })
})

it('renews its lock, and stops writing when another process has taken the lock', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'Date'] })
  try {
    const folder = await newFolder()
    const lock = await lockRun(folder)
    const [name = ''] = await readdir(folder)
    const long = new Date(0)
    await utimes(join(folder, name), long, long)
    vi.advanceTimersByTime(lockRenewalMs)
    await vi.waitFor(async () => expect((await stat(join(folder, name))).mtimeMs).toBeGreaterThan(0), patient)
    lock.requireHeld()
    await rm(join(folder, name))
    // The process slept: no renewal has found out yet.
    vi.setSystemTime(Date.now() + lockLifeMs)
    expect(() => lock.requireHeld()).toThrow(expect.objectContaining({ code: 'lock-lost' }))
    expect(lock.lost.aborted).toBe(true)
    await lock.release()
  } finally {
    vi.useRealTimers()
  }
})

it('takes the lock of a zombie process, which has ended and waits for its parent', async () => {
  const folder = await newFolder()
  // The shell becomes a program that never collects its child. The child ends only then: the shell itself would collect it.
  const child = 'until grep -q sleep /proc/$PPID/comm; do sleep 0.05; done'
  const parent = spawn('sh', ['-c', `sh -c '${child}' & echo $!; exec sleep 60`], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  try {
    const [said] = (await once(parent.stdout, 'data')) as [Buffer]
    const pid = Number(said.toString())
    await vi.waitFor(
      async () => expect(await readFile(`/proc/${pid}/stat`, 'utf8')).toContain(') Z '),
      patient,
    )
    await writeFile(
      join(folder, 'lock.json'),
      JSON.stringify({ pid, host: hostname(), started: processStartTime(pid) }),
    )
    await (await lockRun(folder)).release()
  } finally {
    parent.kill()
  }
})
