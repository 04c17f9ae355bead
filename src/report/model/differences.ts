import { armName, differingOptions, optionsText, settingLabel } from '../../core/arm.ts'
import { holm } from '../../score/statistics/holm.ts'
import { pairedDifference } from '../../score/statistics/paired-difference.ts'
import { armsOfEntries, type ReportArms } from './arms.ts'
import { byDomain, compareText, type Entry, groupBy, groupByKey } from './entries.ts'
import { metricValues } from './measures.ts'
import { isPrimary, metricNamed, metricsOf, type RunScorers } from './metrics.ts'
import type { GroupKey } from './report-group.ts'
import type { DifferenceRow } from './report-rows.ts'
import { scoringOf } from './scorings.ts'

/** Arms of one setting that differ in one of these options alone are all compared with each other. */
const comparedOptions = new Set([
  ...['agent', 'cot', 'control', 'prompts', 'docs'],
  ...['tokens', 'model-calls', 'search-calls', 'fetch-calls', 'wall', 'usd'].map(kind => `budget-${kind}`),
])

interface KeyedEntries {
  readonly key: GroupKey
  readonly entries: readonly Entry[]
}

/**
 * Returns the arm with which all arms that differ in one option are compared: the one with the option's default, or
 * else the first one.
 */
function baselineOf(arm: GroupKey, option: string, family: readonly KeyedEntries[]): GroupKey {
  const arms = family
    .map(({ key }) => key)
    .filter(key => key.setting === arm.setting)
    .filter(key => differingOptions(key.options, arm.options).every(name => name === option))
  return arms.find(key => !(option in key.options)) ?? arms[0]!
}

/** How two arms of one setting are compared. Null: they are not, because they differ in more than one option. */
function compareWithinSetting(
  from: GroupKey,
  to: GroupKey,
  family: readonly KeyedEntries[],
): Pick<TestedRow, 'againstFirst'> | null {
  const [option, ...others] = differingOptions(from.options, to.options)
  if (option === undefined || others.length > 0) return null
  const baseline = baselineOf(to, option, family)
  const againstFirst = baseline === from || baseline === to
  return againstFirst || comparedOptions.has(option) ? { againstFirst } : null
}

/**
 * Whether the difference between arms of two settings is meaningful. They may differ in options that only one of them
 * has, such as a retriever. They must not differ in an option that both have, such as chain of thought. The control
 * found-only is compared with the online setting, because that difference separates finding documents from reading them.
 */
function areComparable(
  from: GroupKey,
  to: GroupKey,
  optionsOf: ReadonlyMap<string, ReadonlySet<string>>,
): boolean {
  const differing = differingOptions(from.options, to.options)
  if (differing.includes('control')) {
    const isFoundOnly = from.options.control === 'found-only'
    if (!isFoundOnly || to.setting !== 'online' || 'control' in to.options) return false
    return differing.every(name => name === 'control' || name === 'cut')
  }
  const shared = (name: string): boolean =>
    optionsOf.get(from.setting)?.has(name) === true && optionsOf.get(to.setting)?.has(name) === true
  return !differing.some(shared)
}

/** Computes what each arm gains or loses against the arms before it, paired over tasks, by domain and over all tasks. */
export function differenceRows(
  entries: readonly Entry[],
  scorers: RunScorers,
  arms: ReportArms = armsOfEntries(entries),
): TestedRow[] {
  const optionsOf = new Map<string, Set<string>>()
  for (const { key } of entries) {
    const options = optionsOf.get(key.setting) ?? new Set<string>()
    for (const name of Object.keys(key.options)) options.add(name)
    optionsOf.set(key.setting, options)
  }
  const families = groupBy(groupByKey(entries), ({ key }) =>
    JSON.stringify([key.scorer, key.judge, key.model]),
  )
  return [...families.values()].flatMap(family =>
    family.flatMap((from, at) =>
      family.slice(at + 1).flatMap(to => {
        const compared =
          from.key.setting === to.key.setting
            ? compareWithinSetting(from.key, to.key, family)
            : areComparable(from.key, to.key, optionsOf)
              ? { againstFirst: true }
              : null
        if (compared === null) return []
        const ids = { arm: arms.idOf(to.key), fromArm: arms.idOf(from.key), ...compared }
        return rowsBetween(from, to, scorers).map(row => ({ ...row, ...ids }))
      }),
    ),
  )
}

function rowsBetween(
  from: KeyedEntries,
  to: KeyedEntries,
  scorers: RunScorers,
): Omit<TestedRow, 'arm' | 'fromArm' | 'againstFirst'>[] {
  const before = new Map(byDomain(from.entries))
  const after = new Map(byDomain(to.entries))
  const domains = [...before.keys()].filter(domain => after.has(domain)).sort(compareText)
  const pairs: [string, readonly Entry[], readonly Entry[]][] = domains.map(domain => [
    domain,
    before.get(domain) ?? [],
    after.get(domain) ?? [],
  ])
  return [...pairs, ['all', from.entries, to.entries] as const].flatMap(([domain, left, right]) =>
    metricsOf(scorers, to.key.scorer).compared.flatMap(({ key, range }) => {
      const found = pairedDifference(metricValues(left, key), metricValues(right, key), range)
      if (found === null) return []
      const { model, scorer, judge } = to.key
      const { n, components, mean, low, high, pValue } = found
      const names = { from: settingLabel(from.key), to: settingLabel(to.key), domain, model, scorer, judge }
      return [{ ...names, n, components, metric: key, mean, low, high, pValue }]
    }),
  )
}

/** Computes what each model gains over the models before it in the same setting with the same options, paired over tasks. */
export function modelDifferences(
  entries: readonly Entry[],
  scorers: RunScorers,
  arms: ReportArms,
): TestedRow[] {
  const families = groupBy(groupByKey(entries), ({ key }) =>
    JSON.stringify([key.scorer, key.judge, key.setting, optionsText(key.options)]),
  )
  return [...families.values()].flatMap(family =>
    family.flatMap((from, at) =>
      family.slice(at + 1).flatMap(to =>
        metricsOf(scorers, to.key.scorer).compared.flatMap(({ key, range }) => {
          const difference = pairedDifference(
            metricValues(from.entries, key),
            metricValues(to.entries, key),
            range,
          )
          if (difference === null) return []
          const { scorer, judge } = to.key
          const names = { from: armName(from.key), to: armName(to.key) }
          const { model } = to.key
          const ids = { arm: arms.idOf(to.key), fromArm: arms.idOf(from.key), againstFirst: at === 0 }
          const row = { ...names, ...ids, domain: 'all', model, scorer, judge, ...difference }
          return [{ ...row, metric: key }]
        }),
      ),
    ),
  )
}

/** A row before its p-value is corrected. */
type TestedRow = Omit<DifferenceRow, 'pValueHolm'>

/** Whether tables of differences show a row: the primary metric for every domain, the others over all tasks. */
export function isInTable(row: TestedRow, scorers: RunScorers): boolean {
  const isKnown = metricNamed(scorers, row.scorer, row.metric) !== undefined
  return isKnown && (row.domain === 'all' || isPrimary(scorers, row.scorer, row.metric))
}

/**
 * Adds p-values that are corrected by Holm's method. The rows of one printed table are corrected together. All other
 * rows of a scorer and judge are corrected among themselves. A row that repeats another row under an older name of its
 * metric has the same values and is not counted.
 */
export function withHolm(rows: readonly TestedRow[], scorers: RunScorers): DifferenceRow[] {
  const tested = rows.filter(row => metricNamed(scorers, row.scorer, row.metric) !== undefined)
  const tables = groupBy(tested, row => `${scoringOf(row)} ${isInTable(row, scorers)} ${row.againstFirst}`)
  const corrected = new Map<string, number | null>()
  for (const table of tables.values()) {
    const adjusted = holm(table.map(({ pValue }) => pValue))
    for (const [at, row] of table.entries()) corrected.set(keyOf(row), adjusted[at]!)
  }
  return rows.map(row => ({ ...row, pValueHolm: corrected.get(keyOf(row)) ?? null }))
}

function keyOf({ arm, fromArm, domain, scorer, judge, metric }: TestedRow): string {
  return JSON.stringify([arm, fromArm, domain, scorer, judge, metric])
}
