import { randomUUID } from 'node:crypto'
import { closeSync, renameSync, rmSync, writeFile, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { promisify } from 'node:util'
import { makeFile, makeFolder } from './files.ts'
import { withErrorPath } from './system-errors.ts'

const writeAll = promisify(writeFile)
/** Less than this is written sooner than another thread is asked to. */
const quickLength = 64_000

/** How the name of a file ends that is not whole yet; a killed process may leave it. */
const unfinished = '.part'

/** Whether a file of that name is one that is being written, or that a killed process left. */
export function isPartialFile(name: string): boolean {
  return name.endsWith(unfinished)
}

/**
 * Puts a file in its place so that a reader sees the old or the new one, never half of either, whoever writes at the
 * same time and also after a kill. Its folder is made when it is missing.
 */
export async function writeFileAtomically(path: string, content: string | Uint8Array): Promise<void> {
  await replaceFileAtomically(path, part =>
    overwriteFile(part, content).catch(async (error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error
      await makeFolder(dirname(path))
      await overwriteFile(part, content)
    }),
  )
}

/** Writes a file where it stands, for one that nobody reads before it is whole; its folder must be there. */
export async function overwriteFile(path: string, content: string | Uint8Array): Promise<void> {
  const file = await makeFile(path)
  try {
    if (content.length <= quickLength) writeFileSync(file, content)
    else await writeAll(file, content)
  } catch (error) {
    throw withErrorPath(error, path)
  } finally {
    closeSync(file)
  }
}

/** The same for what `fill` writes to the path that it is given; returns what `fill` returns. */
export async function replaceFileAtomically<T>(path: string, fill: (part: string) => Promise<T>): Promise<T> {
  const part = partOf(path)
  try {
    const filled = await fill(part)
    renameSync(part, path)
    return filled
  } catch (error) {
    rmSync(part, { force: true })
    throw withErrorPath(error, path)
  }
}

/** `writeWhole` for callers that can't wait; its folder must be there. */
export function writeFileAtomicallySync(path: string, content: string | Uint8Array): void {
  const part = partOf(path)
  try {
    writeFileSync(part, content)
    renameSync(part, path)
  } catch (error) {
    rmSync(part, { force: true })
    throw withErrorPath(error, path)
  }
}

function partOf(path: string): string {
  return `${path}.${randomUUID()}${unfinished}`
}
