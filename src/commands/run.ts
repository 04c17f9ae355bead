import type { RegisterCommand } from './command.ts'
import { fullHelp } from './report.ts'
import { addRunFlags, allRunOptions, configFlag } from './run-flags.ts'

export const registerRun: RegisterCommand = (command, setExitCode) => {
  addRunFlags(command.addOption(configFlag()).option('--full', fullHelp), allRunOptions).action(
    async (given: Record<string, unknown>) => {
      const { config: file, full, ...flags } = given as { config?: string; full?: boolean }
      const { gatherOptions } = await import('../config/gather.ts')
      const { runForTerminal } = await import('./run-for-terminal.ts')
      const gathered = await gatherOptions({
        folder: process.cwd(),
        file: file ?? null,
        flags,
        env: process.env,
      })
      const { options, notices } = gathered
      setExitCode(await runForTerminal(options, { notices, full: full === true }))
    },
  )
}
