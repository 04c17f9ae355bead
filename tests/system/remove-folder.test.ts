import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rename } from 'node:fs/promises'
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
