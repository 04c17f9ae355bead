import { existsSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, rename, stat, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { removeFolder } from '../../src/system/remove-folder.ts'

it('removes folders that are nested deeper than a path can be long', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tablehunt-nested-'))
  const name = 'n'.repeat(200)
  // Built from the inside, because no call takes the whole path.
  await mkdir(join(folder, 'built'))
  for (let depth = 0; depth < 60; depth++) {
    await mkdir(join(folder, 'outer'))
    await rename(join(folder, 'built'), join(folder, 'outer', name))
    await rename(join(folder, 'outer'), join(folder, 'built'))
  }
  expect(await removeFolder(folder)).toBe(true)
  expect(existsSync(folder)).toBe(false)
})

it('removes a link in the place of the folder, and not what it leads to', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tablehunt-link-'))
  await mkdir(join(folder, 'victim', 'inner'), { recursive: true })
  await chmod(join(folder, 'victim'), 0o500)
  await symlink(join(folder, 'victim'), join(folder, 'link'))
  expect(await removeFolder(join(folder, 'link'))).toBe(true)
  expect(existsSync(join(folder, 'victim', 'inner'))).toBe(true)
  expect((await stat(join(folder, 'victim'))).mode & 0o777).toBe(0o500)
})
