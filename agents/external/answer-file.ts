import { constants } from 'node:fs'
import { open, realpath } from 'node:fs/promises'
import { dirname, join } from 'node:path'

const mostBytes = 8_000_000

/** What an agent wrote to its answer file. */
export interface AnswerFile {
  /** The end of the file; empty when it is missing or cannot be used. */
  readonly text: string
  /** Why a file that exists cannot be used; null otherwise. */
  readonly problem: string | null
}

/**
 * Reads the end of the file to which an agent wrote its answer. Only a regular file in the agent's folder is read: a named
 * pipe would block this process, and a link could lead to a file that the agent did not write.
 */
export async function readAnswerFile(folder: string, name: string): Promise<AnswerFile> {
  const path = join(folder, name)
  const unusable = (why: string): AnswerFile => ({
    text: '',
    problem: `the answer file ${name} ${why}. Write the answer to a regular file`,
  })
  try {
    const place = await realpath(dirname(path))
    if (place !== join(await realpath(folder), dirname(name))) return unusable('is behind a symbolic link')
    const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW)
    try {
      const stats = await file.stat()
      if (!stats.isFile()) return unusable('is not a regular file')
      const length = Math.min(stats.size, mostBytes)
      const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, stats.size - length)
      return { text: buffer.subarray(0, bytesRead).toString('utf8'), problem: null }
    } finally {
      await file.close()
    }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR') return { text: '', problem: null }
    if (code === 'ELOOP') return unusable('is a symbolic link')
    // A socket cannot be opened.
    if (code === 'ENXIO' || code === 'EOPNOTSUPP') return unusable('is not a regular file')
    return unusable(`cannot be read (${code ?? String(error)})`)
  }
}
