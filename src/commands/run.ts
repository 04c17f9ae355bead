import type { RegisterCommand } from './command.ts'
import { addRunFlags, allRunOptions } from './run-flags.ts'

export const registerRun: RegisterCommand = (command, setExitCode) => {
  addRunFlags(command, allRunOptions).action(async (given: Record<string, unknown>) => {
    const { runForTerminal } = await import('./run-for-terminal.ts')
    setExitCode(await runForTerminal(given))
  })
}
