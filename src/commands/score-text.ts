import { Option } from 'commander'
import { textScorerNames } from '../score/registry.ts'
import type { RegisterCommand } from './command.ts'
import { printLines } from './print-lines.ts'
import { allowRepeats } from './repeated-flags.ts'
import { addJudgeFlags, judgeOf } from './score-flags.ts'

interface ScoreTextFlags {
  readonly batch: string
  readonly scorer?: readonly string[]
  readonly metric?: readonly string[]
}

const scorerFlag = (flag: string, help: string): Option =>
  allowRepeats(
    new Option(flag, help).argParser((names: string, before: readonly string[] | undefined) => [
      ...(before ?? []),
      ...names.split(',').map(name => name.trim()),
    ]),
  )

export const registerScoreText: RegisterCommand = command => {
  command
    .requiredOption(
      '--batch <FILE>',
      'JSON: [{ id, reference, prediction, question }], or cases of score-table; lines too',
    )
    .addOption(
      scorerFlag('--scorer <NAME>', `${textScorerNames().join(', ')}; may be given several times (all)`),
    )
    .addOption(scorerFlag('--metric <NAME>', 'the same').hideHelp())
    .option('--json', 'one JSON line a case (the only form there is)')
  addJudgeFlags(command)
  command.action(async (flags: ScoreTextFlags) => {
    const { scoreTextBatch } = await import('../score/score-text-batch.ts')
    const options = {
      scorers: [...(flags.scorer ?? []), ...(flags.metric ?? [])],
      judge: await judgeOf({ ...flags }),
    }
    await printLines(scoreTextBatch(flags.batch, options))
  })
}
