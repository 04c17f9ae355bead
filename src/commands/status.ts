import type { RegisterCommand } from './command.ts'

/** Registers `status`. */
export const registerStatus: RegisterCommand = command => {
  command
    .argument('<RUN>', 'the folder of a run')
    .option('--json', 'print JSON')
    .action(async (folder: string, flags: { readonly json?: boolean }) => {
      const { readStatus } = await import('../run/progress/status.ts')
      const { listStatusLines } = await import('../run/progress/status-lines.ts')
      const status = await readStatus(folder, Date.now())
      const text = flags.json === true ? JSON.stringify(status) : listStatusLines(status).join('\n')
      process.stdout.write(`${text}\n`)
      const { warnOfDamagedFiles } = await import('../run/records/attempt-files.ts')
      await warnOfDamagedFiles('status', [folder])
    })
}
