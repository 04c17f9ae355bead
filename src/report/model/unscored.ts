import { armName } from '../../core/arm.ts'
import { groupBy } from '../../core/group-by.ts'
import { isUnscoredCause } from '../../core/termination.ts'
import type { Report } from './report.ts'
import type { ReportGroup } from './report-group.ts'
import { listScorings, nameScoring, selectFirstScoring } from './scorings.ts'

/**
 * Reports failed scorers, and a run, or arms of a run, without any score. Each scoring has one line for all such arms.
 * Returns no lines when every arm has a score and no scorer failed.
 *
 * @param folder - The run's folder, for the commands in the lines.
 */
export function listUnscoredLines(report: Report, folder: string): string[] {
  const failedScorers = listFailedScorerLines(report, folder)
  const whole = writeUnscoredLine(report, folder, failedScorers.length > 0)
  if (whole !== null) return [...failedScorers, whole]
  const arms = report.groups.filter(
    ({ domain, scored, n, unscored, scorerFailures = 0, missingScores = 0, scorer }) =>
      domain === 'all' &&
      scorer !== 'none' &&
      n > 0 &&
      scored === 0 &&
      unscored > scorerFailures + missingScores,
  )
  const [interrupted, judged] = [true, false].map(is =>
    arms.filter(arm => wasInterrupted(arm, report) === is),
  )
  // No scorer can score an interrupted attempt, so that one line is enough for all scorings.
  const lines = [
    ...(interrupted!.length === 0 ? [] : [writeInterruptedLine(selectFirstScoring(interrupted!), folder)]),
    ...[...groupBy(judged!, nameScoring).values()].map(scoringGroups =>
      writeJudgedLine(scoringGroups, folder),
    ),
  ]
  return [...failedScorers, ...lines]
}

/**
 * Returns the report with only the groups of these scorers and of the judge of each, so that `score` does not report what
 * earlier scorings lack. Null scorers are all scorers. A judge with published prompts has their hash after its name.
 *
 * @param judgeOf - Returns the judge in the records of a scorer.
 */
export function selectScorings(
  report: Report,
  scorers: readonly string[] | null,
  judgeOf: (scorer: string) => string,
): Report {
  const isAsked = ({ scorer, judge }: ReportGroup): boolean =>
    (scorers === null || scorers.includes(scorer)) && judge.split('+prompts@')[0] === judgeOf(scorer)
  const groups = report.groups.filter(isAsked)
  return groups.length === 0 ? report : { ...report, groups }
}

/** Whether a provider, the harness or the operator ended all attempts of an arm. */
function wasInterrupted({ arm, n }: ReportGroup, { ends }: Report): boolean {
  const interrupted = ends.filter(end => end.arm === arm && isUnscoredCause(end.cause))
  return interrupted.reduce((sum, end) => sum + end.n, 0) === n
}

function writeInterruptedLine(arms: readonly ReportGroup[], folder: string): string {
  return `${nameArms(arms)}: ${countText(arms)}. 'tablehunt logs termination ${folder}' shows why [nothing-scored]`
}

function writeJudgedLine(arms: readonly ReportGroup[], folder: string): string {
  return `${nameScoring(arms[0]!)}: ${countText(arms)}, in ${nameArms(arms)}. ${formatExplanation(folder)} [nothing-scored]`
}

function countText(arms: readonly ReportGroup[]): string {
  return `none of the ${arms.reduce((sum, { n }) => sum + n, 0)} attempts could be scored`
}

const mostNames = 3

/** Names a few arms. Counts more than that. */
function nameArms(arms: readonly ReportGroup[]): string {
  return arms.length > mostNames ? `${arms.length} arms` : arms.map(armName).join(', ')
}

function formatExplanation(folder: string): string {
  return `Each score says why, in its explanation: see the page of an attempt in report.html, or ${folder}/scores.jsonl.`
}

/** Reports each scorer that failed, in one line with the code `scorer-failed`. */
function listFailedScorerLines({ groups }: Report, folder: string): string[] {
  const failures = new Map<string, number>()
  for (const { domain, scorer, scorerFailures = 0 } of groups)
    if (domain === 'all' && scorerFailures > 0)
      failures.set(scorer, (failures.get(scorer) ?? 0) + scorerFailures)
  return [...failures].map(
    ([scorer, n]) =>
      `scorer ${scorer} failed: ${n} ${n === 1 ? 'attempt has' : 'attempts have'} no score. Fix the scorer, then run 'tablehunt score ${folder} --scorer ${scorer}'. It adds the scores without calling the model under test [scorer-failed]`,
  )
}

/**
 * Says why no attempt of a run could be scored and what to do, in one line with the code `nothing-scored`. Returns null
 * when at least one attempt was scored, and when failed scorers are the only cause.
 *
 * @param folder - The run's folder, for the commands in the line.
 */
function writeUnscoredLine(
  { run, groups, terminations }: Report,
  folder: string,
  hasFailedScorer: boolean,
): string | null {
  if (groups.some(group => group.scored > 0)) return null
  // Imported runs are never scored.
  if (groups.length > 0 && groups.every(group => group.scorer === 'none')) return null
  if (run.attempts === 0) return withCode('no attempt was made. Run the same command again')
  const killed = terminations.filter(({ cause }) => isUnscoredCause(cause))
  if (killed.length === 0 && hasFailedScorer) return null
  if (killed.length === 0 && groups.some(({ lackedDocuments = 0 }) => lackedDocuments > 0))
    return withCode(
      `the attempts lacked documents of their tasks. Put the documents into the folder of --docs, then run the same command with --retry unscored. 'tablehunt score ${folder} --allow-missing-documents' scores the attempts as they are`,
    )
  if (killed.length === 0 && groups.some(({ endedByRunBudget = 0 }) => endedByRunBudget > 0))
    return withCode(
      'the budget of the run was spent before an attempt had ended. Raise --run-budget-…, then run the same command with --retry unscored',
    )
  if (killed.length === 0)
    return withCode(
      `the judge's replies could not be read (${listScorings(groups).join('; ')}). ${formatExplanation(folder)} 'tablehunt score ${folder} --judge JUDGE' scores the attempts again`,
    )
  const ends = new Map<string, number>()
  for (const { cause, reason, n } of killed)
    ends.set(`${cause} / ${reason}`, (ends.get(`${cause} / ${reason}`) ?? 0) + n)
  const [[end, n] = ['', 0]] = [...ends].sort((a, b) => b[1] - a[1])
  return withCode(
    `${n} of ${run.attempts} ended with ${end}. 'tablehunt logs termination ${folder}' shows why. After fixing the cause, run the same command with --retry unscored`,
  )
}

function withCode(reason: string): string {
  return `no attempt could be scored: ${reason} [nothing-scored]`
}
