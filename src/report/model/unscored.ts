import { isUnscoredCause } from '../../core/attempt.ts'
import type { Report } from './report.ts'
import { armName } from './thresholds.ts'

/**
 * Says that a run, or some of its arms, have no score at all, one line each; empty where every arm has one.
 *
 * @param folder - The run's folder, for the commands that the lines name.
 */
export function unscoredLines(report: Report, folder: string): string[] {
  const whole = unscoredLine(report, folder)
  if (whole !== null) return [whole]
  return report.groups
    .filter(
      ({ domain, scored, n, profile }) => domain === 'all' && profile !== 'none' && n > 0 && scored === 0,
    )
    .map(
      group =>
        `${armName(group)}: no attempt of ${group.n} could be scored; tablehunt logs termination ${folder} says why [nothing-scored]`,
    )
}

/**
 * Says why no attempt of a run could be scored and what to do, in one line with the code `nothing-scored`; null where at
 * least one was scored.
 *
 * @param folder - The run's folder, for the commands that the line names.
 */
function unscoredLine({ run, groups, terminations }: Report, folder: string): string | null {
  if (groups.some(group => group.scored > 0)) return null
  // Imported runs are not scored at all.
  if (groups.length > 0 && groups.every(group => group.profile === 'none')) return null
  if (run.attempts === 0) return coded('no attempt was made; run the same command again')
  const killed = terminations.filter(({ cause }) => isUnscoredCause(cause))
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
