import { type ModelNaming, modelNaming } from '../model/arm-names.ts'
import { metricNamed } from '../model/metrics.ts'
import type { DifferenceRow, Report } from '../model/report.ts'
import { scoringOf, scorings } from '../model/scorings.ts'
import { modelCell, modelColumn } from './group-columns.ts'
import { pText, signedPercent } from './numbers.ts'
import { domainName, left, type ReportTable, right } from './report-table.ts'

export function differenceTables(report: Pick<Report, 'differences'>): ReportTable[] {
  const models = modelNaming(report.differences)
  return scorings(report.differences).map(scoring => {
    const rows = report.differences.filter(row => scoringOf(row) === scoring)
    const shown = rows.filter(row => metricNamed(row.metric).primary || row.domain === 'all')
    return {
      title: `Differences between settings (${scoring})`,
      columns: [
        left('from'),
        left('to'),
        ...modelColumn(models),
        left('domain'),
        left('metric'),
        right('n'),
        right('difference [95%]'),
        right('p'),
      ],
      rows: shown.map(row => differenceCells(row, models)),
      remarks: [
        'Points of percent, paired over the n tasks scored on both sides; p by a sign-flip permutation test.',
      ],
    }
  })
}

function differenceCells(row: DifferenceRow, models: ModelNaming): string[] {
  const interval =
    row.low === null || row.high === null ? '' : ` [${signedPercent(row.low)}, ${signedPercent(row.high)}]`
  return [
    row.from,
    row.to,
    ...modelCell(row.model, models),
    domainName(row.domain),
    metricNamed(row.metric).short,
    String(row.n),
    signedPercent(row.mean) + interval,
    pText(row.pValue),
  ]
}
