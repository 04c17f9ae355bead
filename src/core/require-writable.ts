import { constants } from 'node:fs'
import { access, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { ConfigError } from './errors.ts'
import { makeFolder } from './make-folder.ts'

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
