import type { RegisterCommand } from './command.ts'
import { printLines } from './print-lines.ts'
import { addJudgeFlags, judgeOf } from './score-flags.ts'

interface ScoreExtractFlags {
  readonly batch: string
  readonly schemas?: string
}

export const registerScoreExtract: RegisterCommand = command => {
  command
    .requiredOption('--batch <FILE>', 'JSON: [{ id, schema | schema_inline, gold, prediction }]')
    .option('--schemas <DIR>', 'where schema paths are looked up when they are not beside FILE')
    .option('--json', 'one JSON line a case (the only form there is)')
  addJudgeFlags(command)
  command.action(async (flags: ScoreExtractFlags) => {
    const { scoreExtractBatch } = await import('../score/extract-bench/score-extract-batch.ts')
    const options = { schemas: flags.schemas ?? null, judge: await judgeOf({ ...flags }) }
    await printLines(scoreExtractBatch(flags.batch, options))
  })
}
