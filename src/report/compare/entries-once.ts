import { armKey } from '../../core/arm.ts'
import { type Entry, groupBy, joinEntries } from '../model/entries.ts'
import { scoringOf } from '../model/scorings.ts'
import type { ComparedRun } from './run-notes.ts'

function kindOf({ key }: Entry): string {
  return armKey(key)
}

/**
 * Returns one entry for each attempt, even when its run has several scorings. Each arm uses the scoring that most
 * attempts of all runs have. The entry of an attempt without that scoring has no score.
 */
export function entriesOnce(runs: readonly ComparedRun[]): Entry[] {
  const joined = runs.map(run => joinEntries(run.attempts, run.scores))
  const all = joined.flat()
  const scored = all.filter(({ key }) => key.scorer !== 'none')
  const ranked = [...groupBy(scored, ({ key }) => scoringOf(key)).values()].sort(
    (a, b) => b.length - a.length,
  )
  const chosen = new Map(
    [...groupBy(all, kindOf)].map(([kind, entries]) => {
      const own = new Set(entries.map(({ key }) => scoringOf(key)))
      const most = ranked.find(([first]) => own.has(scoringOf(first!.key))) ?? entries
      return [kind, most[0]!.key] as const
    }),
  )
  return joined.flatMap(entries =>
    [...groupBy(entries, ({ attempt }) => attempt.attemptId).values()].map(own => {
      const [first] = own as [Entry, ...Entry[]]
      const { scorer, judge } = chosen.get(kindOf(first))!
      const found = own.find(({ key }) => key.scorer === scorer && key.judge === judge)
      return found ?? { ...first, score: null, key: { ...first.key, scorer, judge } }
    }),
  )
}
