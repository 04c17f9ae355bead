import { pairedDifference } from '../../score/statistics/paired-difference.ts'
import { modelCell, modelColumn } from '../tables/group-columns.ts'
import { percent, signedPercent } from '../tables/numbers.ts'
import { domainName, left, type ReportTable, right, scoringOf, scorings } from '../tables/report-table.ts'
import { modelNaming } from './arm-names.ts'
import { byDomain, compareText, type Entry, groupBy, groupByKey } from './entries.ts'
import { bootstrapSeed, clusteredMean, type Metric, metricValues } from './measures.ts'
import type { ArmDifference, DegradationRow, GroupKey } from './report.ts'

const metrics: readonly Metric[] = ['cellF1', 'rowF1', 'passRate', 'fieldPassRate']
/** Options that only rag has: an offline variant is its partner without them. */
const ragOptions = new Set([
  'retriever',
  'embedder',
  'vector-store',
  'rag-query',
  'context-tokens',
  'control',
])

interface Arms {
  readonly offline: readonly Entry[]
  readonly rag: readonly Entry[]
  readonly oracle: readonly Entry[] | null
  readonly random: readonly Entry[] | null
}

function without(variant: string, dropped: (name: string) => boolean): string {
  return variant
    .split(',')
    .filter(part => part !== '' && !dropped(part.split('=')[0] ?? part))
    .join(',')
}

/** Whether an offline variant is what a rag variant is compared with: the same but for what only rag has. */
export function isOfflineOf(offline: string, rag: string): boolean {
  return sameOptions(
    offline,
    without(rag, name => ragOptions.has(name)),
  )
}

/** Each rag variant beside the offline one of the same model and options, and its controls where they were run. */
export function degradationRows(entries: readonly Entry[]): DegradationRow[] {
  const families = groupBy(groupByKey(entries), ({ key }) =>
    JSON.stringify([key.profile, key.judge, key.model]),
  )
  return [...families.values()].flatMap(family => {
    const find = (setting: string, fits: (variant: string) => boolean): readonly Entry[] | null =>
      family.find(({ key }) => key.setting === setting && fits(key.variant))?.entries ?? null
    return family.flatMap(({ key, entries: rag }) => {
      if (key.setting !== 'rag' || /(?:^|,)control=/.test(key.variant)) return []
      const offline = find('offline', variant => isOfflineOf(variant, key.variant))
      if (offline === null) return []
      const control = (name: string) =>
        find('rag', variant => sameOptions(variant, `${key.variant},control=${name}`))
      return rowsOf(key, { offline, rag, oracle: control('oracle'), random: control('random') })
    })
  })
}

function sameOptions(a: string, b: string): boolean {
  const sorted = (variant: string): string =>
    variant
      .split(',')
      .filter(part => part !== '')
      .sort(compareText)
      .join(',')
  return sorted(a) === sorted(b)
}

function rowsOf(key: GroupKey, arms: Arms): DegradationRow[] {
  const domains = byDomain(arms.rag).map(([domain]) => domain)
  return [...domains, 'all'].flatMap(domain => {
    const within = (entries: readonly Entry[] | null): readonly Entry[] | null =>
      entries?.filter(entry => domain === 'all' || entry.attempt.domain === domain) ?? null
    const some: Arms = {
      offline: within(arms.offline) ?? [],
      rag: within(arms.rag) ?? [],
      oracle: within(arms.oracle),
      random: within(arms.random),
    }
    return metrics.flatMap(metric => rowOf(key, domain, metric, some) ?? [])
  })
}

/** Over the tasks that every arm has a score of, so that the parts add up to the whole. */
function rowOf(key: GroupKey, domain: string, metric: Metric, arms: Arms): DegradationRow | null {
  const present = [arms.offline, arms.rag, arms.oracle, arms.random].filter(arm => arm !== null)
  const scored = present.map(arm => new Set(metricValues(arm, metric).map(({ cluster }) => cluster)))
  const shared = new Set([...scored[0]!].filter(task => scored.every(tasks => tasks.has(task))))
  const values = (arm: readonly Entry[] | null) =>
    arm === null ? null : metricValues(arm, metric).filter(({ cluster }) => shared.has(cluster))
  const [offline, rag, oracle, random] = [arms.offline, arms.rag, arms.oracle, arms.random].map(values)
  const mean = (arm: typeof rag): number | null => (arm ? clusteredMean(arm) : null)
  const less = (from: typeof rag, taken: typeof rag): ArmDifference | null => {
    const found = from && taken ? pairedDifference(taken, from, bootstrapSeed) : null
    return found && { mean: found.mean, low: found.low, high: found.high, pValue: found.pValue }
  }
  const [offlineMean, ragMean, total] = [mean(offline), mean(rag), less(offline, rag)]
  if (offlineMean === null || ragMean === null || total === null) return null
  const { model, profile, judge, variant } = key
  return {
    domain,
    model,
    profile,
    judge,
    variant,
    metric,
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

/** The paper's Table 6 marks changes beyond two points; 0.52 - 0.5 is by a rounding more than 0.02. */
const arrowAbove = 0.02 + 1e-9

/** `34.4↑`: a mean against the offline one, with an arrow where they differ by more than two points. */
function withArrow(mean: number | null, offline: number): string {
  if (mean === null || Math.abs(mean - offline) <= arrowAbove) return percent(mean)
  return `${percent(mean)}${mean > offline ? '↑' : '↓'}`
}

function differenceText(difference: ArmDifference | null): string {
  if (difference === null) return percent(null)
  const { mean, low, high } = difference
  const interval = low === null || high === null ? '' : ` [${signedPercent(low)}, ${signedPercent(high)}]`
  return signedPercent(mean) + interval
}

/** Cell F1 of the arms, each with its arrow against offline, and what lies between them. */
export function degradationTables(report: {
  readonly degradation: readonly DegradationRow[]
}): ReportTable[] {
  const all = report.degradation.filter(row => row.metric === 'cellF1' || row.metric === 'fieldPassRate')
  const models = modelNaming(all)
  return scorings(all).map(scoring => {
    const rows = all.filter(row => scoringOf(row) === scoring)
    const shown = (['oracle', 'random'] as const).filter(arm => rows.some(row => row[arm] !== null))
    const what = rows.some(row => row.metric === 'cellF1') ? 'cell F1' : 'fields passed'
    return {
      title: `What RAG loses, taken apart: ${what} (${scoring})`,
      columns: [
        left('domain'),
        ...modelColumn(models),
        left('rag'),
        right('n'),
        right('offline'),
        right('rag'),
        ...shown.map(arm => right(arm)),
        right('offline - rag'),
        ...(shown.includes('oracle') ? [right('offline - oracle'), right('oracle - rag')] : []),
        ...(shown.includes('random') ? [right('rag - random')] : []),
      ],
      rows: rows.map(row => [
        domainName(row.domain),
        ...modelCell(row.model, models),
        row.variant === '' ? 'defaults' : row.variant,
        String(row.n),
        percent(row.offline),
        withArrow(row.rag, row.offline),
        ...shown.map(arm => withArrow(row[arm], row.offline)),
        differenceText(row.total),
        ...(shown.includes('oracle') ? [differenceText(row.lessContext), differenceText(row.retrieval)] : []),
        ...(shown.includes('random') ? [differenceText(row.earned)] : []),
      ]),
      remarks: [
        'Percent, over the n tasks scored in every arm, trials averaged within a task first; brackets: 95% bootstrap over tasks; an arrow: more than 2 points from offline.',
        ...(shown.includes('oracle')
          ? ['offline - oracle: what less context alone costs; oracle - rag: what retrieval costs.']
          : []),
        ...(shown.includes('random')
          ? ['rag - random: what retrieval earns over chunks drawn at random.']
          : []),
      ],
    }
  })
}
