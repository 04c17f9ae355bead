import { mkdir, stat } from 'node:fs/promises'
import { dirname } from 'node:path'

/**
 * Makes a folder and those above it; one that is there stays. Rejects with the error of the file system.
 * In place of Node's own recursive mkdir, which never ends where a folder is there and answers ENOENT, as /proc does.
 */
export async function makeFolder(path: string): Promise<void> {
  try {
    await mkdir(path)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (await isFolder(path)) return
    if (code !== 'ENOENT' || (await isFolder(dirname(path)))) throw error
    await makeFolder(dirname(path))
    await makeFolder(path)
  }
}

async function isFolder(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => null)
  return found?.isDirectory() ?? false
}
