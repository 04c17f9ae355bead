import { scorers } from '../../tasks/registry.ts'
import type { ScoringConfig } from '../config/scoring-config.ts'
import { ConfigError } from '../core/errors.ts'
import { listUnscoredLines, selectScorings } from '../report/model/unscored.ts'
import { writeJudgingLine } from '../report/tables/spending-text.ts'
import { makeFolderPlace } from '../run/pack/open-places.ts'
import { scoreRun } from '../run/scores/score-run.ts'
import { nameRecordedJudge } from '../score/contract/scorer.ts'
import { printReport } from './report.ts'

/** The options for scoring a run, and how its report is printed. */
export interface RunScoringFlags {
  readonly config: ScoringConfig
  readonly repeat: string
  readonly json: boolean | undefined
  readonly full: boolean | undefined
}

/**
 * Scores a run for `score`. Prints the cost of the scores and the report of the run, with the stability after repeats.
 *
 * @returns the exit code
 */
export async function scoreForTerminal(
  folder: string,
  { config, repeat, json, full }: RunScoringFlags,
): Promise<number> {
  if (!/^[1-9]\d{0,3}$/.test(repeat))
    throw new ConfigError(`--repeat: '${repeat}' is not valid: expected a number from 1 to 9999`, {
      code: 'invalid-repeat',
    })
  const { scores, judging } = await scoreRun(folder, {
    config,
    repeats: Number(repeat),
    signal: new AbortController().signal,
    tell: notice => process.stderr.write(`${notice}\n`),
  })
  process.stderr.write(`${scores} scores; judge ${config.judge}: ${writeJudgingLine(judging)}\n`)
  const report = await printReport(makeFolderPlace(folder), {
    json: json === true,
    full: full === true,
    firstScorers: config.scorer ?? [],
  })
  // A run can have scores by the scorer of a plug-in that is not loaded.
  const findJudge = (scorer: string): string =>
    scorers.has(scorer) ? nameRecordedJudge(scorers.get(scorer), config.judge) : config.judge
  const unscored = listUnscoredLines(selectScorings(report, config.scorer, findJudge), folder)
  for (const line of unscored) process.stderr.write(`tablehunt: ${line}\n`)
  return unscored.length === 0 ? 0 : 1
}
