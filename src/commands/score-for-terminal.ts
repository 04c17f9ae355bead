import { scorers } from '../../tasks/registry.ts'
import { resolveScoring } from '../config/scoring-config.ts'
import { ConfigError } from '../core/errors.ts'
import { onlyScorings, unscoredLines } from '../report/model/unscored.ts'
import { judgingLine } from '../report/tables/spending-text.ts'
import { scoreRun } from '../run/scores/score-run.ts'
import { recordedJudge } from '../score/contract/scorer.ts'
import { printReport } from './report.ts'

/**
 * Scores a run for `score`. Prints the cost of the scores and the report of the run, with the stability after repeats.
 *
 * @returns the exit code
 */
export async function scoreForTerminal(
  folder: string,
  given: Readonly<Record<string, unknown>>,
): Promise<number> {
  const {
    repeat,
    json,
    full,
    plugins: _,
    ...options
  } = given as {
    repeat: string
    plugins?: readonly string[]
    json?: boolean
    full?: boolean
  }
  if (!/^[1-9]\d{0,3}$/.test(repeat))
    throw new ConfigError(`--repeat: '${repeat}' is not valid: expected a number from 1 to 9999`, {
      code: 'invalid-repeat',
    })
  const config = resolveScoring(options)
  const { scores, judging } = await scoreRun(folder, {
    config,
    repeats: Number(repeat),
    signal: new AbortController().signal,
    tell: notice => process.stderr.write(`${notice}\n`),
  })
  process.stderr.write(`${scores} scores; judge ${config.judge}: ${judgingLine(judging)}\n`)
  const report = await printReport(folder, {
    json: json === true,
    full: full === true,
    firstScorers: config.scorer ?? [],
  })
  // A run can have scores by the scorer of a plug-in that is not loaded.
  const judgeOf = (scorer: string): string =>
    scorers.has(scorer) ? recordedJudge(scorers.get(scorer), config.judge) : config.judge
  const unscored = unscoredLines(onlyScorings(report, config.scorer, judgeOf), folder)
  for (const line of unscored) process.stderr.write(`tablehunt: ${line}\n`)
  return unscored.length === 0 ? 0 : 1
}
