import { efficiencyOf, tokensOf } from './efficiency.ts'
import { byDomain, type Entry, groupByKey, hasUnknownLeaks, isScored } from './entries.ts'
import { columnRecallOf, meanOver, meanSpent, measure, type Pooling } from './measures.ts'
import { byMetric, type TableMetricKey, tableMetrics } from './metrics.ts'
import type { DiscoveryMeans, GroupKey, Measures, ReportGroup } from './report.ts'

/** The comparison: each key by domain, then over all tasks, then the mean of the domains' means. */
export function reportGroups(entries: readonly Entry[]): ReportGroup[] {
  return groupByKey(entries).flatMap(({ key, entries: own }) => [
    ...byDomain(own).map(([domain, group]) => reportGroup(key, domain, group, 'tasks')),
    reportGroup(key, 'all', own, 'tasks'),
    reportGroup(key, 'allByDomain', own, 'domains'),
  ])
}

/** The scores without attempts of the leak ledger; null where the group has none of those. */
function untaintedScores(entries: readonly Entry[], pooling: Pooling): ReportGroup['withoutTainted'] {
  const clean = entries.filter(entry => !entry.tainted)
  if (clean.length === entries.length) return null
  const measures = tableMetrics.map(({ key }) => [key, measure(clean, key, pooling)])
  return { n: clean.length, ...(Object.fromEntries(measures) as Pick<Measures, TableMetricKey>) }
}

/** Null where no leak is known and some attempts could not be searched for any, as their evidence is not known. */
function taintedCount(entries: readonly Entry[]): number | null {
  const tainted = entries.filter(entry => entry.tainted).length
  const isUnknown = entries.some(({ attempt }) => hasUnknownLeaks(attempt))
  return tainted === 0 && isUnknown ? null : tainted
}

function reportGroup(
  key: GroupKey,
  domain: string,
  entries: readonly Entry[],
  pooling: Pooling,
): ReportGroup {
  const scored = entries.filter(isScored)
  const over = (read: (entry: Entry) => number | null) => meanOver(entries, read, pooling)
  // A search that was broken off says nothing of what the agent finds.
  const discovery = discoveryMeans(key.profile === 'none' ? entries : scored, pooling)
  return {
    setting: key.setting,
    domain,
    model: key.model,
    variant: key.variant,
    profile: key.profile,
    judge: key.judge,
    tasks: new Set(entries.map(entry => entry.attempt.taskId)).size,
    n: entries.length,
    scored: scored.length,
    unscored: entries.length - scored.length,
    infrastructureFailures: scored.filter(entry => entry.score.infrastructureFailures > 0).length,
    ...byMetric(metric => measure(entries, metric, pooling)),
    tainted: taintedCount(entries),
    withoutTainted: untaintedScores(entries, pooling),
    schemaPrecision: over(entry => (isScored(entry) ? entry.score.schemaPrecision : null)),
    columnRecall: over(entry => (isScored(entry) ? columnRecallOf(entry.score) : null)),
    overall: over(entry => (isScored(entry) ? (entry.score.overall?.mean ?? null) : null)),
    discoveryRecall: discovery?.opened ?? null,
    discovery,
    evidenceRecall: evidenceRecallMeans(entries, pooling),
    evidenceInPrompt: over(entry => entry.attempt.retrieval?.evidenceInPrompt ?? null),
    coverage: over(entry => entry.attempt.retrieval?.coverage ?? null),
    noise: over(entry => entry.attempt.retrieval?.noise ?? null),
    tokens: meanSpent(entries, tokensOf, pooling),
    modelCalls: over(entry => entry.attempt.usage.modelCalls),
    searchCalls: over(entry => entry.attempt.usage.searchCalls),
    fetchCalls: over(entry => entry.attempt.usage.fetchCalls),
    wallMs: over(entry => entry.attempt.usage.wallMs),
    usd: meanSpent(entries, entry => entry.attempt.usage.usd, pooling),
    efficiency: efficiencyOf(entries, pooling),
  }
}

function discoveryMeans(entries: readonly Entry[], pooling: Pooling): DiscoveryMeans | null {
  if (entries.every(entry => entry.attempt.discovery === null)) return null
  const stage = (name: 'surfaced' | 'opened' | 'parsed' | 'used') =>
    meanOver(entries, entry => entry.attempt.discovery?.recall[name] ?? null, pooling)
  return {
    surfaced: stage('surfaced'),
    opened: stage('opened'),
    parsed: stage('parsed'),
    used: stage('used'),
    distractorsOpened: meanOver(
      entries,
      entry => entry.attempt.discovery?.distractorsOpened ?? null,
      pooling,
    ),
  }
}

function evidenceRecallMeans(entries: readonly Entry[], pooling: Pooling): Record<string, number> | null {
  const ks = new Set(entries.flatMap(entry => Object.keys(entry.attempt.retrieval?.evidenceRecall ?? {})))
  const means = [...ks]
    .sort((a, b) => Number(a) - Number(b))
    .flatMap(k => {
      const mean = meanOver(entries, entry => entry.attempt.retrieval?.evidenceRecall[k] ?? null, pooling)
      return mean === null ? [] : [[k, mean] as const]
    })
  return means.length === 0 ? null : Object.fromEntries(means)
}
