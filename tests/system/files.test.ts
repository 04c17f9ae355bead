import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { makeFolder, requireWritable } from '../../src/system/files.ts'

it('creates folders below a missing one in concurrent calls', async () => {
  for (let round = 0; round < 100; round++) {
    const base = await mkdtemp(join(tmpdir(), 'tablehunt-folders-'))
    const paths = Array.from({ length: 8 }, (_, index) => join(base, 'a', 'b', String(index), 'c'))
    const made = await Promise.allSettled(paths.map(makeFolder))
    expect(made.filter(({ status }) => status === 'rejected')).toEqual([])
    await rm(base, { recursive: true })
  }
})

it('says that a file is in the place of a folder for output', async () => {
  const file = join(await mkdtemp(join(tmpdir(), 'tablehunt-folders-')), 'file')
  await writeFile(file, '')
  await expect(requireWritable('--out', file)).rejects.toThrow(
    `--out ${file}: is a file, not a folder. Name another folder with --out.`,
  )
})
