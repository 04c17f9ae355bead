import type { RegisterCommand } from './command.ts'

/** Registers `status`. */
export const registerStatus: RegisterCommand = command => {
  command
    .argument('<RUN>', 'the folder of a run')
    .option('--json', 'print JSON')
    .action(async (folder: string, flags: { readonly json?: boolean }) => {
      const { readStatus } = await import('../run/watch/status.ts')
      const { statusLines } = await import('../run/watch/status-lines.ts')
      const now = Date.now()
      const status = await readStatus(folder, now)
      const text = flags.json === true ? JSON.stringify(status) : statusLines(status, now).join('\n')
      process.stdout.write(`${text}\n`)
    })
}
