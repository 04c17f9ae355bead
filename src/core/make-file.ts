import { open } from 'node:fs'
import { promisify } from 'node:util'

const openFile = promisify(open) as (path: string, flags: string) => Promise<number>

/**
 * Makes a file, or empties it, and gives its descriptor; with `wx` it rejects with EEXIST where there is one. The system
 * takes a hundred times as long for it as for writing a few kilobytes, so another thread does it; whatever else is small is
 * quicker done at once.
 */
export async function makeFile(path: string, flags: 'w' | 'wx' = 'w'): Promise<number> {
  return await openFile(path, flags)
}
