import { lstat, readdir } from 'node:fs/promises'
import { join } from 'node:path'

/** A folder with more files counts as infinitely large. */
const mostFiles = 100_000

/** Returns how many megabytes the files of a folder and its subfolders take on the disk. Links are not followed. */
export async function sizeOfFolderMb(folder: string): Promise<number> {
  const folders = [folder]
  let bytes = 0
  let files = 0
  for (let next = folders.pop(); next !== undefined; next = folders.pop()) {
    const entries = await readdir(next, { withFileTypes: true }).catch(() => [])
    files += entries.length
    if (files > mostFiles) return Number.POSITIVE_INFINITY
    for (const entry of entries) {
      const path = join(next, entry.name)
      if (entry.isDirectory()) folders.push(path)
      // Blocks of 512 bytes. A sparse file takes less space than its length.
      else
        bytes += await lstat(path).then(
          ({ blocks }) => blocks * 512,
          () => 0,
        )
    }
  }
  return bytes / 1_000_000
}
