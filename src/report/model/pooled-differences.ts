import { type ArmOptions, differingOptions, settingLabel, withoutOptions } from '../../core/arm.ts'
import { groupBy } from '../../core/group-by.ts'
import type { MetricDefinition } from '../../core/metric.ts'
import { type ClusteredValue, computeMean, groupClusters } from '../../score/statistics/clusters.ts'
import { computePairedDifference } from '../../score/statistics/paired-difference.ts'
import { shortenOption } from './arms.ts'
import {
  type ArmPair,
  correctFamily,
  type KeyedEntries,
  listOptionsBySetting,
  pairModels,
  pairWithinModels,
  type Testable,
} from './differences.ts'
import { type Entry, groupByKey } from './entries.ts'
import { listMetricValues } from './measures.ts'
import { listScoringMetrics, type RunScorers } from './metrics.ts'
import type { GroupKey } from './report-group.ts'
import type { FamilyFigures, PooledDifference } from './report-rows.ts'
import { nameScoring } from './scorings.ts'

/** What an arm is, apart from the dimension along which it is compared. */
interface PoolingContext {
  readonly model: string
  readonly setting: string
  readonly options: ArmOptions
}

/** Where an arm is along a dimension. Of a setting, that includes the options that the other setting lacks. */
interface DimensionLevel {
  /** The same for all arms of the level. */
  readonly id: string
  readonly name: string
}

/** A pair of arms that differ along one dimension. */
interface DimensionPair extends ArmPair {
  /** `model`, `setting`, or the name of an option. */
  readonly dimension: string
  readonly context: PoolingContext
  readLevel(key: GroupKey): DimensionLevel
}

/** Describes the dimension along which two arms differ. */
function describePair(pair: ArmPair, optionsOf: ReadonlyMap<string, ReadonlySet<string>>): DimensionPair {
  const [from, to] = [pair.from.key, pair.to.key]
  const { setting, options, model } = from
  if (model !== to.model) {
    const readLevel = (key: GroupKey): DimensionLevel => ({ id: key.model, name: key.model })
    return { ...pair, dimension: 'model', context: { model: '', setting, options }, readLevel }
  }
  if (setting === to.setting) {
    const [name = ''] = differingOptions(options, to.options)
    const context = { model, setting, options: withoutOptions(options, [name]) }
    const readLevel = (key: GroupKey): DimensionLevel => {
      const value = key.options[name] ?? 'default'
      return { id: value, name: value }
    }
    return { ...pair, dimension: name, context, readLevel }
  }
  const isShared = (name: string): boolean =>
    [from, to].every(key => optionsOf.get(key.setting)?.has(name) === true)
  const shared = Object.fromEntries(Object.entries(options).filter(([name]) => isShared(name)))
  const readLevel = (key: GroupKey): DimensionLevel => {
    const settingOptions = withoutOptions(key.options, Object.keys(key.options).filter(isShared))
    return {
      id: settingLabel({ setting: key.setting, options: settingOptions }),
      name: [key.setting, ...Object.entries(settingOptions).map(shortenOption)].join(' '),
    }
  }
  return { ...pair, dimension: 'setting', context: { model, setting: '', options: shared }, readLevel }
}

/**
 * Pools the differences along one dimension (the model, the setting or an option) over all combinations of the others, in the
 * primary metric over the tasks that all arms of both sides scored. Only complete designs with at least two combinations are
 * pooled: those in which both sides have an arm for each combination. Combinations in which an arm has no score at all count
 * for nothing. The tests of a scoring are one family.
 */
export function poolDifferences(entries: readonly Entry[], scorers: RunScorers): PooledDifference[] {
  const optionsOf = listOptionsBySetting(entries)
  const pairs = [...pairModels(entries), ...pairWithinModels(entries)]
    .filter(({ againstFirst }) => againstFirst)
    .map(pair => describePair(pair, optionsOf))
  const arms = groupByKey(entries)
  const pools = groupBy(pairs, ({ dimension, readLevel, from, to }) =>
    JSON.stringify([nameScoring(to.key), dimension, readLevel(from.key).id, readLevel(to.key).id]),
  )
  const tested = [...pools.values()].flatMap(pool => {
    const { primary } = listScoringMetrics(scorers, pool[0]!.to.key.scorer)
    if (primary === null || !isComplete(pool, arms)) return []
    const hasScore = ({ entries: armEntries }: KeyedEntries): boolean =>
      listMetricValues(armEntries, primary.key).length > 0
    const scoredPool = pool.filter(({ from, to }) => hasScore(from) && hasScore(to))
    return scoredPool.length < 2 ? [] : testPool(scoredPool, primary)
  })
  return [...groupBy(tested, nameScoring).values()].flatMap(family => correctFamily(family))
}

/** Whether every arm of both sides is in a pair. Settings that lack an option do not count for it. */
function isComplete(pool: readonly DimensionPair[], arms: readonly KeyedEntries[]): boolean {
  const { readLevel, from, to, dimension } = pool[0]!
  const settings = new Set(pool.flatMap(pair => [pair.from.key.setting, pair.to.key.setting]))
  const peers = arms.filter(
    ({ key }) =>
      nameScoring(key) === nameScoring(to.key) && (dimension === 'model' || settings.has(key.setting)),
  )
  return [from, to].every(side => {
    const { id } = readLevel(side.key)
    return peers.filter(({ key }) => readLevel(key).id === id).length === pool.length
  })
}

/** A pooled difference before it is corrected for the other tests. */
type TestedPool = Testable & Omit<PooledDifference, keyof FamilyFigures>

function testPool(pool: readonly DimensionPair[], metric: MetricDefinition): TestedPool[] {
  const { dimension, readLevel, from, to } = pool[0]!
  const difference = computePairedDifference(...poolSides(pool, metric.key), metric.range)
  if (difference === null) return []
  const { estimate, ...figures } = difference
  const { scorer, judge } = to.key
  return [
    {
      dimension,
      from: readLevel(from.key).name,
      to: readLevel(to.key).name,
      combinations: pool.length,
      over: listVaryingDimensions(pool),
      ...{ scorer, judge, metric: metric.key, ...figures },
      basis: { estimate, range: metric.range },
    },
  ]
}

/** Returns a value for each task that all arms scored, on both sides: the mean of the arms of the side. */
function poolSides(pool: readonly DimensionPair[], key: string): [ClusteredValue[], ClusteredValue[]] {
  const clusters = ({ entries }: KeyedEntries) =>
    new Map(groupClusters(listMetricValues(entries, key)).map(cluster => [cluster.cluster, cluster]))
  const sides = (['from', 'to'] as const).map(side => pool.map(pair => clusters(pair[side])))
  const tasks = [...sides[0]![0]!.values()].filter(({ cluster }) =>
    sides.flat().every(arm => arm.has(cluster)),
  )
  const [from, to] = sides.map(arms =>
    tasks.map(({ cluster, component }) => ({
      cluster,
      component,
      value: computeMean(arms.map(arm => arm.get(cluster)!.mean)),
    })),
  )
  return [from!, to!]
}

/** Names the dimensions in which the pooled pairs differ: `model`, `setting` and names of options. */
function listVaryingDimensions(pool: readonly DimensionPair[]): string[] {
  const contexts = pool.map(({ context }) => context)
  const differs = (read: (context: PoolingContext) => string): boolean => new Set(contexts.map(read)).size > 1
  const names = [...new Set(contexts.flatMap(({ options }) => Object.keys(options)))]
  return [
    ...(['model', 'setting'] as const).filter(name => differs(context => context[name])),
    ...names.filter(name => differs(({ options }) => options[name] ?? '')),
  ]
}
