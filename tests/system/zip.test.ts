import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { expect, it } from 'vitest'
import { openZip, openZipFile } from '../../src/system/zip.ts'
import { createZipWriter, writeZip } from '../../src/system/zip-writer.ts'

const folder = mkdtempSync(join(tmpdir(), 'tablehunt-zip-'))

function saved(bytes: Uint8Array): string {
  const path = join(folder, 'archive.zip')
  writeFileSync(path, bytes)
  return path
}

it('reads from a file what it reads from memory, whole or as a stream', async () => {
  const bytes = writeZip({ 'a.txt': 'alpha', '日本/b.txt': 'x'.repeat(3_000_000), empty: '' })
  const archive = openZipFile(saved(bytes), 10_000_000)
  for (const [name, file] of openZip(bytes, 10_000_000)) {
    const same = archive.files.get(name)!
    expect(same.text()).toBe(file.text())
    expect((await buffer(same.stream())).toString()).toBe(file.text())
    expect(same.size).toBe(file.bytes().length)
  }
  expect([...archive.files.keys()]).toEqual(['a.txt', '日本/b.txt', 'empty'])
  archive.close()
})

it('writes a file piece by piece, with the same bytes for the same pieces', async () => {
  const content = Buffer.from('some text, '.repeat(100_000))
  const archive = async (): Promise<Buffer> => {
    const written: Buffer[] = []
    const writer = createZipWriter(bytes => void written.push(bytes))
    const ends = [7, 70_000, content.length]
    await writer.addPieces('a', () => ends.map((end, at) => content.subarray(ends[at - 1] ?? 0, end)))
    writer.end()
    return Buffer.concat(written)
  }
  const bytes = await archive()
  expect(content.equals(openZip(bytes, 2_000_000).get('a')!.bytes())).toBe(true)
  expect((await archive()).equals(bytes)).toBe(true)
})

it.each([1, 2])('rejects when pieces cannot be read at reading %d', async reading => {
  const writer = createZipWriter(() => undefined)
  let readings = 0
  function* pieces(): Generator<Buffer> {
    yield Buffer.from('some text')
    if (++readings === reading) throw new Error('the disk is gone')
  }
  await expect(writer.addPieces('a', pieces)).rejects.toThrow('the disk is gone')
})

it.each(['shorter', 'other, long', 'a text with more'])('rejects a file that becomes %j', async later => {
  const writer = createZipWriter(() => undefined)
  const texts = ['a long text', later]
  const pieces = () => [Buffer.from(texts.shift()!)]
  await expect(writer.addPieces('a', pieces)).rejects.toThrow('a changed while it was written')
})

it('fails for an archive that is cut off', () => {
  const bytes = writeZip({ a: 'alpha' })
  expect(() => openZipFile(saved(bytes.subarray(0, bytes.length - 30)), 100)).toThrow('directory is missing')
  expect(() => openZipFile(saved(bytes.subarray(40)), 100)).toThrow(/damaged/)
})
