import type { RegisterCommand } from './command.ts'
import { judgeFlag, profileFlag } from './score-flags.ts'

interface ScoreTableFlags {
  readonly batch: string
  readonly profile: string
  readonly judge: string
  readonly json?: boolean
}

export const registerScoreTable: RegisterCommand = command => {
  command
    .requiredOption('--batch <FILE>', 'JSON: [{ id, task, answer_csv }]')
    .addOption(profileFlag())
    .addOption(judgeFlag())
    .option('--json', 'one JSON line a case (the only form there is)')
    .action(async (flags: ScoreTableFlags) => {
      const { scoreBatch } = await import('../score/score-batch.ts')
      for await (const line of scoreBatch(flags.batch, { profile: flags.profile, judge: flags.judge })) {
        process.stdout.write(`${line}\n`)
      }
    })
}
