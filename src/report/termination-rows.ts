import { compareSettings, compareText, type Entry, groupBy, isScored } from './entries.ts'
import { clusteredMean, metricValues } from './measures.ts'
import type { TerminationRow } from './report.ts'

/** One scoring of the run is enough to count ends: the first that the records hold. */
export function firstScoring(entries: readonly Entry[]): Entry[] {
  const first = entries[0]?.key
  return entries.filter(({ key }) => key.profile === first?.profile && key.judge === first.judge)
}

/** The paper's failed run: no table could be read. Without a score (imported logs), an attempt without an answer. */
export function hasFailed(entry: Entry): boolean {
  if (entry.score !== null) return !entry.score.passed
  return !entry.attempt.termination.answerProduced
}

/** Passed, and not left out as unscored. */
function hasPassed(entry: Entry): boolean {
  return (entry.score === null || isScored(entry)) && !hasFailed(entry)
}

/** Why the attempts of each setting ended: the most frequent reason first. */
export function terminationRows(entries: readonly Entry[]): TerminationRow[] {
  const settings = groupBy(firstScoring(entries), entry => entry.attempt.setting)
  return [...settings]
    .sort(([a], [b]) => compareSettings(a, b))
    .flatMap(([setting, own]) => endsOf(own).map(row => ({ setting, ...row })))
}

/** Counts by cause and reason; shares are of the entries handed in. */
export function endsOf(entries: readonly Entry[]): Omit<TerminationRow, 'setting'>[] {
  const ends = groupBy(entries, ({ attempt }) => `${attempt.termination.cause} ${attempt.termination.reason}`)
  return [...ends.values()]
    .map(group => {
      const { cause, reason } = group[0]!.attempt.termination
      return {
        cause,
        reason,
        n: group.length,
        share: group.length / entries.length,
        passed: group.filter(hasPassed).length,
        meanCellF1: clusteredMean(metricValues(group, 'cellF1')),
      }
    })
    .sort((a, b) => b.n - a.n || compareText(a.cause, b.cause) || compareText(a.reason, b.reason))
}
