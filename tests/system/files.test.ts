import { execFileSync } from 'node:child_process'
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { makeFolder, requireRegularFile, requireWritable } from '../../src/system/files.ts'

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

it('takes files, links to files and missing paths for files, and nothing else', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tablehunt-files-'))
  const [file, pipe, link] = ['file', 'pipe', 'link'].map(name => join(folder, name)) as [
    string,
    string,
    string,
  ]
  await writeFile(file, '')
  execFileSync('mkfifo', [pipe])
  await symlink(file, link)
  await symlink('loop', join(folder, 'loop'))
  await symlink('nowhere', join(folder, 'broken'))
  for (const path of [file, link, join(folder, 'missing')]) await requireRegularFile(path)
  const refusals = [
    [folder, 'a folder'],
    [pipe, 'a pipe or a device'],
    ['/dev/zero', 'a pipe or a device'],
    [join(folder, 'loop'), 'a link that leads to no file'],
    [join(folder, 'broken'), 'a link that leads to no file'],
  ] as const
  for (const [path, kind] of refusals)
    await expect(requireRegularFile(path)).rejects.toThrow(
      `${path} is ${kind}. Put a file in its place, or remove it.`,
    )
})
