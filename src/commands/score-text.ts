import { Option } from 'commander'
import { textScorerNames } from '../../tasks/scorers.ts'
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

/** Registers `score-text`. */
export const registerScoreText: RegisterCommand = command => {
  command
    .requiredOption(
      '--batch <FILE>',
      'JSON or JSON lines: [{ id, reference, prediction, question }], or cases of score-table',
    )
    .addOption(
      scorerFlag(
        '--scorer <NAME>',
        `a scorer: ${textScorerNames().join(', ')}; may be given several times (all)`,
      ),
    )
    .addOption(scorerFlag('--metric <NAME>', 'the same').hideHelp())
    .option('--json', 'print JSON lines (always on)')
  addJudgeFlags(command)
  command.action(async (flags: ScoreTextFlags) => {
    const { scoreTextBatch } = await import('../run/score-files/score-text-batch.ts')
    const options = {
      scorers: [...(flags.scorer ?? []), ...(flags.metric ?? [])],
      judge: await judgeOf({ ...flags }),
    }
    await printLines(scoreTextBatch(flags.batch, options))
  })
}
