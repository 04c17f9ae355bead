import { randomUUID } from 'node:crypto'
import { closeSync, renameSync, rmSync, writeFile, writeFileSync } from 'node:fs'
import { chmod, realpath, stat, writeFile as writeWhole } from 'node:fs/promises'
import { dirname } from 'node:path'
import { promisify } from 'node:util'
import { ifMissing, makeFile, makeFolder } from './files.ts'
import { syncFile, syncFolder } from './sync-files.ts'
import { withErrorPath } from './system-errors.ts'

const writeAll = promisify(writeFile)
/**
 * Contents up to this length are written synchronously, which is faster than passing them to another thread.
 */
const quickLength = 64_000

/** The ending of the name of a file that is not complete yet. A killed process may leave such a file. */
const partialEnding = '.part'

/** Whether a file of that name is incomplete: it is being written, or a killed process left it. */
export function isPartialFile(name: string): boolean {
  return name.endsWith(partialEnding)
}

/**
 * Writes a file so that a reader sees either the old or the new content, never a part. This also holds when
 * several processes write it or one is killed. Creates the folder when it is missing.
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

/**
 * Does the same as `writeFileAtomically`, and returns when the new content is on the disk: a power cut leaves the old or the
 * new file, never an empty one.
 */
export async function writeFileDurably(path: string, content: string | Uint8Array): Promise<void> {
  await replaceFileDurably(path, part => overwriteFile(part, content))
}

/** Does the same as `replaceFileAtomically`, and returns when the new content is on the disk. */
export async function replaceFileDurably<T>(path: string, fill: (part: string) => Promise<T>): Promise<T> {
  const filled = await replaceFileAtomically(path, async part => {
    const result = await fill(part)
    await syncFile(part)
    return result
  })
  await syncFolder(dirname(path))
  return filled
}

/** What `writeFile` of Node takes. */
type OutputContent = Parameters<typeof writeWhole>[1]

/**
 * Writes a file that a user asked for, such as a report or an export. The old file stays until the new one is whole and on the
 * disk, also when the disk is full. A link stays a link, and a pipe or a device is written directly.
 */
export async function writeOutput(path: string, content: OutputContent): Promise<void> {
  const stats = await stat(path).catch(ifMissing)
  if (stats !== null && !stats.isFile()) return await writeWhole(path, content)
  const target = stats === null ? path : await realpath(path)
  await replaceFileDurably(target, async part => {
    await writeWhole(part, content)
    if (stats !== null) await chmod(part, stats.mode & 0o777)
  })
}

/** Writes a file directly, for a file that is not read before it is complete. Its folder must exist. */
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

/**
 * Replaces a file atomically by the one that `fill` writes.
 *
 * @param fill writes the new content to the path that it receives
 * @returns the result of `fill`
 */
export async function replaceFileAtomically<T>(path: string, fill: (part: string) => Promise<T>): Promise<T> {
  const part = choosePartPath(path)
  try {
    const filled = await fill(part)
    renameSync(part, path)
    return filled
  } catch (error) {
    rmSync(part, { force: true })
    throw withErrorPath(error, path)
  }
}

/** Does the same as `writeFileAtomically`, synchronously. The folder must exist. */
export function writeFileAtomicallySync(path: string, content: string | Uint8Array): void {
  const part = choosePartPath(path)
  try {
    writeFileSync(part, content)
    renameSync(part, path)
  } catch (error) {
    rmSync(part, { force: true })
    throw withErrorPath(error, path)
  }
}

function choosePartPath(path: string): string {
  return `${path}.${randomUUID()}${partialEnding}`
}
