import type { RegisterCommand } from './command.ts'
import { printLines } from './print-lines.ts'
import { addJudgeFlags, judgeOf } from './score-flags.ts'

interface ScoreTextFlags {
  readonly batch: string
  readonly metric?: readonly string[]
}

export const registerScoreText: RegisterCommand = command => {
  command
    .requiredOption(
      '--batch <FILE>',
      'JSON: [{ id, reference, prediction, question }], or cases of score-table; lines too',
    )
    .option(
      '--metric <NAME>',
      'h-score, gpt-score, answer-f1, rouge-l, judge-accuracy; may be given several times (all)',
      (name: string, before: readonly string[] | undefined) => [...(before ?? []), name],
    )
    .option('--json', 'one JSON line a case (the only form there is)')
  addJudgeFlags(command)
  command.action(async (flags: ScoreTextFlags) => {
    const { scoreTextBatch } = await import('../score/score-text-batch.ts')
    const options = { metrics: flags.metric ?? [], judge: await judgeOf({ ...flags }) }
    await printLines(scoreTextBatch(flags.batch, options))
  })
}
