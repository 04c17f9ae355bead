import type { RegisterCommand } from './command.ts'
import { printLines } from './print-lines.ts'
import { addJudgeFlags, judgeOf } from './score-flags.ts'

interface ScoreExtractFlags {
  readonly batch: string
  readonly schemas?: string
}

/** Registers `score-extract`. */
export const registerScoreExtract: RegisterCommand = command => {
  command
    .requiredOption('--batch <FILE>', 'JSON: [{ id, schema | schema_inline, gold, prediction }]')
    .option('--schemas <DIR>', 'folder of the schemas, when they are not in the folder of FILE')
    .option('--json', 'print JSON lines (always on)')
  addJudgeFlags(command)
  command.action(async (flags: ScoreExtractFlags) => {
    const { scoreExtractBatch } = await import('../run/score-files/score-extract-batch.ts')
    const options = { schemas: flags.schemas ?? null, judge: await judgeOf({ ...flags }) }
    await printLines(scoreExtractBatch(flags.batch, options))
  })
}
