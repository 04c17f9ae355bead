import type { Arm } from '../../core/arm.ts'
import type { MetricDefinition } from '../../core/metric.ts'
import { column, type MeasuredCell, type ReadColumn } from '../../core/table.ts'
import type { ReportGroup } from '../model/report-group.ts'
import { breakHead, formatMetricHead, type Measurement, shortenHead, type WithUnit } from './value-text.ts'

/** Writes the name of a facet in words: `task type` for `taskType`. */
export function nameFacet(facet: string): string {
  return facet.replace(/(?<=[a-z0-9])[A-Z]/g, letter => ` ${letter.toLowerCase()}`)
}

/** Returns the name of a facet for several values. Names that end in `s`, such as `shots`, stay the same. */
export function nameFacets(facet: string): string {
  const name = nameFacet(facet)
  return name.endsWith('s') ? name : `${name}s`
}

/** Names the domain of a row: a value of the facet, all tasks, or the mean of the values' means. */
export function nameDomain(domain: string, facet: string): string {
  if (domain === 'all') return 'all tasks'
  if (domain === 'common') return 'common tasks'
  if (domain === 'commonByDomain') return `mean of ${nameFacets(facet)}, common tasks`
  return domain === 'allByDomain' ? `mean of ${nameFacets(facet)}` : domain
}

/** Sorts groups by domain, with the pooled ones last, so that the arms of a domain are next to each other. */
export function sortForReading<T extends { readonly domain: string }>(groups: readonly T[]): T[] {
  const domains = [...new Set(groups.map(group => group.domain))]
  const pooled = ['common', 'commonByDomain', 'all', 'allByDomain']
  const order = [...domains.filter(domain => !pooled.includes(domain)), ...pooled]
  return [...groups].sort((a, b) => order.indexOf(a.domain) - order.indexOf(b.domain))
}

/** Creates the column with the value of the facet of a row. */
export function makeFacetColumn<Row extends { readonly domain: string }>(facet: string): ReadColumn<Row> {
  return column(nameFacet(facet), 'text', row => nameDomain(row.domain, facet))
}

/** Creates the column of models. */
export function makeModelColumn<Row extends { readonly model: string }>(): ReadColumn<Row> {
  return column('model', 'model', row => row.model)
}

/** Creates the column with the setting and the options of an arm. */
export function makeSettingColumn<Row extends Omit<Arm, 'model'>>(): ReadColumn<Row> {
  return column('setting', 'arm', ({ setting, options }) => ({ setting, options }))
}

/** Creates the columns that name a row: the value of the facet, the arm, and n. */
export function groupColumns<Row extends Arm & { readonly domain: string; readonly n: number }>(
  facet: string,
): ReadColumn<Row>[] {
  return [makeFacetColumn(facet), makeModelColumn(), makeSettingColumn(), column('n', 'count', row => row.n)]
}

/** Returns the cell of a measured metric; null when it is not known. */
export function measureCell({ unit }: WithUnit, measure: Measurement | undefined): MeasuredCell | null {
  if (measure === undefined) return null
  const { mean, low = null, high = null, bounds = null, unseenShare } = measure
  return {
    unit,
    mean,
    ...(low === null || high === null ? {} : { low, high }),
    ...(bounds ? { bounds } : {}),
    ...(unseenShare === undefined ? {} : { unseenShare }),
  }
}

interface MetricColumnChoice {
  readonly isPrimary?: boolean
  readonly isNarrow?: boolean
  readonly isDetail?: boolean
}

/** Creates the column of a metric of groups: with its interval if it is the primary one. */
export function makeMetricColumn(
  metric: MetricDefinition,
  { isPrimary = false, isNarrow = false, isDetail = false }: MetricColumnChoice = {},
): ReadColumn<ReportGroup> {
  const head = formatMetricHead(metric)
  const mainHead = isPrimary ? `${head} [95%]` : isNarrow ? shortenHead(breakHead(head)) : breakHead(head)
  return column(
    metric.label,
    isPrimary ? 'interval' : 'mean',
    group => measureCell(metric, group.metrics[metric.key]),
    // The head of a detail is the whole label.
    isDetail ? { detail: true } : { head: mainHead },
  )
}
