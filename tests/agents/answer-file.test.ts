import { execFileSync } from 'node:child_process'
import { chmod, mkdir, mkdtemp, stat, symlink, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readAnswerFile } from '../../agents/external/command-agent.ts'
import { removeFolder } from '../../src/system/remove-folder.ts'

const newFolder = () => mkdtemp(join(tmpdir(), 'tablehunt-agent-'))

describe('the answer file of an agent', () => {
  it('is read when it is a regular file, also in a folder of the agent', async () => {
    const folder = await newFolder()
    await mkdir(join(folder, 'out'))
    await writeFile(join(folder, 'out', 'answer.md'), 'a,b\n1,2')
    expect(await readAnswerFile(folder, 'out/answer.md')).toEqual({ text: 'a,b\n1,2', problem: null })
    expect(await readAnswerFile(folder, 'missing.md')).toEqual({ text: '', problem: null })
  })

  it('is not read, and does not block, when it is a named pipe', async () => {
    const folder = await newFolder()
    execFileSync('mkfifo', [join(folder, 'answer.md')])
    const files = await Promise.all(Array.from({ length: 8 }, () => readAnswerFile(folder, 'answer.md')))
    for (const { text, problem } of files)
      expect([text, problem]).toEqual(['', expect.stringContaining('not a regular file')])
  })

  it('is not read when it is a link to a file, or in a linked folder', async () => {
    const [folder, elsewhere] = [await newFolder(), await newFolder()]
    await writeFile(join(elsewhere, 'answer.md'), 'private')
    await symlink(join(elsewhere, 'answer.md'), join(folder, 'answer.md'))
    await symlink(elsewhere, join(folder, 'out'))
    for (const name of ['answer.md', 'out/answer.md']) {
      const { text, problem } = await readAnswerFile(folder, name)
      expect([text, problem]).toEqual(['', expect.stringContaining('symbolic link')])
    }
  })

  it('is not read when it is a folder, a socket or a device', async () => {
    // The path of a socket has at most 107 bytes, and the temporary folder of the tests may be deep.
    const folder = await mkdtemp('/tmp/tablehunt-agent-')
    await mkdir(join(folder, 'folder'))
    const server = createServer()
    await new Promise<void>(resolve => server.listen(join(folder, 'socket'), resolve))
    for (const name of ['folder', 'socket']) {
      const { text, problem } = await readAnswerFile(folder, name)
      expect([text, problem]).toEqual(['', expect.stringContaining('not a regular file')])
    }
    expect((await readAnswerFile('/dev', 'zero')).problem).toContain('not a regular file')
    server.close()
    await removeFolder(folder)
  })
})

it('removes a folder that contains read-only folders', async () => {
  const folder = await newFolder()
  await mkdir(join(folder, 'module', 'inner'), { recursive: true })
  await writeFile(join(folder, 'module', 'inner', 'file.go'), 'package inner')
  await chmod(join(folder, 'module', 'inner'), 0o555)
  await chmod(join(folder, 'module'), 0o555)
  expect(await removeFolder(folder)).toBe(true)
  await expect(stat(folder)).rejects.toThrow('ENOENT')
})
