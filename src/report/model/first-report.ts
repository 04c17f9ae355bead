import type { MetricValues } from '../../core/metric.ts'

/**
 * Fields that `report --json` and progress events have had since the first version, which had two scorers. Scripts rely
 * on them, so they are always present. They are null when the scorer has no such metric.
 */
const firstMeasures = ['passRate', 'rowF1', 'cellF1', 'fieldPassRate'] as const
const firstMeans = ['schemaPrecision', 'columnRecall', 'overall'] as const

/** The fields of a group that are measures with an interval. */
export type FirstMeasures<M> = Readonly<Record<(typeof firstMeasures)[number], M>>
/** The fields of a group that are means. */
export type FirstMeans = Readonly<Record<(typeof firstMeans)[number], number | null>>

/** Returns the measures of a group, each set to `unknown`. */
export function firstMeasureFields<M>(unknown: M): FirstMeasures<M> {
  return Object.fromEntries(firstMeasures.map(key => [key, unknown])) as FirstMeasures<M>
}

/** Returns the means of a group, each set to null. */
export function firstMeanFields(): FirstMeans {
  return Object.fromEntries(firstMeans.map(key => [key, null])) as FirstMeans
}

/** Returns the names of a metric in rows and curves: its key and, for `answered`, also the older name `passRate`. */
export function namesInRows(key: string): readonly string[] {
  return key === 'answered' ? [key, 'passRate'] : [key]
}

/** Returns the key of a metric, given any name that it has in rows and options. */
export function metricKeyOf(name: string): string {
  return name === 'passRate' ? 'answered' : name
}

/** The metrics that progress events and explained attempts contain. */
export interface FirstScores {
  readonly cellF1: number | null
  readonly fieldsPassed: number | null
}

/** Returns the metrics of a progress event, which contains `fieldsPassed` only when there is a value. */
export function firstEventScores(metrics: MetricValues): Partial<FirstScores> & Pick<FirstScores, 'cellF1'> {
  const { cellF1, fieldsPassed } = firstScores(metrics)
  return fieldsPassed === null ? { cellF1 } : { cellF1, fieldsPassed }
}

/** Returns the metrics of one attempt under the names of the first version. */
export function firstScores({ cellF1 = null, fieldPassRate = null }: MetricValues): FirstScores {
  return { cellF1, fieldsPassed: fieldPassRate }
}

/** The mean of the primary metric over attempts that ended for one reason, such as `meanCellF1`. */
export interface PrimaryMeans {
  readonly [field: `mean${string}`]: number | null
  readonly meanCellF1: number | null
}

/** Returns the name of the field that contains a metric's mean in rows of terminations. */
export function meanField(key: string): `mean${string}` {
  return `mean${key.charAt(0).toUpperCase()}${key.slice(1)}`
}

/** Returns the mean of a scoring's primary metric as fields of a row. `meanCellF1` is always present. */
export function primaryMeans(key: string | null, mean: number | null): PrimaryMeans {
  return { meanCellF1: null, ...(key === null ? {} : { [meanField(key)]: mean }) }
}

/** Rows of a benchmark's table that every report contains. Empty when the run has no attempts of that benchmark. */
export interface FirstTables<Row> {
  readonly extraction: readonly Row[]
}

/** Returns empty rows for the tables that every report contains. */
export function firstTables<Row>(): FirstTables<Row> {
  return { extraction: [] }
}
