import { mkdtemp, rm, stat, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { openCache } from '../../src/run/open-run/open-cache.ts'
import { temporaryCacheFolder } from '../../src/system/paths.ts'

/** No folder can be made below a file. */
const notWritable = { XDG_CACHE_HOME: '/dev/null/cache' }

let temporary: string
beforeEach(async () => {
  temporary = await mkdtemp(join(tmpdir(), 'tablehunt-open-cache-'))
  vi.stubEnv('TMPDIR', temporary)
})
afterEach(async () => {
  vi.unstubAllEnvs()
  await rm(temporary, { recursive: true })
})

it('uses a private temporary folder, with one notice, when the default folder is not writable', async () => {
  const notices: string[] = []
  const folder = await openCache({ cache: null, env: notWritable, tell: line => notices.push(line) })
  expect(folder).toBe(temporaryCacheFolder())
  expect(folder.startsWith(temporary)).toBe(true)
  expect((await stat(folder)).mode & 0o777).toBe(0o700)
  expect(notices).toEqual([expect.stringMatching(/\/dev\/null\/cache\/tablehunt cannot be written.*--cache/)])
  expect(await openCache({ cache: null, env: notWritable })).toBe(folder)
})

it('refuses a --cache folder that is not writable', async () => {
  await expect(openCache({ cache: '/dev/null/cache', env: {} })).rejects.toMatchObject({
    code: 'folder-not-writable',
  })
})

it('follows no symbolic link in place of the temporary folder', async () => {
  await symlink(temporary, temporaryCacheFolder())
  await expect(openCache({ cache: null, env: notWritable })).rejects.toMatchObject({
    code: 'folder-not-writable',
  })
})
