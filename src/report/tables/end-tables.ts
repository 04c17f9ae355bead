import { type Arm, armName } from '../../core/arm.ts'
import { column, makeTable, type ReadColumn, type Table } from '../../core/table.ts'
import type { ToolKind } from '../../core/usage.ts'
import { listScoringMetrics, type RunScorers } from '../model/metrics.ts'
import type { EndCounts, EndRow, ToolFailureRow } from '../model/report-rows.ts'
import { nameAllScorings } from '../model/scorings.ts'
import { makeModelColumn, makeSettingColumn, measureCell } from './columns.ts'
import { withKnownColumns } from './text-table.ts'
import { formatMetricHead, formatPercent } from './value-text.ts'

/** Explains the column `completed` of tables of terminations. */
export function writeCompletedRemark(isScored: boolean): string {
  const meaning = isScored
    ? 'the answer could be read, and neither the provider, the harness nor the operator ended the attempt'
    : 'the attempt has an answer'
  return `completed: ${meaning}. All other attempts failed.`
}

/** Shows why the attempts of each arm ended and how many failed. */
export function makeTerminationTable(report: {
  readonly ends: readonly EndRow[]
  readonly scorers: RunScorers
}): Table {
  const isScored = report.ends.some(row => row.scorer !== 'none')
  const table = makeTable({
    title: `Why the attempts ended ${nameAllScorings(report.ends)}`,
    rows: report.ends,
    columns: column => [
      ...endColumns<EndRow>(),
      column('n', 'count', row => row.n),
      column('share', 'share', row => row.share),
      column('completed', 'count', row => row.passed),
      column('failed', 'count', row => row.failed),
      column('of failures', 'share', row => (row.failed === 0 ? '' : row.shareOfFailures)),
      ...endMeanColumns<EndRow>(report.ends, report.scorers),
    ],
    remarks: [
      "share: percent of the arm's attempts; of failures: percent of its failed attempts.",
      writeCompletedRemark(isScored),
      ...(isScored
        ? ['Attempts that ended with the cause provider, harness or operator have no score.']
        : []),
    ],
  })
  return isScored ? table : withKnownColumns(table)
}

/** Creates the columns that name why attempts of an arm ended. */
export function endColumns<
  Row extends Arm & { readonly cause: string; readonly reason: string },
>(): ReadColumn<Row>[] {
  return [
    makeSettingColumn(),
    makeModelColumn(),
    column('cause', 'text', row => row.cause),
    column('reason', 'text', row => row.reason),
  ]
}

/** Creates a column for the primary metric of each scoring of these ends, with the mean over the attempts of a row. */
export function endMeanColumns<Row extends EndCounts>(
  ends: readonly { readonly scorer: string }[],
  scorers: RunScorers,
): ReadColumn<Row>[] {
  const primaries = [...new Set(ends.map(({ scorer }) => scorer))].flatMap(
    scorer => listScoringMetrics(scorers, scorer).primary ?? [],
  )
  return [...new Map(primaries.map(metric => [metric.key, metric])).values()].map(metric =>
    column(
      metric.label,
      'mean',
      ({ metric: key, mean, bounds }) =>
        key === metric.key && mean !== null ? measureCell(metric, { mean, bounds: bounds ?? null }) : null,
      { head: formatMetricHead(metric) },
    ),
  )
}

/** A report warns when at least this share of calls failed. */
const warningShare = 0.2

const plural: Readonly<Record<ToolKind, string>> = { search: 'searches', fetch: 'fetches' }

/** Returns a warning for each arm in which at least a fifth of the searches or fetches failed. */
export function listToolFailureLines({
  toolFailures,
}: {
  readonly toolFailures: readonly ToolFailureRow[]
}): string[] {
  return toolFailures
    .filter(({ share }) => share >= warningShare)
    .map(row => {
      const { tool, calls, failed, share } = row
      return `Warning: ${armName(row)}: ${formatPercent(share)}% of the ${plural[tool]} failed (${failed} of ${calls}: ${formatClasses(row)}).`
    })
}

/** Shows how many searches and fetches of each arm failed. */
export function makeToolFailureTable(rows: readonly ToolFailureRow[]): Table {
  return makeTable({
    title: 'Failed searches and fetches',
    rows,
    columns: column => [
      makeSettingColumn(),
      makeModelColumn(),
      column('tool', 'text', row => plural[row.tool]),
      column('calls', 'count', row => row.calls),
      column('failed', 'count', row => row.failed),
      column('share', 'share', row => row.share),
      column('by error class', 'text', formatClasses),
    ],
    remarks: ['share: percent of the calls of all attempts. Calls that a budget refused do not count.'],
  })
}

function formatClasses({ classes }: ToolFailureRow): string {
  return Object.entries(classes)
    .map(([name, n]) => `${name} ${n}`)
    .join(', ')
}
