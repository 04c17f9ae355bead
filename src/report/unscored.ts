import type { Report } from './report.ts'

/**
 * Says why no attempt of a run could be scored and what to do, in one line with the code `nothing-scored`; null where at
 * least one was scored.
 *
 * @param folder - The run's folder, for the commands that the line names.
 */
export function unscoredLine({ run, groups, terminations }: Report, folder: string): string | null {
  if (groups.some(group => group.scored > 0)) return null
  // Imported runs are not scored at all.
  if (groups.length > 0 && groups.every(group => group.profile === 'none')) return null
  if (run.attempts === 0) return coded('no attempt was made. Run the same command again')
  const killed = terminations.filter(({ cause }) => unscoredCauses.has(cause))
  const [most] = killed.toSorted((a, b) => b.n - a.n)
  if (most === undefined)
    return coded(
      `the judge gave no answer that could be read. Score the run again with another judge: tablehunt score ${folder} --judge NAME`,
    )
  const n = killed
    .filter(({ cause, reason }) => cause === most.cause && reason === most.reason)
    .reduce((sum, row) => sum + row.n, 0)
  const why = `${n} of ${run.attempts} attempts ended by ${most.cause} / ${most.reason}`
  return coded(
    `${why}. See: tablehunt logs termination ${folder}. When the cause is fixed, run the same command with --retry unscored`,
  )
}

const unscoredCauses: ReadonlySet<string> = new Set(['provider', 'harness', 'operator'])

function coded(words: string): string {
  return `no attempt could be scored: ${words} [nothing-scored]`
}
