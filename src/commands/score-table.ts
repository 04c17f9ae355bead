import { tuneForOnePass } from '../core/engine.ts'
import type { RegisterCommand } from './command.ts'
import { withPlugins } from './plugin-flag.ts'
import { printLines } from './print-lines.ts'
import { addJudgeFlags, judgeOf, profileFlag, requireProfiles } from './score-flags.ts'

interface ScoreTableFlags {
  readonly batch: string
  readonly profile: string
  readonly json?: boolean
}

export const registerScoreTable: RegisterCommand = command => {
  withPlugins(command)
    .requiredOption('--batch <FILE>', 'JSON: [{ id, task, answer_csv }]')
    .addOption(profileFlag())
    .option('--json', 'one JSON line a case (the only form there is)')
  addJudgeFlags(command)
  command.action(async (flags: ScoreTableFlags) => {
    requireProfiles([flags.profile])
    tuneForOnePass()
    const { scoreBatch } = await import('../score/score-batch.ts')
    const judge = await judgeOf({ ...flags })
    await printLines(scoreBatch(flags.batch, { profile: flags.profile, judge }))
  })
}
