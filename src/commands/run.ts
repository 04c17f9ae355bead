import type { RegisterCommand } from './command.ts'
import { addRunFlags, allRunOptions, configFlag } from './run-flags.ts'

export const registerRun: RegisterCommand = (command, setExitCode) => {
  addRunFlags(command.addOption(configFlag()), allRunOptions).action(
    async (given: Record<string, unknown>) => {
      const { config: file, ...flags } = given as { config?: string }
      const { gatherOptions } = await import('../config/gather.ts')
      const { runForTerminal } = await import('./run-for-terminal.ts')
      const gathered = await gatherOptions({
        folder: process.cwd(),
        file: file ?? null,
        flags,
        env: process.env,
      })
      const { options, notices } = gathered
      setExitCode(await runForTerminal(options, { notices }))
    },
  )
}
