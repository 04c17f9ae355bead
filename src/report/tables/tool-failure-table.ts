import { armName } from '../../core/arm.ts'
import type { ToolKind } from '../../core/attempt.ts'
import { makeTable, type Table } from '../../core/table.ts'
import type { ToolFailureRow } from '../model/report-rows.ts'
import { modelColumn, settingColumn } from './columns.ts'
import { percent } from './numbers.ts'

/** A report warns when at least this share of calls failed. */
const warningShare = 0.2

const plural: Readonly<Record<ToolKind, string>> = { search: 'searches', fetch: 'fetches' }

/** Returns a warning for each arm in which at least a fifth of the searches or fetches failed. */
export function toolFailureLines({
  toolFailures,
}: {
  readonly toolFailures: readonly ToolFailureRow[]
}): string[] {
  return toolFailures
    .filter(({ share }) => share >= warningShare)
    .map(row => {
      const { tool, calls, failed, share } = row
      return `Warning: ${armName(row)}: ${percent(share)}% of the ${plural[tool]} failed (${failed} of ${calls}: ${classesText(row)}).`
    })
}

/** Shows how many searches and fetches of each arm failed. */
export function toolFailureTable(rows: readonly ToolFailureRow[]): Table {
  return makeTable({
    title: 'Failed searches and fetches',
    rows,
    columns: column => [
      settingColumn(),
      modelColumn(),
      column('tool', 'text', row => plural[row.tool]),
      column('calls', 'count', row => row.calls),
      column('failed', 'count', row => row.failed),
      column('share', 'share', row => row.share),
      column('by error class', 'text', classesText),
    ],
    remarks: ['share: percent of the calls of all attempts. Calls that a budget refused do not count.'],
  })
}

function classesText({ classes }: ToolFailureRow): string {
  return Object.entries(classes)
    .map(([name, n]) => `${name} ${n}`)
    .join(', ')
}
