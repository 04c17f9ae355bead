import { ConfigError } from '../../core/errors.ts'
import type { Entry } from '../model/entries.ts'
import { readWebOption } from '../model/report-input.ts'
import { sortUnique } from '../model/report-notes.ts'
import type { ComparedRun } from './run-notes.ts'

/** Returns the kind of web of a run: live, sealed or replay. Drops the part after the colon. */
export function nameWebKind(run: ComparedRun): string | null {
  return readWebOption(run.manifest)?.split(':')[0] ?? null
}

interface MixedJudges {
  readonly judges: readonly string[]
  /** The distinct sets of judges of the runs, each joined to one text. */
  readonly sets: readonly string[]
}

/** Returns the scorers for which the runs have different judges. */
export function findMixedJudges(runs: readonly ComparedRun[]): ReadonlyMap<string, MixedJudges> {
  const scores = runs.map(run => run.scores)
  const scorerNames = sortUnique(scores.flat().map(score => score.scorer))
  return new Map(
    scorerNames.flatMap(scorer => {
      const byRun = scores.map(run => run.flatMap(score => (score.scorer === scorer ? score.judge : [])))
      const sets = sortUnique(
        byRun.filter(judges => judges.length > 0).map(judges => sortUnique(judges).join(' and ')),
      )
      return sets.length > 1 ? [[scorer, { judges: sortUnique(byRun.flat()), sets }] as const] : []
    }),
  )
}

export function withPooledJudges(
  entries: readonly Entry[],
  mixed: ReadonlyMap<string, MixedJudges>,
): Entry[] {
  return entries.map(entry => {
    const judges = mixed.get(entry.key.scorer)?.judges
    if (judges === undefined) return entry
    return { ...entry, key: { ...entry.key, judge: `mixed: ${judges.join(', ')}` } }
  })
}

export function requireComparable(webs: readonly string[], mixed: ReadonlyMap<string, MixedJudges>): void {
  if (webs.length > 1) {
    throw new ConfigError(
      `The online attempts of these runs used different webs (${webs.join(', ')}), so their scores cannot be compared. Name runs with the same web, or add --force to pool them.`,
      { code: 'webs-differ' },
    )
  }
  for (const [scorer, { sets }] of mixed)
    throw new ConfigError(
      `scorer ${scorer}: the runs have different judges (${sets.join('; ')}), so their scores cannot be compared. Score all runs with one judge ('tablehunt score RUN --judge JUDGE'), or add --force to pool them.`,
      { code: 'judges-differ' },
    )
}

/** Returns the kinds of web that the online attempts of these runs used. */
export function listOnlineWebs(runs: readonly ComparedRun[]): string[] {
  const online = runs.filter(run => run.attempts.some(attempt => attempt.setting === 'online'))
  return sortUnique(online.flatMap(run => nameWebKind(run) ?? []))
}

/** Reports different webs, judges and scorers of the compared runs. */
export function listMixtureNotes(
  runs: readonly ComparedRun[],
  webs: readonly string[],
  mixed: ReadonlyMap<string, MixedJudges>,
): string[] {
  const scores = runs.flatMap(run => run.scores)
  const judges = sortUnique(scores.map(score => score.judge))
  const scorerNames = sortUnique(scores.map(score => score.scorer))
  const pooled = '--force pooled them, so do not compare their scores'
  return [
    ...(webs.length > 1 ? [`the webs differ (${webs.join(', ')}). ${pooled}`] : []),
    ...(judges.length > 1
      ? [`the judges differ (${judges.join(', ')}). ${mixed.size > 0 ? pooled : 'Each has its own rows'}`]
      : []),
    ...(scorerNames.length > 1
      ? [`the scorers differ (${scorerNames.join(', ')}). Each has its own tables`]
      : []),
  ]
}
