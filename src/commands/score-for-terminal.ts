import { resolveConfig } from '../config.ts'
import { ConfigError } from '../core/errors.ts'
import { scoreRun } from '../run/score-run.ts'
import { type Stability, stabilityOf } from '../run/stability.ts'
import { printReport } from './report.ts'

/** `score`: new scores, what they cost, and the run's report with them. */
export async function scoreForTerminal(
  folder: string,
  given: Readonly<Record<string, unknown>>,
): Promise<void> {
  const { profile: profiles = ['aoe'], repeat, ...options } = given as { profile?: string[]; repeat: string }
  if (!/^[1-9]\d{0,3}$/.test(repeat)) throw new ConfigError(`--repeat: '${repeat}': a number from 1 up`)
  const config = resolveConfig({ ...options, tasks: '-', out: folder })
  const repeats = await scoreRun(folder, {
    profiles,
    config,
    repeats: Number(repeat),
    signal: new AbortController().signal,
    tell: notice => process.stderr.write(`${notice}\n`),
  })
  const spent = repeats.flat().map(score => score.judgeUsage)
  const calls = spent.reduce((sum, usage) => sum + usage.calls, 0)
  const saved = spent.reduce((sum, usage) => sum + usage.callsSaved, 0)
  const tokens = spent.reduce((sum, usage) => sum + usage.inputTokens + usage.outputTokens, 0)
  process.stderr.write(
    `judge: ${calls} calls, ${tokens} tokens; ${saved} calls of the published procedure saved by rules and cache\n`,
  )
  if (repeats.length > 1)
    for (const profile of profiles) process.stdout.write(stabilityText(stabilityOf(profile, repeats)))
  await printReport(folder, {})
}

function stabilityText({ profile, repeats, metrics, judgedCells, flippedCells }: Stability): string {
  const number = (value: number | null): string => (value === null ? '–' : value.toFixed(3)).padStart(9)
  const rows = metrics.map(row => `  ${row.metric.padEnd(16)}${number(row.pearson)}${number(row.spearman)}`)
  return [
    `Stability of ${repeats} repeats (profile ${profile})`,
    `  ${'metric'.padEnd(16)}${'Pearson'.padStart(9)}${'Spearman'.padStart(9)}`,
    ...rows,
    `  ${flippedCells} of ${judgedCells} judged cells got another score in some repeat\n`,
  ].join('\n')
}
