import { constants } from 'node:fs'
import { access } from 'node:fs/promises'
import { ConfigError } from '../core/errors.ts'
import { makeFolder } from '../core/make-folder.ts'

/** Makes the folder that `flag` names; ConfigError with flag and folder where it can't be made or written to. */
export async function requireWritable(flag: string, folder: string): Promise<void> {
  try {
    await makeFolder(folder)
    await access(folder, constants.W_OK)
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code
    throw new ConfigError(`${flag} ${folder}: can't be written (${code}); name another folder with ${flag}`)
  }
}
