import type { RegisterCommand } from './command.ts'
import { judgeFlag, profileFlag } from './score-flags.ts'

export const registerScore: RegisterCommand = program => {
  program
    .command('score')
    .argument('<RUN>', "a run's folder")
    .addOption(profileFlag())
    .addOption(judgeFlag())
    .description('score a run again; no model under test is called')
    .action(async (folder: string, flags: { profile: string; judge: string }) => {
      const { scoreRun } = await import('../run/score-run.ts')
      await scoreRun(folder, flags)
      const { printReport } = await import('./report.ts')
      await printReport(folder, {})
    })
}
