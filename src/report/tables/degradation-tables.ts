import { modelNaming } from '../model/arm-names.ts'
import { metricNamed } from '../model/metrics.ts'
import type { ArmDifference, DegradationRow } from '../model/report.ts'
import { scoringOf, scorings } from '../model/scorings.ts'
import { modelCell, modelColumn } from './group-columns.ts'
import { percent, signedPercent } from './numbers.ts'
import { domainName, left, type ReportTable, right } from './report-table.ts'

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
  const all = report.degradation.filter(row => metricNamed(row.metric).primary)
  const models = modelNaming(all)
  return scorings(all).map(scoring => {
    const rows = all.filter(row => scoringOf(row) === scoring)
    const shown = (['oracle', 'random'] as const).filter(arm => rows.some(row => row[arm] !== null))
    const what = metricNamed(rows[0]!.metric).short
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
