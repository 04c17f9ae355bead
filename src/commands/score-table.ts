import { tableScorerNamed } from '../../tasks/scorers.ts'
import type { RegisterCommand } from './command.ts'
import { withPlugins } from './plugin-flag.ts'
import { printLines } from './print-lines.ts'
import { addJudgeFlags, addTableScorerFlag, judgeOf } from './score-flags.ts'
import { tuneForOnePass } from './v8-flags.ts'

interface ScoreTableFlags {
  readonly batch: string
  readonly scorer?: string
  readonly json?: boolean
}

/** Registers `score-table`. */
export const registerScoreTable: RegisterCommand = command => {
  withPlugins(command)
    .requiredOption('--batch <FILE>', 'JSON: [{ id, task, answer_csv }]')
    .option('--json', 'print JSON lines (always on)')
  addTableScorerFlag(command)
  addJudgeFlags(command)
  command.action(async (flags: ScoreTableFlags) => {
    const scorer = flags.scorer ?? 'aoe'
    // An unknown scorer is reported before a judge is opened.
    tableScorerNamed(scorer)
    tuneForOnePass()
    const { scoreBatch } = await import('../run/score-files/score-table-batch.ts')
    const judge = await judgeOf({ ...flags })
    await printLines(scoreBatch(flags.batch, { scorer, judge }))
  })
}
