import { constants, existsSync, open, readFileSync, realpathSync } from 'node:fs'
import { access, lstat, mkdir, readFile, realpath, stat } from 'node:fs/promises'
import { dirname, relative, resolve, sep } from 'node:path'
import { promisify } from 'node:util'
import { CodedError, ConfigError, DataError } from '../core/errors.ts'
import { isWithin } from './paths.ts'

/** Returns null when a file or folder does not exist, and throws any other failure again. For use in `catch`. */
export function ifMissing(error: unknown): null {
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
  throw error
}

/**
 * Refuses a path that names something else than a file or a link to one: a folder, or a pipe or a device, whose reading
 * may never end. A missing file passes.
 *
 * @throws DataError [not-a-file]
 */
export async function requireRegularFile(path: string): Promise<void> {
  const entry = await lstat(path).catch(ifMissing)
  if (entry === null) return
  const target = entry.isSymbolicLink() ? await stat(path).catch(() => null) : entry
  if (target?.isFile()) return
  const kind =
    target === null
      ? 'a link that leads to no file'
      : target.isDirectory()
        ? 'a folder'
        : 'a pipe or a device'
  throw new DataError(`${path} is ${kind}. Put a file in its place, or remove it.`, { code: 'not-a-file' })
}

/** Decodes a text that a user wrote: UTF-8, or UTF-16 with a byte order mark. The mark is removed. */
function decodeUserText(bytes: Uint8Array): string {
  const [first, second] = bytes
  const encoding =
    first === 0xff && second === 0xfe ? 'utf-16le' : first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8'
  return new TextDecoder(encoding).decode(bytes)
}

/** Reads a text file that a user gave. Editors of Windows begin files with a byte order mark, which is removed. */
export async function readTextFile(path: string): Promise<string> {
  return decodeUserText(await readFile(path))
}

/** Reads a text file that a user gave, as `readTextFile` does. */
export function readTextFileSync(path: string): string {
  return decodeUserText(readFileSync(path))
}

const openFile = promisify(open) as (path: string, flags: string) => Promise<number>

/**
 * Creates or empties a file, and returns its descriptor. With `wx` it rejects with EEXIST when the file exists.
 *
 * Creating a file takes a hundred times as long as writing a few kilobytes, so Node does it in another
 * thread. Small writes to the descriptor are faster when they are synchronous.
 */
export async function makeFile(path: string, flags: 'w' | 'wx' = 'w'): Promise<number> {
  return await openFile(path, flags)
}

/**
 * Creates a folder and those above it. An existing folder stays as it is. Rejects with the error of the file system.
 *
 * Node's own recursive mkdir never ends in file systems such as /proc, where an existing folder answers ENOENT.
 */
export async function makeFolder(path: string): Promise<void> {
  const problem = await problemOfMaking(path)
  if (problem === null) return
  if (problem.code !== 'ENOENT') throw problem
  if (!(await isFolder(dirname(path)))) await makeFolder(dirname(path))
  // The folder above exists now, so a second ENOENT is the file system's final answer.
  const again = await problemOfMaking(path)
  if (again !== null) throw again
}

/** Returns the error of making the folder; null when the folder exists now. */
async function problemOfMaking(path: string): Promise<NodeJS.ErrnoException | null> {
  try {
    await mkdir(path)
    return null
  } catch (error) {
    return (await isFolder(path)) ? null : (error as NodeJS.ErrnoException)
  }
}

/** Whether a path names a file, or a link to one. */
export async function isFile(path: string): Promise<boolean> {
  const stats = await stat(path).catch(() => null)
  return stats?.isFile() ?? false
}

async function isFolder(path: string): Promise<boolean> {
  const stats = await stat(path).catch(() => null)
  return stats?.isDirectory() ?? false
}

const readProblems: Readonly<Record<string, string>> = {
  ENOENT: 'no such file',
  ENOTDIR: 'no such file',
  EISDIR: 'is a folder, not a file',
}

/** Says in a few words why the file system could not read a file: `no such file`. Throws any other error again. */
export function whyUnreadable(error: unknown): string {
  if (!(error instanceof Error) || !('code' in error) || error instanceof CodedError) throw error
  return readProblems[String(error.code)] ?? `can't be read (${String(error.code)})`
}

/**
 * Creates the folder that a flag names.
 *
 * @throws ConfigError [folder-not-writable]
 */
export async function requireWritable(flag: string, folder: string): Promise<void> {
  try {
    await makeFolder(folder)
    await access(folder, constants.W_OK)
  } catch (error) {
    const code = readErrorCode(error)
    const problem = code === 'EEXIST' ? 'is a file, not a folder' : `can't be written (${code})`
    throw new ConfigError(`${flag} ${folder}: ${problem}. Name another folder with ${flag}.`, {
      code: 'folder-not-writable',
    })
  }
}

/** Whether a file can be replaced or created in an existing folder. */
export async function isWritableFile(file: string): Promise<boolean> {
  return await requireReplaceable(file).then(
    () => true,
    () => false,
  )
}

/** Rejects with the error of the file system. */
async function requireReplaceable(file: string): Promise<void> {
  const stats = await stat(file).catch(() => null)
  if (stats?.isDirectory()) throw Object.assign(new Error(`${file} is a folder`), { code: 'EISDIR' })
  if (stats !== null) await access(file, constants.W_OK)
  // A file is replaced as a whole.
  if (stats === null || stats.isFile()) await access(dirname(file), constants.W_OK)
}

/**
 * Creates the folder of the file that a flag names.
 *
 * @throws ConfigError [file-not-writable]
 */
export async function requireWritableFile(flag: string, file: string): Promise<void> {
  try {
    await makeFolder(dirname(file))
    await requireReplaceable(file)
  } catch (error) {
    const code = readErrorCode(error)
    const problem = code === 'EISDIR' ? 'is a folder. Name a' : `can't be written (${code}). Name another`
    throw new ConfigError(`${flag} ${file}: ${problem} file with ${flag}.`, { code: 'file-not-writable' })
  }
}

const readErrorCode = (error: unknown): string | undefined => (error as NodeJS.ErrnoException).code

/**
 * Rejects a folder for output that is the folder of documents, because the run would read its own files as documents.
 *
 * @param path the folder that the flag names, perhaps a symbolic link; null when there is none
 * @param documents the folder of documents, perhaps a symbolic link; null when there is none
 * @param options.deep also rejects a folder below the folder of documents
 * @throws ConfigError [folder-among-documents]
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
    `${flag} ${path}: the files in ${documents} are read as documents. Name a folder ${deep ? 'outside' : 'beside'} it with ${flag}.`,
    { code: 'folder-among-documents' },
  )
}

/**
 * Refuses a symbolic link that leads out of a folder of documents. Otherwise the author of the folder could have any file of
 * the operator read, and a sealed web would serve it. A link within the folder and a broken link pass.
 *
 * @param path an entry of the folder, or of a folder below it
 * @throws DataError [link-outside-folder]
 */
export async function requireInside(folder: string, path: string): Promise<void> {
  const target = await realpath(path).catch(() => null)
  if (target === null || isWithin(target, await realpath(folder))) return
  throw new DataError(
    `${path}: this symbolic link leads out of ${folder}. Put a copy of the document in its place, or remove the link.`,
    { code: 'link-outside-folder' },
  )
}

/** Resolves links in the existing part of a path. */
function realPath(path: string): string {
  const whole = resolve(path)
  if (existsSync(whole)) return realpathSync(whole)
  return resolve(realPath(dirname(whole)), relative(dirname(whole), whole))
}
