import { armsOfEntries, type ReportArms } from './arms.ts'
import type { EndCounts, EndRow, TerminationRow } from './ends.ts'
import { compareSettings, compareText, type Entry, groupBy, groupByKey } from './entries.ts'
import { primaryMeans } from './first-report.ts'
import { clusteredMean, metricValues } from './measures.ts'
import { metricsOf, type RunScorers } from './metrics.ts'

/** One scoring of the run is enough to count ends: the first that the records hold. */
export function firstScoring(entries: readonly Entry[]): Entry[] {
  const first = entries[0]?.key
  return entries.filter(({ key }) => key.profile === first?.profile && key.judge === first.judge)
}

/**
 * The paper's failed run: no table could be read; and one that was killed, whatever table it had drafted. Without a score
 * (imported logs), an attempt without an answer. Every other passed: the failure of a judge or a scorer is none of the
 * attempt's.
 */
export function hasFailed({ score, attempt }: Entry): boolean {
  if (score === null) return !attempt.termination.answerProduced
  const isOfScoring = score.cause === 'judge' || score.cause === 'scorer'
  return !score.answered || (score.status === 'unscored' && !isOfScoring)
}

/** Why the attempts of each setting ended: the most frequent reason first. */
export function terminationRows(
  entries: readonly Entry[],
  scorers: RunScorers,
  arms: ReportArms = armsOfEntries(entries),
): TerminationRow[] {
  const settings = groupBy(firstScoring(entries), entry => entry.attempt.setting)
  return [...settings]
    .sort(([a], [b]) => compareSettings(a, b))
    .flatMap(([setting, own]) => {
      const ids = new Set(own.map(({ key }) => arms.idOf(key)))
      const arm = ids.size === 1 ? [...ids][0]! : null
      return endsOf(own, scorers).map(row => ({ setting, arm, ...row }))
    })
}

/** The same for each model and variant on its own, of one scoring: a control is not its setting. */
export function endRows(
  entries: readonly Entry[],
  scorers: RunScorers,
  arms: ReportArms = armsOfEntries(entries),
): EndRow[] {
  return groupByKey(entries).flatMap(({ key, entries: own }) => {
    const failures = own.filter(hasFailed).length
    return endsOf(own, scorers).map(row => {
      const failed = own.filter(entry => endedSo(entry, row) && hasFailed(entry)).length
      const shareOfFailures = failures === 0 ? null : failed / failures
      return { ...key, arm: arms.idOf(key), ...row, failed, shareOfFailures }
    })
  })
}

/** Whether an attempt ended by this cause and reason. */
export function endedSo(
  { attempt: { termination } }: Entry,
  end: { readonly cause: string; readonly reason: string },
): boolean {
  return termination.cause === end.cause && termination.reason === end.reason
}

/** Counts by cause and reason; shares are of the entries handed in. */
export function endsOf(entries: readonly Entry[], scorers: RunScorers): EndCounts[] {
  const { primary } = metricsOf(scorers, entries[0]?.key.profile ?? 'none')
  const key = primary?.key ?? null
  const ends = groupBy(entries, ({ attempt }) => `${attempt.termination.cause} ${attempt.termination.reason}`)
  return [...ends.values()]
    .map(group => {
      const { cause, reason } = group[0]!.attempt.termination
      return {
        cause,
        reason,
        n: group.length,
        share: group.length / entries.length,
        passed: group.filter(entry => !hasFailed(entry)).length,
        ...primaryMeans(key, key === null ? null : clusteredMean(metricValues(group, key))),
      }
    })
    .sort((a, b) => b.n - a.n || compareText(a.cause, b.cause) || compareText(a.reason, b.reason))
}
