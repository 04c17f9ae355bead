import { modelNaming, settingLabel } from '../model/arm-names.ts'
import type { ExtractionRow, Report } from '../model/report.ts'
import { scoringOf, scorings } from '../model/scorings.ts'
import { modelCell, modelColumn } from './group-columns.ts'
import { percent, withInterval } from './numbers.ts'
import { left, type ReportTable, right } from './report-table.ts'

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
