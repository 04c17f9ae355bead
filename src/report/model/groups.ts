import { type Attempt, hasChangedClock } from '../../core/attempt.ts'
import { answeredMetric, type MetricDefinition, successMetric } from '../../core/metric.ts'
import { correctItems, listItems, unratedItems } from '../../core/score-items.ts'
import type { ScoreLimits } from '../../core/score-limits.ts'
import { computeMean } from '../../score/statistics/clusters.ts'
import { listArms, type ReportArms } from './arms.ts'
import { type Entry, groupByDomain, groupByKey, hasUnknownLeaks, isScored } from './entries.ts'
import {
  listMetricValues,
  meanBounds,
  meanOver,
  meanSpent,
  measure,
  type Pooling,
  readMetric,
  unknownMeasure,
} from './measures.ts'
import { listScoringMetrics, type RunScorers, type ScoringMetrics } from './metrics.ts'
import type {
  DiscoveryMeans,
  Efficiency,
  GroupKey,
  JudgedMeans,
  Measure,
  MetricSummary,
  ReportGroup,
} from './report-group.ts'

/** Summarises each arm and scoring: by domain, over all tasks, and as the mean of the domains' means. */
export function reportGroups(
  entries: readonly Entry[],
  scorers: RunScorers,
  arms: ReportArms = listArms(entries),
): ReportGroup[] {
  return groupByKey(entries).flatMap(({ key, entries: armEntries }) => {
    const metrics = listScoringMetrics(scorers, key.scorer)
    const arm = arms.idOf(key)
    return [
      ...groupByDomain(armEntries).map(([domain, group]) =>
        reportGroup({ key, arm, domain, metrics }, group, 'tasks'),
      ),
      reportGroup({ key, arm, domain: 'all', metrics }, armEntries, 'tasks'),
      reportGroup({ key, arm, domain: 'allByDomain', metrics }, armEntries, 'domains'),
    ]
  })
}

type Summaries = Readonly<Record<string, MetricSummary>>

/** Summarises every metric of the scoring: with interval and bounds for scores, as a mean for companions. */
function summariseMetrics(
  entries: readonly Entry[],
  { all: allMetrics, compared }: ScoringMetrics,
  pooling: Pooling,
): Summaries {
  const summaryOf = (metric: MetricDefinition): MetricSummary => {
    const values = listMetricValues(entries, metric.key)
    const isCompared = compared.includes(metric)
    const mean = isCompared ? null : meanOver(entries, readOptionValue(metric.key), pooling)
    return {
      ...(isCompared
        ? measure(entries, metric, pooling)
        : { ...unknownMeasure, mean, bounds: meanBounds(entries, metric.key, pooling) }),
      n: values.length,
      components: new Set(values.map(({ component }) => component)).size,
      ...scaleOf(entries, metric, pooling),
    }
  }
  return Object.fromEntries(allMetrics.map(metric => [metric.key, summaryOf(metric)]))
}

/** Averages floor, ceiling and given keys over the tasks with a value of the metric. */
function scaleOf(
  entries: readonly Entry[],
  { key, role }: MetricDefinition,
  pooling: Pooling,
): Pick<MetricSummary, 'floor' | 'ceiling' | 'keysGiven'> {
  const withValue = entries.filter(entry => readMetric(entry, key) !== null)
  const meanOfAll = (readLimit: (limits: ScoreLimits) => number | null | undefined): number | null => {
    const limitOf = ({ limits }: Entry): number | null =>
      limits === null ? null : (readLimit(limits) ?? null)
    return withValue.some(entry => limitOf(entry) === null) ? null : meanOver(withValue, limitOf, pooling)
  }
  const floor = meanOfAll(limits => limits.floor?.[key])
  const ceiling = meanOfAll(limits => limits.ceiling?.[key])
  const keysGiven =
    role === 'score' && floor !== null && floor === ceiling ? meanOfAll(limits => limits.keysGiven) : null
  return {
    ...(floor === null ? {} : { floor }),
    ...(ceiling === null ? {} : { ceiling }),
    ...(keysGiven === null ? {} : { keysGiven }),
  }
}

const readOptionValue =
  (key: string) =>
  (entry: Entry): number | null =>
    readMetric(entry, key)

/** Returns the shares that every scoring has. */
function measureOutcomes(summaries: Summaries): { answered: Measure; success: Measure } {
  const measureOf = (key: string): Measure => {
    const { n: _, components: __, ...share } = summaries[key] ?? { ...unknownMeasure, n: 0, components: 0 }
    return share
  }
  return { answered: measureOf(answeredMetric.key), success: measureOf(successMetric.key) }
}

/** Computes the scores without the attempts of the leak ledger. Returns null when the group has no such attempts. */
function selectUntainted(
  entries: readonly Entry[],
  metrics: ScoringMetrics,
  pooling: Pooling,
): ReportGroup['withoutTainted'] {
  const clean = entries.filter(entry => !entry.tainted)
  if (clean.length === entries.length) return null
  const summaries = Object.fromEntries(
    metrics.compared.map(metric => [metric.key, measure(clean, metric, pooling)]),
  )
  return { n: clean.length, metrics: summaries }
}

interface GroupNames {
  readonly key: GroupKey
  /** The id of the arm. */
  readonly arm: string
  readonly domain: string
  readonly metrics: ScoringMetrics
}

/** Counts attempts in the leak ledger. Returns null when there are none but some attempts could not be checked. */
function countTainted(entries: readonly Entry[]): number | null {
  const tainted = entries.filter(entry => entry.tainted).length
  const isUnknown = entries.some(({ attempt }) => hasUnknownLeaks(attempt))
  return tainted === 0 && isUnknown ? null : tainted
}

function reportGroup(
  { key, arm, domain, metrics }: GroupNames,
  entries: readonly Entry[],
  pooling: Pooling,
): ReportGroup {
  const summaries = summariseMetrics(entries, metrics, pooling)
  const scored = entries.filter(isScored)
  const scorerFailures = entries.filter(({ score }) => score?.cause === 'scorer').length
  const lackedDocuments = entries.filter(({ score }) => score?.cause === 'documents').length
  const endedByRunBudget = entries.filter(({ score }) => score?.cause === 'run-budget').length
  const missingScores = entries.filter(({ score }) => score === null).length
  const over = (readValue: (entry: Entry) => number | null) => meanOver(entries, readValue, pooling)
  // Unscored attempts were interrupted, so what they found says little about the agent.
  const discovery = averageDiscovery(key.scorer === 'none' ? entries : scored, pooling)
  return {
    ...measureOutcomes(summaries),
    metrics: summaries,
    setting: key.setting,
    domain,
    arm,
    model: key.model,
    options: key.options,
    scorer: key.scorer,
    judge: key.judge,
    tasks: new Set(entries.map(entry => entry.attempt.taskId)).size,
    n: entries.length,
    scored: scored.length,
    unscored: entries.length - scored.length,
    ...(scorerFailures > 0 ? { scorerFailures } : {}),
    items: scored.reduce(
      (sum, { score }) => sum + listItems(score).length + (score.counts.unscoredTurns ?? 0),
      0,
    ),
    unratedItems: scored.reduce((sum, { score }) => sum + unratedItems(score), 0),
    ...(lackedDocuments > 0 ? { lackedDocuments } : {}),
    ...(endedByRunBudget > 0 ? { endedByRunBudget } : {}),
    ...(missingScores > 0 && key.scorer !== 'none' ? { missingScores } : {}),
    infrastructureFailures: scored.filter(entry => entry.score.infrastructureFailures > 0).length,
    tainted: countTainted(entries),
    withoutTainted: selectUntainted(entries, metrics, pooling),
    discoveryRecall: discovery?.opened ?? null,
    discovery,
    evidenceRecall: averageEvidenceRecall(entries, pooling),
    evidenceInPrompt: over(entry => entry.attempt.retrieval?.evidenceInPrompt ?? null),
    coverage: over(entry => entry.attempt.retrieval?.coverage ?? null),
    noise: over(entry => entry.attempt.retrieval?.noise ?? null),
    tokens: meanSpent(entries, countBilledTokens, pooling),
    modelCalls: over(entry => entry.attempt.usage.modelCalls),
    searchCalls: over(entry => entry.attempt.usage.searchCalls),
    fetchCalls: over(entry => entry.attempt.usage.fetchCalls),
    wallMs: over(entry => (hasChangedClock(entry.attempt) ? null : entry.attempt.usage.wallMs)),
    usd: meanSpent(entries, entry => entry.attempt.usage.usd, pooling),
    efficiency: measureEfficiency(entries, pooling),
  }
}

function averageDiscovery(entries: readonly Entry[], pooling: Pooling): DiscoveryMeans | null {
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
    judged: averageJudged(entries, pooling),
  }
}

const [evidenceRelevance, goldRelevance] = [1, 2]

function averageJudged(entries: readonly Entry[], pooling: Pooling): DiscoveryMeans['judged'] {
  const judgedOf = ({ attempt }: Entry, least: number) =>
    attempt.discovery?.hints.filter(({ relevance = 0 }) => relevance >= least) ?? []
  if (entries.every(entry => judgedOf(entry, evidenceRelevance).length === 0)) return null
  const means = (least: number): JudgedMeans => {
    const share = (stage: 'openedStep' | 'surfacedStep') =>
      meanOver(
        entries,
        entry => {
          const judged = judgedOf(entry, least)
          if (judged.length === 0) return null
          return judged.filter(hint => hint[stage] !== null).length / judged.length
        },
        pooling,
      )
    return { surfaced: share('surfacedStep'), opened: share('openedStep') }
  }
  return { evidence: means(evidenceRelevance), gold: means(goldRelevance) }
}

function averageEvidenceRecall(entries: readonly Entry[], pooling: Pooling): Record<string, number> | null {
  const ks = new Set(entries.flatMap(entry => Object.keys(entry.attempt.retrieval?.evidenceRecall ?? {})))
  const means = [...ks]
    .sort((a, b) => Number(a) - Number(b))
    .flatMap(k => {
      const mean = meanOver(entries, entry => entry.attempt.retrieval?.evidenceRecall[k] ?? null, pooling)
      return mean === null ? [] : [[k, mean] as const]
    })
  return means.length === 0 ? null : Object.fromEntries(means)
}

/** Returns the billed input and output tokens of an attempt, or null when either is unknown. */
export function countBilledTokens({ attempt }: { readonly attempt: Attempt }): number | null {
  const { inputTokens, outputTokens } = attempt.usage
  return inputTokens === null || outputTokens === null ? null : inputTokens + outputTokens
}

function countCorrectCells(entry: Entry): number | null {
  return isScored(entry) ? correctItems(entry.score) : null
}

/** Returns spending per correct item. Pooled by domain, it is null when the value of any domain is unknown. */
function averagePerCell(
  entries: readonly Entry[],
  readValue: (entry: Entry) => number | null,
  pooling: Pooling,
): number | null {
  if (pooling === 'tasks') return averageSpentPerCell(entries, readValue)
  const domainValues = groupByDomain(entries.filter(isScored)).map(([, group]) =>
    averageSpentPerCell(group, readValue),
  )
  const knownValues = domainValues.filter(value => value !== null)
  return domainValues.length === 0 || knownValues.length < domainValues.length
    ? null
    : computeMean(knownValues)
}

/** Divides what the scored attempts spent by their correct items. Returns null without any correct item. */
function averageSpentPerCell(
  entries: readonly Entry[],
  readValue: (entry: Entry) => number | null,
): number | null {
  const scored = entries.filter(isScored)
  const correct = scored.reduce((sum, entry) => sum + (countCorrectCells(entry) ?? 0), 0)
  if (correct === 0) return null
  let spent = 0
  for (const entry of scored) {
    const value = readValue(entry)
    if (value === null) return null
    spent += value
  }
  return spent / correct
}

/** Providers leave out cached tokens when there are none, so the mean is null only when no attempt reports any. */
function meanCachedTokens(entries: readonly Entry[], pooling: Pooling): number | null {
  const named = entries.some(entry => entry.attempt.usage.cachedInputTokens !== null)
  const countCachedTokens = ({ attempt: { usage } }: Entry): number | null =>
    usage.inputTokens === null ? null : (usage.cachedInputTokens ?? 0)
  return named ? meanOver(entries, countCachedTokens, pooling) : null
}

/** Computes where the tokens, time and money of these attempts went. */
function measureEfficiency(entries: readonly Entry[], pooling: Pooling): Efficiency {
  const over = (readValue: (entry: Entry) => number | null) => meanOver(entries, readValue, pooling)
  const spent = (readValue: (entry: Entry) => number | null) => meanSpent(entries, readValue, pooling)
  const perCell = (readValue: (entry: Entry) => number | null) => averagePerCell(entries, readValue, pooling)
  return {
    inputTokens: spent(entry => entry.attempt.usage.inputTokens),
    cachedInputTokens: meanCachedTokens(entries, pooling),
    outputTokens: spent(entry => entry.attempt.usage.outputTokens),
    workingMs: over(entry => entry.attempt.usage.workingMs),
    usdModel: spent(entry => entry.attempt.usage.usdModel),
    usdSearch: spent(entry => entry.attempt.usage.usdSearch),
    usdFetch: spent(entry => entry.attempt.usage.usdFetch),
    usdJudge: spent(entry => entry.score?.judgeUsage.usd ?? null),
    correctCells: over(countCorrectCells),
    tokensPerCorrectCell: perCell(countBilledTokens),
    usdPerCorrectCell: perCell(entry => entry.attempt.usage.usd),
    wallMsPerCorrectCell: perCell(entry =>
      hasChangedClock(entry.attempt) ? null : entry.attempt.usage.wallMs,
    ),
  }
}
