import type { RegisterCommand } from './command.ts'

/** Registers `verify`. */
export const registerVerify: RegisterCommand = (command, setExitCode) => {
  command
    .argument('<RUN>', 'the folder of a run')
    .option('--json', 'print JSON')
    .action(async (folder: string, flags: { readonly json?: boolean }) => {
      const { verificationLines, verifyRun } = await import('../run/records/verify-run.ts')
      const verification = await verifyRun(folder)
      const lines =
        flags.json === true ? [JSON.stringify(verification)] : verificationLines(folder, verification)
      process.stdout.write(`${lines.join('\n')}\n`)
      setExitCode(verification.isWhole ? 0 : 1)
    })
}
