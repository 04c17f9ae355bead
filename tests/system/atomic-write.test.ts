import { lstat, mkdir, mkdtemp, readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import {
  isPartialFile,
  replaceFileAtomically,
  writeFileAtomically,
  writeFileAtomicallySync,
  writeOutput,
} from '../../src/system/atomic-write.ts'

const newFolder = () => mkdtemp(join(tmpdir(), 'tablehunt-whole-'))

describe('a file that is written atomically', () => {
  it('replaces an existing file, leaves nothing beside it, and creates a missing folder', async () => {
    const folder = await newFolder()
    const path = join(folder, 'a', 'b', 'file.txt')
    await writeFileAtomically(path, 'first')
    await writeFileAtomically(path, new Uint8Array([0x32]))
    expect(await readFile(path, 'utf8')).toBe('2')
    writeFileAtomicallySync(path, 'third')
    expect(await readFile(path, 'utf8')).toBe('third')
    expect(await readdir(join(folder, 'a', 'b'))).toEqual(['file.txt'])
  })

  it('is always one complete version when many processes write it at the same time', async () => {
    const path = join(await newFolder(), 'file.txt')
    const texts = Array.from({ length: 30 }, (_, index) => String(index % 10).repeat(200_000))
    const seen: string[] = []
    await Promise.all(
      texts.map(async text => {
        await writeFileAtomically(path, text)
        seen.push(await readFile(path, 'utf8'))
      }),
    )
    expect(seen.filter(text => !texts.includes(text))).toEqual([])
  })

  it('stays unchanged when the new one cannot be written, without leftovers', async () => {
    const folder = await newFolder()
    const path = join(folder, 'file.txt')
    await writeFileAtomically(path, 'old')
    const broken = replaceFileAtomically(path, async part => {
      await writeFileAtomically(part, 'half')
      throw new Error('disk full')
    })
    await expect(broken).rejects.toThrow('disk full')
    expect(await readFile(path, 'utf8')).toBe('old')
    await mkdir(join(folder, 'a-folder'))
    await expect(writeFileAtomically(join(folder, 'a-folder'), 'text')).rejects.toThrow('EISDIR')
    expect(() => writeFileAtomicallySync(join(folder, 'a-folder'), 'text')).toThrow('EISDIR')
    expect((await readdir(folder)).filter(isPartialFile)).toEqual([])
  })
})

describe('an output file', () => {
  it('leaves the old file, and nothing else, when the new one cannot be written whole', async () => {
    const folder = await newFolder()
    const path = join(folder, 'report.html')
    await writeOutput(path, 'old')
    async function* broken() {
      yield 'n'.repeat(100_000)
      throw new Error('no space left')
    }
    await expect(writeOutput(path, broken())).rejects.toThrow('no space left')
    expect([await readFile(path, 'utf8'), await readdir(folder)]).toEqual(['old', ['report.html']])
    await writeOutput(path, ['new', ' text'])
    expect([await readFile(path, 'utf8'), await readdir(folder)]).toEqual(['new text', ['report.html']])
  })

  it('keeps a link, and writes a device directly', async () => {
    const folder = await newFolder()
    await writeFile(join(folder, 'target.html'), 'old')
    await symlink('target.html', join(folder, 'report.html'))
    await writeOutput(join(folder, 'report.html'), 'new')
    expect((await lstat(join(folder, 'report.html'))).isSymbolicLink()).toBe(true)
    expect(await readFile(join(folder, 'target.html'), 'utf8')).toBe('new')
    await writeOutput('/dev/null', 'new')
    expect((await lstat('/dev/null')).isCharacterDevice()).toBe(true)
  })
})
