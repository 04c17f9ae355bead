import type { RegisterCommand } from './command.ts'
import { withPlugins } from './plugin-flag.ts'
import { fullHelp } from './report.ts'
import { addRunFlags } from './run-flags.ts'

export const registerScore: RegisterCommand = (command, setExitCode) => {
  command
    .argument('<RUN>', "a run's folder")
    .option('--full', fullHelp)
    .option('--json', "the run's report as JSON")
    .option('--repeat <N>', 'score N times and say how stable the scores are', '1')
  addRunFlags(command, ['judge', 'judgeBatch', 'scorer', 'successAt', 'requestTimeout', 'seed', 'cache'])
  withPlugins(command).action(async (folder: string, given: Record<string, unknown>) => {
    const { scoreForTerminal } = await import('./score-for-terminal.ts')
    setExitCode(await scoreForTerminal(folder, given))
  })
}
