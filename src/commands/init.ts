import { writeFile } from 'node:fs/promises'
import { ConfigError } from '../core/errors.ts'
import type { RegisterCommand } from './command.ts'

export const registerInit: RegisterCommand = command => {
  command
    .option('--force', 'replace the one that is there')
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
    const problem = code === 'EEXIST' ? 'is there already: --force replaces it' : `can't be written (${code})`
    throw new ConfigError(`${name}: ${problem}`, { cause })
  }
  process.stdout.write(`${name}\n`)
}
