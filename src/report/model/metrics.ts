import type { Score } from '../../core/score.ts'

/** What a scoring reads: a table, or JSON. */
export type AnswerKind = 'table' | 'json'
const answerKinds: readonly AnswerKind[] = ['table', 'json']

/** What is measured of a scored attempt, as data: every report iterates over these. */
export interface MetricEntry {
  /** The field's name in `report --json`, and the name that options take. */
  readonly key: string
  /** In the layouts of published tables and in figures. */
  readonly label: string
  /** In rows and remarks of tables. */
  readonly short: string
  /** A number of 0 to 1, printed as percent. */
  readonly unit: 'share'
  readonly better: 'higher'
  /** Whether an answer could be read, or how good it is. */
  readonly role: 'answered' | 'score'
  /** The score that its kind of answer is about: each kind has one. */
  readonly primary: boolean
  readonly description: string
  /** Null where the score does not have it. */
  of(score: Score): number | null
  /** The kinds of answers that have it, with the heads of its column: in full tables and in the short summary. */
  readonly appliesTo: Readonly<
    Partial<Record<AnswerKind, { readonly head: string; readonly summary: string }>>
  >
}

/** Passed fields of an extraction over all of them; null for a table, and where nothing of the schema is scored. */
export function fieldPassRateOf(score: Score): number | null {
  const { passedNodes, nodes } = score.counts
  if (score.extract === undefined || passedNodes === undefined || nodes === undefined) return null
  return nodes === 0 ? null : passedNodes / nodes
}

/** Every metric, in the order of rows. To add one to all reports, add its entry here. */
export const metrics = [
  {
    key: 'cellF1',
    label: 'cell F1',
    short: 'cell F1',
    unit: 'share',
    better: 'higher',
    role: 'score',
    primary: true,
    description: 'F1 of the cells of a table.',
    of: score => score.cell?.f1 ?? null,
    appliesTo: { table: { head: 'cell F1', summary: 'Cell F1' } },
  },
  {
    key: 'rowF1',
    label: 'row F1',
    short: 'row F1',
    unit: 'share',
    better: 'higher',
    role: 'score',
    primary: false,
    description: 'F1 of the rows of a table.',
    of: score => score.row?.f1 ?? null,
    appliesTo: { table: { head: 'row\nF1', summary: 'Row F1' } },
  },
  {
    key: 'passRate',
    label: 'pass rate',
    short: 'pass',
    unit: 'share',
    better: 'higher',
    role: 'answered',
    primary: false,
    description: 'Share of attempts with an answer that could be read; JSON must fit its schema.',
    of: score => (score.passed ? 1 : 0),
    appliesTo: {
      table: { head: 'pass', summary: 'answered' },
      json: { head: 'valid', summary: 'valid\nJSON' },
    },
  },
  {
    key: 'fieldPassRate',
    label: 'fields passed',
    short: 'fields passed',
    unit: 'share',
    better: 'higher',
    role: 'score',
    primary: true,
    description: 'Passed fields of JSON over all fields, those of invalid answers included.',
    of: fieldPassRateOf,
    appliesTo: { json: { head: 'fields passed', summary: 'fields passed' } },
  },
] as const satisfies readonly MetricEntry[]

export type MetricKey = (typeof metrics)[number]['key']
export type MetricLabel = (typeof metrics)[number]['label']
export type Metric = MetricEntry & { readonly key: MetricKey; readonly label: MetricLabel }

const all: readonly Metric[] = metrics

/** The keys, in the order of rows. */
export const metricKeys: readonly MetricKey[] = all.map(metric => metric.key)

/** The metrics that say how good an answer is, in the order of rows. */
export const scoreMetrics: readonly Metric[] = all.filter(metric => metric.role === 'score')

const byKey = new Map(all.map(metric => [metric.key, metric]))

export function metricNamed(key: MetricKey): Metric {
  return byKey.get(key)!
}

/** What the scorings of a profile read; null where nothing was scored. */
export function answerKindOf(profile: string): AnswerKind | null {
  if (profile === 'none') return null
  return profile === 'extract-bench' ? 'json' : 'table'
}

/** Whether a profile's scorings have the metric at all: where not, an unscored attempt is no 0 of it. */
export function appliesTo(metric: Metric, profile: string): boolean {
  const kind = answerKindOf(profile)
  return kind !== null && metric.appliesTo[kind] !== undefined
}

/** The metrics of a kind of answer, in the order of rows. */
export function metricsOf(kind: AnswerKind): Metric[] {
  return all.filter(metric => metric.appliesTo[kind] !== undefined)
}

/** The score that a kind of answer is about. */
export function primaryOf(kind: AnswerKind): Metric {
  return metricsOf(kind).find(metric => metric.primary)!
}

/** The metrics of a kind in the order of columns: whether there is an answer, the other scores, the primary one last. */
export function columnMetrics(kind: AnswerKind): Metric[] {
  const rank = ({ role, primary }: Metric): number => (role === 'answered' ? 0 : primary ? 2 : 1)
  return metricsOf(kind).sort((a, b) => rank(a) - rank(b))
}

/** The keys of the metrics that tables have. */
export type TableMetricKey = Extract<
  (typeof metrics)[number],
  { readonly appliesTo: { readonly table: unknown } }
>['key']

/** The metrics of tables, in the order of columns. */
export const tableMetrics = columnMetrics('table') as readonly (Metric & { readonly key: TableMetricKey })[]

const inColumns: readonly Metric[] = [...new Set(answerKinds.flatMap(columnMetrics))]

/** An object with a field for each metric, in the order of columns. */
export function byMetric<T>(read: (key: MetricKey) => T): Record<MetricKey, T> {
  return Object.fromEntries(inColumns.map(({ key }) => [key, read(key)])) as Record<MetricKey, T>
}

/** The primary metric of what a score reads, with its value. */
export function primaryScore(score: Score): { readonly metric: Metric; readonly value: number | null } {
  const primary = all.filter(metric => metric.primary)
  const metric = primary.find(one => one.of(score) !== null) ?? primary.at(-1)!
  return { metric, value: metric.of(score) }
}
