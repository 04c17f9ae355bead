import type { RegisterCommand } from './command.ts'
import { withPlugins } from './plugin-flag.ts'
import { fullHelp } from './report.ts'
import { addRunFlags } from './run-flags.ts'

/** Registers `score`. */
export const registerScore: RegisterCommand = (command, setExitCode) => {
  command
    .argument('<RUN>', 'the folder of a run')
    .option('--full', fullHelp)
    .option('--json', 'print the report of the run as JSON')
    .option('--repeat <N>', 'score N times, and report how stable the scores are', '1')
  addRunFlags(command, [
    'judge',
    'judgeBatch',
    'judgePrompts',
    'scorer',
    'successAt',
    'allowMissingDocuments',
    'requestTimeout',
    'seed',
    'cache',
  ])
  withPlugins(command).action(async (folder: string, given: Record<string, unknown>) => {
    const { scoreForTerminal } = await import('./score-for-terminal.ts')
    setExitCode(await scoreForTerminal(folder, given))
  })
}
