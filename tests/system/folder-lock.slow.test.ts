import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { lockFolder, lockHolder } from '../../src/system/folder-lock.ts'
import { packageRoot } from '../../src/system/paths.ts'

/** Takes the folder again and again, tells where another has it at the same time, and dies now and then as its holder. */
const taker = `
const [folder, module] = process.argv.slice(1)
const { lockFolder } = await import(module)
const { closeSync, openSync, unlinkSync } = await import('node:fs')
const busy = folder + '.busy'
const end = Date.now() + 2500
let taken = 0
while (Date.now() < end) {
  const lock = await lockFolder(folder)
  if (!('release' in lock)) continue
  taken++
  try {
    closeSync(openSync(busy, 'wx'))
  } catch {
    console.log('two at a time')
    process.exit(1)
  }
  await new Promise(resolve => setTimeout(resolve, Math.random() * 4))
  unlinkSync(busy)
  if (Math.random() < 0.01) process.kill(process.pid, 'SIGKILL')
  await lock.release()
}
console.log('taken ' + taken)`

it('locks a folder for one process at a time, even when many want it and die', async () => {
  const folder = join(await mkdtemp(join(tmpdir(), 'tablehunt-locks-')), 'folder')
  const module = join(packageRoot, 'dist/src/system/folder-lock.js')
  const said = await Promise.all(
    Array.from({ length: 6 }, async () => {
      const child = spawn(process.execPath, ['--input-type=module', '-e', taker, folder, module])
      let text = ''
      child.stdout.on('data', data => {
        text += String(data)
      })
      await once(child, 'close')
      return text
    }),
  )
  expect(said.join('')).not.toContain('two at a time')
  expect(await lockHolder(folder)).toBeNull()
  const lock = await lockFolder(folder)
  expect(lock).toHaveProperty('release')
  expect(await readdir(folder)).toHaveLength(1)
})

it('reports a lock without writing anything', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tablehunt-locks-'))
  expect(await lockHolder(folder)).toBeNull()
  await lockFolder(folder)
  expect(await lockHolder(folder)).toMatchObject({ pid: process.pid })
  expect(await readdir(folder)).toHaveLength(1)
})
