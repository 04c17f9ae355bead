import {
  areSameOptions,
  armName,
  differingOptions,
  optionsText,
  settingLabel,
  unchangedFork,
} from '../../core/arm.ts'
import { groupBy } from '../../core/group-by.ts'
import type { MetricDefinition } from '../../core/metric.ts'
import type { ComponentMean } from '../../score/statistics/component-mean.ts'
import { holm } from '../../score/statistics/holm.ts'
import { computeDifferenceInterval } from '../../score/statistics/intervals.ts'
import { computeLeastPValue, computePairedDifference } from '../../score/statistics/paired-difference.ts'
import { computeDetectableDifference } from '../../score/statistics/power.ts'
import type { Range } from '../../score/statistics/unseen-share.ts'
import type { ReportArms } from './arms.ts'
import { compareText, type Entry, groupByDomain, groupByKey } from './entries.ts'
import { listMetricValues } from './measures.ts'
import { findMetric, isPrimary, listScoringMetrics, type RunScorers } from './metrics.ts'
import type { GroupKey } from './report-group.ts'
import type { DifferenceRow, FamilyFigures } from './report-rows.ts'
import { nameScoring } from './scorings.ts'
import { measureSensitivity } from './sensitivity.ts'

/** Arms of one setting that differ in one of these options alone are all compared with each other. */
const comparedOptions = new Set([
  ...['agent', 'cot', 'control', 'prompts', 'docs'],
  ...['tokens', 'model-calls', 'search-calls', 'fetch-calls', 'wall', 'usd'].map(kind => `budget-${kind}`),
])

/** The attempts of an arm under one scoring. */
export interface KeyedEntries {
  readonly key: GroupKey
  readonly entries: readonly Entry[]
}

/**
 * Returns the arm with which all arms that differ in one option are compared: the one with the option's default, or
 * else the first one.
 */
function findBaseline(arm: GroupKey, option: string, family: readonly KeyedEntries[]): GroupKey {
  const arms = family
    .map(({ key }) => key)
    .filter(key => key.setting === arm.setting)
    .filter(key => differingOptions(key.options, arm.options).every(name => name === option))
  return findControl(arm, arms) ?? arms.find(key => !(option in key.options)) ?? arms[0]!
}

/**
 * Returns the forks without a change with which forks of the same cause are compared; undefined for arms that are no forks.
 * Forks with another model have the control of the only model that was forked.
 */
function findControl(arm: GroupKey, arms: readonly GroupKey[]): GroupKey | undefined {
  if (arm.options.fork === undefined) return undefined
  const options = { ...arm.options, fork: unchangedFork }
  const controls = arms.filter(key => key.setting === arm.setting && areSameOptions(key.options, options))
  return (
    controls.find(({ model }) => model === arm.model) ?? (controls.length === 1 ? controls[0] : undefined)
  )
}

/** How two arms of one setting are compared. Null: they are not, because they differ in more than one option. */
function compareWithinSetting(
  from: GroupKey,
  to: GroupKey,
  family: readonly KeyedEntries[],
): { againstFirst: boolean } | null {
  const [option, ...furtherOptions] = differingOptions(from.options, to.options)
  // Forks of two causes continue different attempts.
  if (option === undefined || option === 'cause' || furtherOptions.length > 0) return null
  const baseline = findBaseline(to, option, family)
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

/** Two arms of a scoring that are compared. */
export interface ArmPair {
  readonly from: KeyedEntries
  readonly to: KeyedEntries
  readonly againstFirst: boolean
}

/** Returns the names of the options that any arm of each setting has. */
export function listOptionsBySetting(entries: readonly Entry[]): ReadonlyMap<string, ReadonlySet<string>> {
  const optionsOf = new Map<string, Set<string>>()
  for (const { key } of entries) {
    const options = optionsOf.get(key.setting) ?? new Set<string>()
    for (const name of Object.keys(key.options)) options.add(name)
    optionsOf.set(key.setting, options)
  }
  return optionsOf
}

/** Pairs each arm with the arms of its model before it that differ from it in the setting or in one option. */
export function pairWithinModels(entries: readonly Entry[]): ArmPair[] {
  const optionsOf = listOptionsBySetting(entries)
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
        return compared === null ? [] : [{ from, to, ...compared }]
      }),
    ),
  )
}

/** Pairs each model with the models before it in the same setting with the same options. */
export function pairModels(entries: readonly Entry[]): ArmPair[] {
  const families = groupBy(groupByKey(entries), ({ key }) =>
    JSON.stringify([key.scorer, key.judge, key.setting, optionsText(key.options)]),
  )
  return [...families.values()].flatMap(family =>
    family.flatMap((from, at) => family.slice(at + 1).map(to => ({ from, to, againstFirst: at === 0 }))),
  )
}

/** Computes what each arm gains or loses against the arms before it, paired over tasks, by domain and over all tasks. */
export function listDifferenceRows(
  entries: readonly Entry[],
  scorers: RunScorers,
  arms: ReportArms,
): TestedRow[] {
  return pairWithinModels(entries).flatMap(({ from, to, againstFirst }) => {
    const ids = { arm: arms.idOf(to.key), fromArm: arms.idOf(from.key), againstFirst }
    return compareArms(from, to, scorers).map(row => ({ ...row, ...ids }))
  })
}

function compareArms(
  from: KeyedEntries,
  to: KeyedEntries,
  scorers: RunScorers,
): Omit<TestedRow, 'arm' | 'fromArm' | 'againstFirst'>[] {
  const before = new Map(groupByDomain(from.entries))
  const after = new Map(groupByDomain(to.entries))
  const domains = [...before.keys()].filter(domain => after.has(domain)).sort(compareText)
  const pairs: [string, readonly Entry[], readonly Entry[]][] = domains.map(domain => [
    domain,
    before.get(domain) ?? [],
    after.get(domain) ?? [],
  ])
  return [...pairs, ['all', from.entries, to.entries] as const].flatMap(([domain, left, right]) =>
    listScoringMetrics(scorers, to.key.scorer).compared.flatMap(metric => {
      const { model, scorer, judge } = to.key
      const names = { from: settingLabel(from.key), to: settingLabel(to.key), domain, model, scorer, judge }
      return testMetric(left, right, metric).map(tested => ({ ...names, ...tested }))
    }),
  )
}

/** Computes the difference of two arms in one metric. Empty when they have no scored task in common. */
function testMetric(from: readonly Entry[], to: readonly Entry[], metric: MetricDefinition): TestedMetric[] {
  const { key, range } = metric
  const difference = computePairedDifference(listMetricValues(from, key), listMetricValues(to, key), range)
  if (difference === null) return []
  const { estimate, ...row } = difference
  return [{ ...row, metric: key, ...measureSensitivity(from, to, metric), basis: { estimate, range } }]
}

/** Computes what each model gains over the models before it in the same setting with the same options, paired over tasks. */
export function listModelDifferences(
  entries: readonly Entry[],
  scorers: RunScorers,
  arms: ReportArms,
): TestedRow[] {
  return pairModels(entries).flatMap(pair =>
    listScoringMetrics(scorers, pair.to.key.scorer).compared.flatMap(metric =>
      listWholeRows(pair, metric, arms),
    ),
  )
}

/** Computes the difference of two arms in a metric over all tasks. */
function listWholeRows(
  { from, to, againstFirst }: ArmPair,
  metric: MetricDefinition,
  arms: ReportArms,
): TestedRow[] {
  const { model, scorer, judge } = to.key
  const names = { from: armName(from.key), to: armName(to.key), domain: 'all', model, scorer, judge }
  const ids = { arm: arms.idOf(to.key), fromArm: arms.idOf(from.key), againstFirst }
  return testMetric(from.entries, to.entries, metric).map(tested => ({ ...names, ...ids, ...tested }))
}

/**
 * Computes the difference of every arm to its baseline, in the primary metric over all tasks. The tests of a scoring are one
 * family.
 *
 * @param baseline - The id of an arm. Null: for forks the control of their cause, for others the first arm of each scoring
 * that has a score.
 */
export function listBaselineDifferences(
  entries: readonly Entry[],
  {
    scorers,
    arms,
    baseline,
  }: { readonly scorers: RunScorers; readonly arms: ReportArms; readonly baseline: string | null },
): DifferenceRow[] {
  const scoringArms = groupBy(groupByKey(entries), ({ key }) => nameScoring(key))
  return [...scoringArms.values()].flatMap(family => {
    const { primary } = listScoringMetrics(scorers, family[0]!.key.scorer)
    const hasScore = (arm: KeyedEntries): boolean =>
      primary !== null && listMetricValues(arm.entries, primary.key).length > 0
    const first = family.find(arm => (baseline === null ? hasScore(arm) : arms.idOf(arm.key) === baseline))
    if (primary === null || first === undefined) return []
    const keys = family.map(({ key }) => key)
    const rows = family.flatMap(to => {
      const control = baseline === null ? findControl(to.key, keys) : undefined
      const from = control === undefined ? first : family.find(({ key }) => key === control)!
      return from === to ? [] : listWholeRows({ from, to, againstFirst: true }, primary, arms)
    })
    return correctFamily(rows)
  })
}

/** A row before it is corrected for the other tests of its table. */
interface TestedRow extends Omit<DifferenceRow, keyof FamilyFigures> {
  /** What its intervals are made from. */
  readonly basis: { readonly estimate: ComponentMean; readonly range: Range }
}

type TestedMetric = Omit<
  TestedRow,
  'from' | 'to' | 'arm' | 'fromArm' | 'againstFirst' | 'domain' | 'model' | 'scorer' | 'judge'
>

/** What decides which table shows a difference. */
interface TestNames {
  readonly scorer: string
  readonly judge: string
  readonly domain: string
  readonly metric: string
  readonly againstFirst: boolean
}

/** Whether tables of differences show a row: the primary metric for every domain, the others over all tasks. */
export function isInTable(row: TestNames, scorers: RunScorers): boolean {
  const isKnown = findMetric(scorers, row.scorer, row.metric) !== undefined
  return isKnown && (row.domain === 'all' || isPrimary(scorers, row.scorer, row.metric))
}

/**
 * Groups rows by the tables that show them, which are the families of tests that are corrected together: for each scoring,
 * the rows of the printed table, the same for other pairs of arms, and those of no printed table.
 */
export function testFamilies<Row extends TestNames>(rows: readonly Row[], scorers: RunScorers): Row[][] {
  const tested = rows.filter(row => findMetric(scorers, row.scorer, row.metric) !== undefined)
  const familyOf = (row: Row): string => `${nameScoring(row)} ${isInTable(row, scorers)} ${row.againstFirst}`
  return [...groupBy(tested, familyOf).values()]
}

/**
 * Adds what depends on the other tests of a table: p-values that are corrected by Holm's method, simultaneous intervals
 * and detectable differences. A row that repeats another row under an older name of its metric has no test of its own.
 */
export function correctDifferences(rows: readonly TestedRow[], scorers: RunScorers): DifferenceRow[] {
  const corrected = new Map<TestedRow, DifferenceRow>()
  for (const family of testFamilies(rows, scorers))
    for (const [at, row] of correctFamily(family).entries()) corrected.set(family[at]!, row)
  return rows.map(row => {
    const { basis: _, ...shown } = row
    return corrected.get(row) ?? { ...shown, ...untested }
  })
}

/** A difference that is tested with others. */
export interface Testable {
  readonly basis: TestedRow['basis']
  readonly pValue: number | null
  readonly components: number
}

/** Corrects the tests of one family. */
export function correctFamily<Row extends Testable>(
  family: readonly Row[],
): (Omit<Row, 'basis'> & FamilyFigures)[] {
  const adjusted = holm(family.map(({ pValue }) => pValue))
  const least = holm(
    family.map(({ pValue, components }) => (pValue === null ? null : computeLeastPValue(components))),
  )
  const tests = adjusted.filter(p => p !== null).length
  return family.map(({ basis: { estimate, range }, ...shown }, at) => {
    const { low, high } = computeDifferenceInterval(estimate, range, 0.05 / Math.max(1, tests))
    return {
      ...shown,
      tests,
      simultaneousLow: low,
      simultaneousHigh: high,
      pValueHolm: adjusted[at]!,
      leastHolm: least[at]!,
      detectable: computeDetectableDifference(estimate, Math.max(1, tests)),
    }
  })
}

const untested: FamilyFigures = {
  tests: 0,
  simultaneousLow: null,
  simultaneousHigh: null,
  pValueHolm: null,
  leastHolm: null,
  detectable: null,
}
