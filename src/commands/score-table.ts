import type { RegisterCommand } from './command.ts'
import { addJudgeFlags, judgeOf, profileFlag } from './score-flags.ts'

interface ScoreTableFlags {
  readonly batch: string
  readonly profile: string
  readonly json?: boolean
}

export const registerScoreTable: RegisterCommand = command => {
  command
    .requiredOption('--batch <FILE>', 'JSON: [{ id, task, answer_csv }]')
    .addOption(profileFlag())
    .option('--json', 'one JSON line a case (the only form there is)')
  addJudgeFlags(command)
  command.action(async (flags: ScoreTableFlags) => {
    const { scoreBatch } = await import('../score/score-batch.ts')
    const judge = await judgeOf({ ...flags })
    for await (const line of scoreBatch(flags.batch, { profile: flags.profile, judge })) {
      process.stdout.write(`${line}\n`)
    }
  })
}
