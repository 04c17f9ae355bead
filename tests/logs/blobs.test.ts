import { mkdir, mkdtemp, readFile, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createBlobStore, readBlob } from '../../logs/blobs.ts'
import { makeBlobReader } from '../../src/run/records/trace-source.ts'

const newFolder = () => mkdtemp(join(tmpdir(), 'tablehunt-blobs-'))
const text = '2022年 annual report: 14,200 beds'

describe('a text that an earlier process left damaged', () => {
  const damages: Readonly<Record<string, (path: string) => Promise<void>>> = {
    emptied: path => truncate(path, 0),
    'cut within a character': path => truncate(path, 2),
    'of zero bytes': path => writeFile(path, Buffer.alloc(Buffer.byteLength(text))),
    'longer than it was': path => writeFile(path, `${text}\0\0`),
  }
  it.each(Object.entries(damages))('is written again when it was %s', async (_name, damage) => {
    const folder = await newFolder()
    const hash = createBlobStore({ folder }).put(text)
    const path = join(folder, 'traces', 'blobs', hash)
    await damage(path)
    const blobs = createBlobStore({ folder })
    expect(blobs.put(text)).toBe(hash)
    expect(await readFile(path, 'utf8')).toBe(text)
    expect(blobs.get(hash)).toBe(text)
  })
})

it('lists each text that was put once as not synced, also one that an earlier process wrote', async () => {
  const folder = await newFolder()
  const hash = createBlobStore({ folder }).put(text)
  const blobs = createBlobStore({ folder })
  blobs.put(text)
  blobs.put(text)
  expect(blobs.takeUnsynced()).toEqual([join(folder, 'traces', 'blobs', hash)])
  expect(blobs.takeUnsynced()).toEqual([])
})

describe('the name of a stored text', () => {
  const hash = 'a'.repeat(64)
  it.each(['../secret', '../../secret', `../blobs/${hash}`, 'notes.txt', '', '.', `${hash}\n`])(
    'is a hash and nothing else, such as %j',
    async name => {
      const folder = join(await newFolder(), 'traces', 'blobs')
      await mkdir(folder, { recursive: true })
      for (const path of ['../secret', '../../secret', hash, 'notes.txt'])
        await writeFile(join(folder, path), 'a text')
      expect(readBlob(folder, hash)).toBe('a text')
      expect(readBlob(folder, name)).toBeNull()
    },
  )

  it('does not bring a file from elsewhere into a run when a stranger wrote its trace', async () => {
    const run = await newFolder()
    await mkdir(join(run, 'traces', 'blobs'), { recursive: true })
    await writeFile(join(run, 'secret'), '{"text":"a text"}')
    expect(makeBlobReader(run)('../../secret')).toBeNull()
  })
})
