import type { RegisterCommand } from './command.ts'
import { judgeFlag, profileFlag } from './score-flags.ts'

export const registerScore: RegisterCommand = command => {
  command
    .argument('<RUN>', "a run's folder")
    .addOption(profileFlag())
    .addOption(judgeFlag())
    .action(async (folder: string, flags: { profile: string; judge: string }) => {
      const { scoreRun } = await import('../run/score-run.ts')
      await scoreRun(folder, flags)
      const { printReport } = await import('./report.ts')
      await printReport(folder, {})
    })
}
