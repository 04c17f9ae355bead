import type { MetricValues } from '../../core/metric.ts'

/**
 * Names that `report --json` and progress events have had since the first version, when there were two scorers. Readers
 * rely on them, so they are always there: null where a scorer has no such metric.
 */
const firstMeasures = ['passRate', 'rowF1', 'cellF1', 'fieldPassRate'] as const
const firstMeans = ['schemaPrecision', 'columnRecall', 'overall'] as const

/** Fields of a group whose values have an interval. */
export type FirstMeasures<M> = Readonly<Record<(typeof firstMeasures)[number], M>>
/** Fields of a group that are means. */
export type FirstMeans = Readonly<Record<(typeof firstMeans)[number], number | null>>

/** The first fields of a group that have an interval, each unknown. */
export function firstMeasureFields<M>(unknown: M): FirstMeasures<M> {
  return Object.fromEntries(firstMeasures.map(key => [key, unknown])) as FirstMeasures<M>
}

/** The first fields of a group that are means, each unknown. */
export function firstMeanFields(): FirstMeans {
  return Object.fromEntries(firstMeans.map(key => [key, null])) as FirstMeans
}

/** The names of a metric in rows and curves: its key and, of `answered`, the first versions' name. */
export function namesInRows(key: string): readonly string[] {
  return key === 'answered' ? [key, 'passRate'] : [key]
}

/** The key of a metric by any name that it has in rows and options. */
export function metricKeyOf(name: string): string {
  return name === 'passRate' ? 'answered' : name
}

/** The metrics that a progress event and an explained attempt name. */
export interface FirstScores {
  readonly cellF1: number | null
  readonly fieldsPassed: number | null
}

/** The same for a progress event, which has `fieldsPassed` only where there is a value. */
export function firstEventScores(metrics: MetricValues): Partial<FirstScores> & Pick<FirstScores, 'cellF1'> {
  const { cellF1, fieldsPassed } = firstScores(metrics)
  return fieldsPassed === null ? { cellF1 } : { cellF1, fieldsPassed }
}

/** The values of one attempt under the names of the first versions. */
export function firstScores({ cellF1 = null, fieldPassRate = null }: MetricValues): FirstScores {
  return { cellF1, fieldsPassed: fieldPassRate }
}

/** The mean of the primary metric over the attempts of a termination: `meanCellF1`. */
export interface PrimaryMeans {
  readonly [field: `mean${string}`]: number | null
  readonly meanCellF1: number | null
}

/** The field of a metric's mean in rows of terminations. */
export function meanField(key: string): `mean${string}` {
  return `mean${key.charAt(0).toUpperCase()}${key.slice(1)}`
}

/** The mean of a scoring's primary metric as fields of a row; `meanCellF1` is always there. */
export function primaryMeans(key: string | null, mean: number | null): PrimaryMeans {
  return { meanCellF1: null, ...(key === null ? {} : { [meanField(key)]: mean }) }
}

/** Tables of a benchmark that every report has: empty in a run without attempts of that benchmark. */
export interface FirstTables<Row> {
  readonly extraction: readonly Row[]
}

export function firstTables<Row>(): FirstTables<Row> {
  return { extraction: [] }
}
