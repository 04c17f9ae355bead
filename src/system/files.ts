import { constants, existsSync, open, realpathSync } from 'node:fs'
import { access, mkdir, stat } from 'node:fs/promises'
import { dirname, relative, resolve, sep } from 'node:path'
import { promisify } from 'node:util'
import { ConfigError } from '../core/errors.ts'

/** For `catch`: null where a file or folder is not there; any other failure is thrown on. */
export function ifMissing(error: unknown): null {
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
  throw error
}

const openFile = promisify(open) as (path: string, flags: string) => Promise<number>

/**
 * Makes a file, or empties it, and gives its descriptor; with `wx` it rejects with EEXIST where there is one. The system
 * takes a hundred times as long for it as for writing a few kilobytes, so another thread does it; whatever else is small is
 * quicker done at once.
 */
export async function makeFile(path: string, flags: 'w' | 'wx' = 'w'): Promise<number> {
  return await openFile(path, flags)
}

/**
 * Makes a folder and those above it; one that is there stays. Rejects with the error of the file system.
 * In place of Node's own recursive mkdir, which never ends where a folder is there and answers ENOENT, as /proc does.
 */
export async function makeFolder(path: string): Promise<void> {
  const problem = await problemOfMaking(path)
  if (problem === null) return
  if (problem.code !== 'ENOENT') throw problem
  if (!(await isFolder(dirname(path)))) await makeFolder(dirname(path))
  // What was missing is there by now, made here or by another at the same time: a second ENOENT is the file system's own.
  const again = await problemOfMaking(path)
  if (again !== null) throw again
}

/** Null: the folder is there. */
async function problemOfMaking(path: string): Promise<NodeJS.ErrnoException | null> {
  try {
    await mkdir(path)
    return null
  } catch (error) {
    return (await isFolder(path)) ? null : (error as NodeJS.ErrnoException)
  }
}

async function isFolder(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => null)
  return found?.isDirectory() ?? false
}

const words: Readonly<Record<string, string>> = {
  ENOENT: 'no such file',
  ENOTDIR: 'no such file',
  EISDIR: 'is a folder, not a file',
}

/** Why the file system did not give a file, in a few words: `no such file`; errors of other kinds are thrown on. */
export function whyUnreadable(error: unknown): string {
  if (!(error instanceof Error) || !('code' in error)) throw error
  return words[String(error.code)] ?? `can't be read (${String(error.code)})`
}

/** Makes the folder that `flag` names; ConfigError with flag and folder where it can't be made or written to. */
export async function requireWritable(flag: string, folder: string): Promise<void> {
  try {
    await makeFolder(folder)
    await access(folder, constants.W_OK)
  } catch (error) {
    throw new ConfigError(
      `${flag} ${folder}: can't be written (${codeOf(error)}); name another folder with ${flag}`,
      { code: 'folder-not-writable' },
    )
  }
}

/** Whether a file can be written, in a folder that is there. */
export async function isWritableFile(file: string): Promise<boolean> {
  const found = await stat(file).catch(() => null)
  if (found?.isDirectory()) return false
  return await access(found === null ? dirname(file) : file, constants.W_OK).then(
    () => true,
    () => false,
  )
}

/** Makes the folder of the file that `flag` names; ConfigError with flag and file where it can't be written. */
export async function requireWritableFile(flag: string, file: string): Promise<void> {
  const found = await stat(file).catch(() => null)
  if (found?.isDirectory()) throw new ConfigError(`${flag} ${file}: is a folder; name a file with ${flag}`)
  try {
    await makeFolder(dirname(file))
    await access(found === null ? dirname(file) : file, constants.W_OK)
  } catch (error) {
    throw new ConfigError(
      `${flag} ${file}: can't be written (${codeOf(error)}); name another file with ${flag}`,
    )
  }
}

const codeOf = (error: unknown): string | undefined => (error as NodeJS.ErrnoException).code

/**
 * ConfigError where files written to the folder that `flag` names would be read, and served, as documents: it is the folder
 * of documents or, where folders in that count too (`deep`), lies in it. Either may be null, and a symbolic link.
 */
export function requireOutside(
  flag: string,
  path: string | null,
  documents: string | null,
  { deep }: { readonly deep: boolean },
): void {
  if (path === null || documents === null) return
  const way = relative(realPath(documents), realPath(path))
  if (deep ? way.split(sep)[0] === '..' : way !== '') return
  throw new ConfigError(
    `${flag} ${path}: the files in ${documents} are read as documents; name a folder ${deep ? 'outside' : 'beside'} it with ${flag}`,
  )
}

/** Of what is not there yet, too. */
function realPath(path: string): string {
  const whole = resolve(path)
  if (existsSync(whole)) return realpathSync(whole)
  return resolve(realPath(dirname(whole)), relative(dirname(whole), whole))
}
