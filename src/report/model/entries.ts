import type { Attempt } from '../../core/attempt.ts'
import type { Score } from '../../core/score.ts'
import type { GroupKey } from './report-group.ts'

/** An attempt under one profile and judge. An attempt without a score record is unscored. */
export interface Entry {
  readonly attempt: Attempt
  readonly score: Score | null
  readonly key: GroupKey
  /** It stands in the leak ledger. */
  readonly tainted: boolean
}

const settingOrder = ['closed-book', 'offline', 'rag', 'online']

/** Every attempt beside its score, once for each profile and judge that the run was scored with. */
export function joinEntries(
  attempts: readonly Attempt[],
  scores: readonly Score[],
  tainted: ReadonlySet<string> = new Set(),
): Entry[] {
  const scorings = new Map<string, { profile: string; judge: string; byAttempt: Map<string, Score> }>()
  for (const score of scores) {
    const { profile, judge } = score
    const name = JSON.stringify([profile, judge])
    const scoring = scorings.get(name) ?? { profile, judge, byAttempt: new Map<string, Score>() }
    scoring.byAttempt.set(score.attemptId, score)
    scorings.set(name, scoring)
  }
  if (scorings.size === 0) scorings.set('', { profile: 'none', judge: 'none', byAttempt: new Map() })
  return [...scorings.values()].flatMap(({ profile, judge, byAttempt }) =>
    attempts.map(attempt => ({
      attempt,
      score: byAttempt.get(attempt.attemptId) ?? null,
      key: { setting: attempt.setting, model: attempt.model, variant: attempt.variant, profile, judge },
      tainted: tainted.has(attempt.attemptId),
    })),
  )
}

/** Whether an attempt called tools, and nobody can tell whether they gave the gold away. */
export function hasUnknownLeaks({ evidence, toolFailures }: Attempt): boolean {
  return evidence === null && toolFailures !== undefined
}

export function isScored(entry: Entry): entry is Entry & { readonly score: Score } {
  return entry.score?.status === 'scored'
}

export function groupBy<T>(items: readonly T[], keyOf: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>()
  for (const item of items) {
    const key = keyOf(item)
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [item])
    else group.push(item)
  }
  return groups
}

type ArmKey = Pick<GroupKey, 'setting' | 'model' | 'variant'>

/** By model, then the settings in the order in which a task grows harder, then the variant. */
export function compareArms(a: ArmKey, b: ArmKey): number {
  return (
    compareText(a.model, b.model) ||
    compareSettings(a.setting, b.setting) ||
    compareVariants(a.variant, b.variant)
  )
}

export function compareSettings(a: string, b: string): number {
  const rank = (setting: string): number => {
    const at = settingOrder.indexOf(setting)
    return at === -1 ? settingOrder.length : at
  }
  return rank(a) - rank(b) || compareText(a, b)
}

/** As text, but numbers in it by their value: 8000 before 32000. */
function compareVariants(a: string, b: string): number {
  const partsOf = (variant: string): string[] => variant.match(/\d+|\D+/g) ?? []
  const [left, right] = [partsOf(a), partsOf(b)]
  const at = left.findIndex((part, index) => part !== right[index])
  const [one = '', other = ''] = [left[at], right[at]]
  const byValue = /^\d+$/.test(one) && /^\d+$/.test(other) ? Number(one) - Number(other) : 0
  return byValue || compareText(a, b)
}

/** By code units: the same on every machine. */
export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

/** Entries of one key: scorings in the order in which they come, then keys in reading order. */
export function groupByKey(entries: readonly Entry[]): { key: GroupKey; entries: Entry[] }[] {
  const scorings = groupBy(entries, ({ key }) => JSON.stringify([key.profile, key.judge]))
  return [...scorings.values()].flatMap(scoring => {
    const groups = groupBy(scoring, ({ key }) => JSON.stringify([key.setting, key.model, key.variant]))
    return [...groups.values()]
      .map(group => ({ key: group[0]!.key, entries: group }))
      .sort((a, b) => compareArms(a.key, b.key))
  })
}

/** The entries of each domain in name order. */
export function byDomain(entries: readonly Entry[]): [string, Entry[]][] {
  return [...groupBy(entries, entry => entry.attempt.domain)].sort(([a], [b]) => compareText(a, b))
}
