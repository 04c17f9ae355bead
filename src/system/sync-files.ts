import { close, constants, fdatasync, fsync, open } from 'node:fs'
import { promisify } from 'node:util'
import { withErrorPath } from './system-errors.ts'

const openFile = promisify(open)
const closeFile = promisify(close)
const flushFile = promisify(fdatasync)
const flushFolder = promisify(fsync)

/**
 * Waits until the content of a file is on the disk, so that a power cut does not lose it. Does nothing for a missing file.
 */
export async function syncFile(path: string): Promise<void> {
  await syncPath(path, constants.O_RDONLY, flushFile)
}

/**
 * Waits until the names in a folder are on the disk: those of new, renamed and removed files. Does nothing for a
 * missing folder, and on systems that cannot open folders.
 */
export async function syncFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return
  await syncPath(path, constants.O_RDONLY, flushFolder)
}

/** Syncs files, several at a time. */
export async function syncFiles(paths: Iterable<string>): Promise<void> {
  const queue = [...paths].values()
  const work = async (): Promise<void> => {
    for (const path of queue) await syncFile(path)
  }
  await Promise.all(Array.from({ length: filesAtATime }, work))
}

/** Node has four threads for files by default. One stays free for other work. */
const filesAtATime = 3

async function syncPath(path: string, flags: number, flush: (file: number) => Promise<void>): Promise<void> {
  try {
    const file = await openFile(path, flags)
    try {
      await flush(file)
    } finally {
      await closeFile(file)
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return
    throw withErrorPath(error, path)
  }
}
