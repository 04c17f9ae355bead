import type { Score } from '../../core/score.ts'
import { bootstrapRatio } from '../../score/statistics/bootstrap.ts'
import { modelCell, modelColumn } from '../tables/group-columns.ts'
import { percent, withInterval } from '../tables/numbers.ts'
import { left, type ReportTable, right, scoringOf, scorings } from '../tables/report-table.ts'
import { modelNaming, settingLabel } from './arm-names.ts'
import { type Entry, groupBy, groupByKey, isScored } from './entries.ts'
import { bootstrapSeed } from './measures.ts'
import type { ExtractionRow, GroupKey, Report } from './report.ts'

type Extracted = Entry & { readonly score: Score & { readonly extract: NonNullable<Score['extract']> } }

const isExtracted = (entry: Entry): entry is Extracted => isScored(entry) && entry.score.extract !== undefined

/** What ExtractBench's Tables 5 and 7 say, by schema and for all: attempts pooled, invalid ones in the denominator. */
export function extractionRows(entries: readonly Entry[]): ExtractionRow[] {
  return groupByKey(entries.filter(entry => entry.key.profile === 'extract-bench')).flatMap(
    ({ key, entries: own }) => {
      const schemaOf = schemasByTask(own)
      const bySchema = groupBy(own, entry => schemaOf.get(entry.attempt.taskId) ?? entry.attempt.domain)
      const named = [...bySchema].sort(([a], [b]) => (a < b ? -1 : 1))
      return [...named, ['all', own] as const].map(([schema, group]) => rowOf(key, schema, group))
    },
  )
}

/** An unscored attempt has no record of its schema: that of another attempt at the task stands in. */
function schemasByTask(entries: readonly Entry[]): Map<string, string> {
  return new Map(
    entries.filter(isExtracted).flatMap(({ attempt, score }) => {
      const name = score.extract.schema
      return name === undefined ? [] : [[attempt.taskId, name] as const]
    }),
  )
}

function rowOf(key: GroupKey, schema: string, entries: readonly Entry[]): ExtractionRow {
  const scored = entries.filter(isExtracted)
  const valid = scored.filter(({ score }) => score.extract.valid)
  const failures: Record<string, number> = {}
  for (const { score } of scored) {
    const { failure } = score.extract
    if (failure !== null) failures[failure] = (failures[failure] ?? 0) + 1
  }
  const sum = (group: readonly Extracted[], name: string): number =>
    group.reduce((total, { score }) => total + (score.counts[name] ?? 0), 0)
  const [passed, matched] = [sum(scored, 'passedNodes'), sum(scored, 'matchedItems')]
  const [missed, spurious] = [sum(scored, 'missedItems'), sum(scored, 'spuriousItems')]
  return {
    ...key,
    schema,
    n: entries.length,
    scored: scored.length,
    unscored: entries.length - scored.length,
    valid: valid.length,
    validRate: ratio(valid.length, scored.length),
    failures,
    fields: sum(scored, 'nodes'),
    passedFields: passed,
    passRate: pooledRate(scored),
    accuracyOfValid: ratio(passed, sum(valid, 'nodes')),
    keys: sum(scored, 'schemaKeys'),
    passRateOfKeys: ratio(passed, sum(scored, 'schemaKeys')),
    omissions: sum(scored, 'omissions'),
    hallucinations: sum(scored, 'hallucinations'),
    wrongValues: sum(scored, 'wrongValues'),
    items: {
      matched,
      missed,
      spurious,
      precision: ratio(matched, matched + spurious),
      recall: ratio(matched, matched + missed),
    },
    unscoredFields: sum(scored, 'unscoredNodes'),
  }
}

function ratio(part: number, whole: number): number | null {
  return whole === 0 ? null : part / whole
}

function pooledRate(scored: readonly Extracted[]): ExtractionRow['passRate'] {
  const parts = scored.map(({ attempt, score }) => ({
    cluster: attempt.taskId,
    part: score.counts.passedNodes ?? 0,
    whole: score.counts.nodes ?? 0,
  }))
  return bootstrapRatio(parts, bootstrapSeed) ?? { mean: null, low: null, high: null }
}

/** The layouts of ExtractBench's Table 5 and Table 7. */
export function extractionTables(report: Pick<Report, 'extraction'>): ReportTable[] {
  return scorings(report.extraction).flatMap(scoring => {
    const rows = report.extraction.filter(row => scoringOf(row) === scoring)
    const models = modelNaming(rows)
    const names = (row: ExtractionRow): string[] => [
      row.schema,
      ...modelCell(row.model, models),
      settingLabel(row),
    ]
    const heads = [left('schema'), ...modelColumn(models), left('setting')]
    return [scoreTable(scoring, rows, heads, names), failureTable(scoring, rows, heads, names)]
  })
}

type Names = (row: ExtractionRow) => string[]

function scoreTable(
  scoring: string,
  rows: readonly ExtractionRow[],
  heads: ReportTable['columns'],
  names: Names,
): ReportTable {
  return {
    title: `Extraction by schema (${scoring})`,
    columns: [
      ...heads,
      ...['n', 'scored', 'valid', 'pass [95%]', 'acc (valid)', 'of keys', 'omitted', 'invented'].map(right),
      ...['wrong', 'items P', 'items R'].map(right),
    ],
    rows: inSchemaOrder(rows).map(row => [
      ...names(row),
      String(row.n),
      String(row.scored),
      percent(row.validRate),
      withInterval(row.passRate),
      percent(row.accuracyOfValid),
      percent(row.passRateOfKeys),
      ...[row.omissions, row.hallucinations, row.wrongValues].map(String),
      percent(row.items.precision),
      percent(row.items.recall),
    ]),
    remarks: [
      "Percent of the fields that the published package scores, attempts pooled, invalid output in the denominator; 'acc (valid)' without it; 'of keys': over the schema's keys, as the paper counts. Rows and cells of a table there are none.",
      "Ours beside it: fields that gold has and the answer lacks (omitted), the reverse (invented), both with other values (wrong); items of lists, those that one side leaves out too, by precision, which the package's score leaves out, and recall. All of valid output.",
      ...(rows.some(row => row.unscoredFields > 0)
        ? [`${sumOf(rows)} fields have no score: the judge failed on them.`]
        : []),
    ],
  }
}

function sumOf(rows: readonly ExtractionRow[]): number {
  return rows.filter(row => row.schema === 'all').reduce((sum, row) => sum + row.unscoredFields, 0)
}

function failureTable(
  scoring: string,
  rows: readonly ExtractionRow[],
  heads: ReportTable['columns'],
  names: Names,
): ReportTable {
  const failed = rows.filter(row => Object.keys(row.failures).length > 0)
  const kinds = [...new Set(failed.flatMap(row => Object.keys(row.failures)))].sort()
  return {
    title: `Invalid output by failure (${scoring})`,
    columns: [...heads, right('invalid'), ...kinds.map(right)],
    rows: inSchemaOrder(failed).map(row => [
      ...names(row),
      String(row.scored - row.valid),
      ...kinds.map(kind => String(row.failures[kind] ?? 0)),
    ]),
    remarks: ['Attempts. schema-mismatch: JSON that the published package refuses by the schema.'],
  }
}

/** What a reader compares stands one under the other: schema, then setting; all schemas last. */
function inSchemaOrder(rows: readonly ExtractionRow[]): ExtractionRow[] {
  const schemas = [...new Set(rows.map(row => row.schema))].filter(name => name !== 'all')
  return [...schemas, 'all'].flatMap(schema => rows.filter(row => row.schema === schema))
}
