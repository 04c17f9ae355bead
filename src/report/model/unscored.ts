import { isUnscoredCause } from '../../core/attempt.ts'
import type { Report } from './report.ts'
import { armName } from './thresholds.ts'

/**
 * Reports failed scorers, and a run, or arms of a run, without any score, one line each. Returns no lines when every arm
 * has a score and no scorer failed.
 *
 * @param folder - The run's folder, for the commands in the lines.
 */
export function unscoredLines(report: Report, folder: string): string[] {
  const failedScorers = failedScorerLines(report, folder)
  const whole = unscoredLine(report, folder, failedScorers.length > 0)
  if (whole !== null) return [...failedScorers, whole]
  const arms = report.groups
    .filter(
      ({ domain, scored, n, unscored, scorerFailures, profile }) =>
        domain === 'all' && profile !== 'none' && n > 0 && scored === 0 && unscored !== scorerFailures,
    )
    .map(
      group =>
        `${armName(group)}: none of the ${group.n} attempts could be scored. 'tablehunt logs termination ${folder}' shows why [nothing-scored]`,
    )
  return [...failedScorers, ...arms]
}

/** Reports each scorer that failed, in one line with the code `scorer-failed`. */
function failedScorerLines({ groups }: Report, folder: string): string[] {
  const failures = new Map<string, number>()
  for (const { domain, profile, scorerFailures = 0 } of groups)
    if (domain === 'all' && scorerFailures > 0)
      failures.set(profile, (failures.get(profile) ?? 0) + scorerFailures)
  return [...failures].map(
    ([scorer, n]) =>
      `scorer ${scorer} failed: ${n} ${n === 1 ? 'attempt has' : 'attempts have'} no score. Fix the scorer, then run 'tablehunt score ${folder}'. It adds the scores without calling the model under test [scorer-failed]`,
  )
}

/**
 * Says why no attempt of a run could be scored and what to do, in one line with the code `nothing-scored`. Returns null
 * when at least one attempt was scored, and when failed scorers are the only cause.
 *
 * @param folder - The run's folder, for the commands in the line.
 */
function unscoredLine(
  { run, groups, terminations }: Report,
  folder: string,
  hasFailedScorer: boolean,
): string | null {
  if (groups.some(group => group.scored > 0)) return null
  // Imported runs are never scored.
  if (groups.length > 0 && groups.every(group => group.profile === 'none')) return null
  if (run.attempts === 0) return withCode('no attempt was made. Run the same command again')
  const killed = terminations.filter(({ cause }) => isUnscoredCause(cause))
  if (killed.length === 0 && hasFailedScorer) return null
  if (killed.length === 0)
    return withCode(
      `the judge's replies could not be read. 'tablehunt score ${folder} --judge JUDGE' scores the attempts again`,
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
