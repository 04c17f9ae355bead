import { type ArmOptions, areSameOptions, withoutOptions } from '../../core/arm.ts'
import { groupBy } from '../../core/group-by.ts'
import type { MetricDefinition } from '../../core/metric.ts'
import { computePairedDifference } from '../../score/statistics/paired-difference.ts'
import { type Entry, groupByDomain, groupByKey } from './entries.ts'
import { averageClusters, listMetricValues } from './measures.ts'
import { listScoringMetrics, type RunScorers } from './metrics.ts'
import type { GroupKey } from './report-group.ts'
import type { ArmDifference, DegradationRow } from './report-rows.ts'

/** Options that only rag has. A rag arm is compared with the offline arm that has the other options. */
const ragOptions = ['retriever', 'embedder', 'vector-store', 'rag-query', 'context-tokens', 'control']

interface Arms {
  readonly offline: readonly Entry[]
  readonly rag: readonly Entry[]
  readonly oracle: readonly Entry[] | null
  readonly random: readonly Entry[] | null
}

/** Whether an offline arm has the same options as a rag arm, apart from those that only rag has. */
export function isOfflineCounterpart(offline: ArmOptions, rag: ArmOptions): boolean {
  return areSameOptions(offline, withoutOptions(rag, ragOptions))
}

/** Compares each rag arm with the offline arm of the same model and options, and with its controls if they ran. */
export function listDegradationRows(entries: readonly Entry[], scorers: RunScorers): DegradationRow[] {
  const families = groupBy(groupByKey(entries), ({ key }) =>
    JSON.stringify([key.scorer, key.judge, key.model]),
  )
  return [...families.values()].flatMap(family => {
    const find = (setting: string, fits: (options: ArmOptions) => boolean): readonly Entry[] | null =>
      family.find(({ key }) => key.setting === setting && fits(key.options))?.entries ?? null
    return family.flatMap(({ key, entries: rag }) => {
      if (key.setting !== 'rag' || 'control' in key.options) return []
      const offline = find('offline', options => isOfflineCounterpart(options, key.options))
      if (offline === null) return []
      const control = (name: string) =>
        find('rag', options => areSameOptions(options, { ...key.options, control: name }))
      const arms = { offline, rag, oracle: control('oracle'), random: control('random') }
      return listArmRows(key, arms, listScoringMetrics(scorers, key.scorer).compared)
    })
  })
}

function listArmRows(key: GroupKey, arms: Arms, metrics: readonly MetricDefinition[]): DegradationRow[] {
  const domains = groupByDomain(arms.rag).map(([domain]) => domain)
  return [...domains, 'all'].flatMap(domain => {
    const within = (entries: readonly Entry[] | null): readonly Entry[] | null =>
      entries?.filter(entry => domain === 'all' || entry.attempt.domain === domain) ?? null
    const domainArms: Arms = {
      offline: within(arms.offline) ?? [],
      rag: within(arms.rag) ?? [],
      oracle: within(arms.oracle),
      random: within(arms.random),
    }
    return metrics.flatMap(metric => {
      const row = makeLossRow(key, domain, metric, domainArms)
      return row ?? []
    })
  })
}

/** Compares the arms over the tasks that all of them have a score for, so that the partial differences add up. */
function makeLossRow(
  key: GroupKey,
  domain: string,
  metric: MetricDefinition,
  arms: Arms,
): DegradationRow | null {
  const present = [arms.offline, arms.rag, arms.oracle, arms.random].filter(arm => arm !== null)
  const scored = present.map(arm => new Set(listMetricValues(arm, metric.key).map(({ cluster }) => cluster)))
  const shared = new Set([...scored[0]!].filter(task => scored.every(tasks => tasks.has(task))))
  const values = (arm: readonly Entry[] | null) =>
    arm === null ? null : listMetricValues(arm, metric.key).filter(({ cluster }) => shared.has(cluster))
  const [offline, rag, oracle, random] = [arms.offline, arms.rag, arms.oracle, arms.random].map(values)
  const mean = (arm: typeof rag): number | null => (arm ? averageClusters(arm) : null)
  const less = (from: typeof rag, subtracted: typeof rag): ArmDifference | null => {
    // A loss is positive, even for a metric where lower is better.
    const [before, after] = metric.better === 'higher' ? [subtracted, from] : [from, subtracted]
    const difference = before && after ? computePairedDifference(before, after, metric.range) : null
    if (difference === null) return null
    const { n: _, estimate: __, ...armDifference } = difference
    return armDifference
  }
  const [offlineMean, ragMean, total] = [mean(offline), mean(rag), less(offline, rag)]
  if (offlineMean === null || ragMean === null || total === null) return null
  const { model, scorer, judge, options } = key
  return {
    domain,
    model,
    scorer,
    judge,
    options,
    metric: metric.key,
    n: shared.size,
    offline: offlineMean,
    rag: ragMean,
    oracle: mean(oracle),
    random: mean(random),
    total,
    lessContext: less(offline, oracle),
    retrieval: less(oracle, rag),
    earned: less(rag, random),
  }
}
