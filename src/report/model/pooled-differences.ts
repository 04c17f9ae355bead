import { type ArmOptions, differingOptions, settingLabel, withoutOptions } from '../../core/arm.ts'
import { groupBy } from '../../core/group-by.ts'
import type { MetricDefinition } from '../../core/metric.ts'
import { type ClusteredValue, clustersOf, meanOf } from '../../score/statistics/clusters.ts'
import { pairedDifference } from '../../score/statistics/paired-difference.ts'
import {
  type ArmPair,
  correctFamily,
  type KeyedEntries,
  optionNamesBySetting,
  pairsOfModels,
  pairsWithinModels,
  type Testable,
} from './differences.ts'
import { type Entry, groupByKey } from './entries.ts'
import { metricValues } from './measures.ts'
import { type RunScorers, scoringMetrics } from './metrics.ts'
import type { GroupKey } from './report-group.ts'
import type { FamilyFigures, PooledDifference } from './report-rows.ts'
import { nameScoring } from './scorings.ts'

/** What an arm is, apart from the dimension along which it is compared. */
interface Context {
  readonly model: string
  readonly setting: string
  readonly options: ArmOptions
}

/** A pair of arms that differ along one dimension. */
interface DimensionPair extends ArmPair {
  /** `model`, `setting`, or the name of an option. */
  readonly dimension: string
  readonly levels: readonly [from: string, to: string]
  readonly context: Context
}

/** Returns the value of an arm along a dimension. Of a setting, it includes the options that the other setting lacks. */
type ReadLevel = (key: GroupKey) => string

/** Describes the dimension along which two arms differ. */
function describePair(
  pair: ArmPair,
  optionsOf: ReadonlyMap<string, ReadonlySet<string>>,
): DimensionPair & { readonly readLevel: ReadLevel } {
  const [from, to] = [pair.from.key, pair.to.key]
  const make = (dimension: string, readLevel: ReadLevel, context: Context) => ({
    ...pair,
    ...{ dimension, readLevel, context },
    levels: [readLevel(from), readLevel(to)] as const,
  })
  const { setting, options, model } = from
  if (model !== to.model) return make('model', key => key.model, { model: '', setting, options })
  if (setting === to.setting) {
    const [name = ''] = differingOptions(options, to.options)
    return make(name, key => key.options[name] ?? 'default', {
      model,
      setting,
      options: withoutOptions(options, [name]),
    })
  }
  const isShared = (name: string): boolean =>
    [from, to].every(key => optionsOf.get(key.setting)?.has(name) === true)
  const shared = Object.fromEntries(Object.entries(options).filter(([name]) => isShared(name)))
  const readLevel: ReadLevel = key =>
    settingLabel({
      setting: key.setting,
      options: withoutOptions(key.options, Object.keys(key.options).filter(isShared)),
    })
  return make('setting', readLevel, { model, setting: '', options: shared })
}

/**
 * Pools the differences along one dimension (the model, the setting or an option) over all combinations of the others, in the
 * primary metric over the tasks that all arms of both sides scored. Only complete designs with at least two combinations are
 * pooled: those in which both sides have an arm for each combination. The tests of a scoring are one family.
 */
export function pooledDifferences(entries: readonly Entry[], scorers: RunScorers): PooledDifference[] {
  const optionsOf = optionNamesBySetting(entries)
  const pairs = [...pairsOfModels(entries), ...pairsWithinModels(entries)]
    .filter(({ againstFirst }) => againstFirst)
    .map(pair => describePair(pair, optionsOf))
  const arms = groupByKey(entries)
  const pools = groupBy(pairs, ({ dimension, levels, to: { key } }) =>
    JSON.stringify([nameScoring(key), dimension, levels]),
  )
  const tested = [...pools.values()].flatMap(pool => {
    const { primary } = scoringMetrics(scorers, pool[0]!.to.key.scorer)
    return primary === null || pool.length < 2 || !isComplete(pool, arms) ? [] : testPool(pool, primary)
  })
  return [...groupBy(tested, nameScoring).values()].flatMap(family => correctFamily(family))
}

/** Whether every arm of both sides is in a pair. Settings that lack an option do not count for it. */
function isComplete(
  pool: readonly ReturnType<typeof describePair>[],
  arms: readonly KeyedEntries[],
): boolean {
  const {
    levels,
    readLevel,
    to: { key },
    dimension,
  } = pool[0]!
  const settings = new Set(pool.flatMap(({ from, to }) => [from.key.setting, to.key.setting]))
  const peers = arms.filter(arm => nameScoring(arm.key) === nameScoring(key))
  return levels.every(level => {
    const ofLevel = peers.filter(
      arm => readLevel(arm.key) === level && (dimension === 'model' || settings.has(arm.key.setting)),
    )
    return ofLevel.length === pool.length
  })
}

function testPool(
  pool: readonly DimensionPair[],
  metric: MetricDefinition,
): (Testable & Omit<PooledDifference, keyof FamilyFigures>)[] {
  const [first] = pool
  const [from, to] = pooledSides(pool, metric.key)
  const difference = pairedDifference(from, to, metric.range)
  if (difference === null) return []
  const { estimate, ...figures } = difference
  const {
    dimension,
    levels,
    to: {
      key: { scorer, judge },
    },
  } = first!
  return [
    {
      ...{
        dimension,
        from: levels[0],
        to: levels[1],
        combinations: pool.length,
        over: varyingDimensions(pool),
      },
      ...{ scorer, judge, metric: metric.key, ...figures },
      basis: { estimate, range: metric.range },
    },
  ]
}

/** Returns a value for each task that all arms scored, on both sides: the mean of the arms of the side. */
function pooledSides(pool: readonly DimensionPair[], key: string): [ClusteredValue[], ClusteredValue[]] {
  const clusters = ({ entries }: KeyedEntries) =>
    new Map(clustersOf(metricValues(entries, key)).map(cluster => [cluster.cluster, cluster]))
  const sides = (['from', 'to'] as const).map(side => pool.map(pair => clusters(pair[side])))
  const tasks = [...sides[0]![0]!.values()].filter(({ cluster }) =>
    sides.flat().every(arm => arm.has(cluster)),
  )
  const [from, to] = sides.map(arms =>
    tasks.map(({ cluster, component }) => ({
      ...{ cluster, component },
      value: meanOf(arms.map(arm => arm.get(cluster)!.mean)),
    })),
  )
  return [from!, to!]
}

/** Names the dimensions in which the pooled pairs differ: `model`, `setting` and names of options. */
function varyingDimensions(pool: readonly DimensionPair[]): string[] {
  const contexts = pool.map(({ context }) => context)
  const differs = (read: (context: Context) => string): boolean => new Set(contexts.map(read)).size > 1
  const names = [...new Set(contexts.flatMap(({ options }) => Object.keys(options)))]
  return [
    ...(['model', 'setting'] as const).filter(name => differs(context => context[name])),
    ...names.filter(name => differs(({ options }) => options[name] ?? '')),
  ]
}
