import { ConfigError } from '../core/errors.ts'
import { isFile } from '../system/files.ts'
import type { RegisterCommand } from './command.ts'
import { withPlugins } from './plugin-flag.ts'
import { measureTerminal } from './terminal.ts'

interface VerifyFlags {
  readonly json?: boolean
  readonly full?: boolean
  readonly replay?: boolean
}

/** Registers `verify`. */
export const registerVerify: RegisterCommand = (command, setExitCode) => {
  withPlugins(command)
    .argument('<RUN|FILE>', 'the folder of a run, or a file that pack wrote')
    .option('--replay', 'pack: make the attempts again that need no model of a provider and no network')
    .option('--full', 'pack: print all figures, also the equal ones')
    .option('--json', 'print JSON')
    .action(async (place: string, flags: VerifyFlags) => {
      setExitCode((await isFile(place)) ? await verifyFile(place, flags) : await verifyFolder(place, flags))
    })
}

async function verifyFolder(folder: string, flags: VerifyFlags): Promise<number> {
  for (const flag of ['replay', 'full'] as const)
    if (flags[flag] === true)
      throw new ConfigError(`--${flag}: ${folder} is a folder. Only packs use it. Leave the option out.`, {
        code: 'flag-without-effect',
      })
  const { listVerificationLines, verifyRun } = await import('../run/records/verify-run.ts')
  const verification = await verifyRun(folder)
  const lines =
    flags.json === true ? [JSON.stringify(verification)] : listVerificationLines(folder, verification)
  process.stdout.write(`${lines.join('\n')}\n`)
  return verification.isWhole ? 0 : 1
}

async function verifyFile(path: string, flags: VerifyFlags): Promise<number> {
  const { unpackPack } = await import('../run/pack/unpack.ts')
  const { verifyPack } = await import('../run/verify-pack.ts')
  const { packVerificationLines } = await import('../run/pack-verification-lines.ts')
  const pack = await unpackPack(path)
  try {
    const verification = await verifyPack(pack, { replay: flags.replay === true })
    const layout = { columns: measureTerminal(), isFull: flags.full === true }
    const lines =
      flags.json === true ? [JSON.stringify(verification)] : packVerificationLines(path, verification, layout)
    process.stdout.write(`${lines.join('\n')}\n`)
    return verification.isEqual ? 0 : 1
  } finally {
    await pack.close()
  }
}
