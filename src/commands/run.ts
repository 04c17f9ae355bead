import type { RegisterCommand } from './command.ts'
import { addRunFlags, allRunOptions } from './run-flags.ts'

export const registerRun: RegisterCommand = (program, setExitCode) => {
  const command = program
    .command('run')
    .description('run attempts, score them, print the comparison; the same --out goes on where it stopped')
  addRunFlags(command, allRunOptions).action(async (given: Record<string, unknown>) => {
    const { runForTerminal } = await import('./run-for-terminal.ts')
    setExitCode(await runForTerminal(given))
  })
}
