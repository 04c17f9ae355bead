import { metricsOf } from '../model/metrics.ts'
import type { Report } from '../model/report.ts'
import type { DegradationRow } from '../model/report-rows.ts'
import { scoringOf, scorings } from '../model/scorings.ts'
import { axisOf, capitalised, type Figure, type LossPart } from './figure.ts'
import { armSeries } from './series.ts'

const partNames = { lessContext: 'context', retrieval: 'retrieval', earned: 'earned' } as const

/** Returns a figure for each scoring of what each RAG arm loses against offline, split by the controls that were run. */
export function lossPartFigures(report: Report): Figure[] {
  const series = armSeries(report)
  return scorings(report.degradation).flatMap((scoring, at): Figure[] => {
    const own = report.degradation.filter(row => scoringOf(row) === scoring && row.domain === 'all')
    const { primary } = metricsOf(report.scorers, own[0]?.scorer ?? 'none')
    if (primary === null) return []
    const rows = own.filter(row => row.metric === primary.key)
    const nameOf = (row: DegradationRow): string => series.of({ ...row, setting: 'rag' }).name
    return [
      {
        kind: 'loss-parts',
        id: `rag-losses${at === 0 ? '' : `-${at + 1}`}`,
        title: `What RAG loses against offline: ${primary.label} (${scoring})`,
        caption:
          'To the right: lost to the smaller context (offline against the chunks with the evidence), and to retrieval (those chunks against the retrieved ones). To the left, below: what retrieval earns back over random chunks. Lines are 95% intervals over groups of tasks that share documents.',
        unit: `${capitalised(primary.label)}${primary.unit === 'share' ? ', points' : ''}`,
        axis: { ...axisOf(primary), least: null, most: null },
        parts: rows.flatMap(row => partsOf(row, nameOf(row))),
      },
    ]
  })
}

function partsOf(row: DegradationRow, label: string): LossPart[] {
  return (['lessContext', 'retrieval', 'earned'] as const).flatMap(key => {
    const found = row[key]
    if (found === null) return []
    return [{ label, part: partNames[key], value: found.mean, low: found.low, high: found.high }]
  })
}
