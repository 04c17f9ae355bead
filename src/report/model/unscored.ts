import { isUnscoredCause } from '../../core/attempt.ts'
import type { Report } from './report.ts'
import { armName } from './thresholds.ts'

/**
 * Says that a run, or some of its arms, have no score at all, and that scorers failed, one line each; empty where every
 * arm has a score and no scorer failed.
 *
 * @param folder - The run's folder, for the commands that the lines name.
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
        `${armName(group)}: no attempt of ${group.n} could be scored; tablehunt logs termination ${folder} says why [nothing-scored]`,
    )
  return [...failedScorers, ...arms]
}

/** One line for each scorer that failed, with the code `scorer-failed`. */
function failedScorerLines({ groups }: Report, folder: string): string[] {
  const failures = new Map<string, number>()
  for (const { domain, profile, scorerFailures = 0 } of groups)
    if (domain === 'all' && scorerFailures > 0)
      failures.set(profile, (failures.get(profile) ?? 0) + scorerFailures)
  return [...failures].map(
    ([scorer, n]) =>
      `scorer ${scorer} failed: ${n} ${n === 1 ? 'attempt has' : 'attempts have'} no score. Correct the scorer, then run tablehunt score ${folder}: it adds the scores and calls no model under test. [scorer-failed]`,
  )
}

/**
 * Says why no attempt of a run could be scored and what to do, in one line with the code `nothing-scored`; null where at
 * least one was scored, and where failed scorers are the only cause.
 *
 * @param folder - The run's folder, for the commands that the line names.
 */
function unscoredLine(
  { run, groups, terminations }: Report,
  folder: string,
  hasFailedScorer: boolean,
): string | null {
  if (groups.some(group => group.scored > 0)) return null
  // Imported runs are not scored at all.
  if (groups.length > 0 && groups.every(group => group.profile === 'none')) return null
  if (run.attempts === 0) return coded('no attempt was made; run the same command again')
  const killed = terminations.filter(({ cause }) => isUnscoredCause(cause))
  if (killed.length === 0 && hasFailedScorer) return null
  if (killed.length === 0)
    return coded(
      `the judge gave nothing that could be read; tablehunt score ${folder} scores them again, with --judge of your choice`,
    )
  const ends = new Map<string, number>()
  for (const { cause, reason, n } of killed)
    ends.set(`${cause} / ${reason}`, (ends.get(`${cause} / ${reason}`) ?? 0) + n)
  const [[end, n] = ['', 0]] = [...ends].sort((a, b) => b[1] - a[1])
  return coded(
    `tablehunt logs termination ${folder} says why (${n} of ${run.attempts} ended by ${end}); once it is fixed, the same command with --retry unscored makes them again`,
  )
}

function coded(words: string): string {
  return `no attempt could be scored: ${words} [nothing-scored]`
}
