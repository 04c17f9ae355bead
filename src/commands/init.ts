import { writeFile } from 'node:fs/promises'
import { ConfigError } from '../core/errors.ts'
import type { RegisterCommand } from './command.ts'

/** Registers `init`. */
export const registerInit: RegisterCommand = command => {
  command
    .option('--force', 'replace an existing file')
    .action(async ({ force }: { force?: boolean }) => await writeStarter(force === true))
}

async function writeStarter(force: boolean): Promise<void> {
  const { configFileNames } = await import('../config/gather-options.ts')
  const { starterFile } = await import('../config/starter-file.ts')
  const [name] = configFileNames
  try {
    await writeFile(name, starterFile(), { flag: force ? 'w' : 'wx' })
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    const exists = code === 'EEXIST'
    const problem = exists
      ? 'the file exists. Replace it with --force, or delete it.'
      : `can't be written (${code}). Run the command in another folder.`
    throw new ConfigError(`${name}: ${problem}`, {
      cause,
      code: exists ? 'file-exists' : 'file-not-writable',
    })
  }
  process.stdout.write(`${name}\n`)
}
