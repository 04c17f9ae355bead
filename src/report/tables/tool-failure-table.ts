import { optionsText } from '../../core/arm.ts'
import type { ToolKind } from '../../core/usage.ts'
import type { ToolFailureRow } from '../model/report-rows.ts'
import { percent } from './numbers.ts'
import { left, type ReportTable, right } from './report-table.ts'

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
      return `Warning: ${armOf(row)}: ${percent(share)}% of the ${plural[tool]} failed (${failed} of ${calls}: ${classesText(row)}).`
    })
}

/** Shows how many searches and fetches of each arm failed. */
export function toolFailureTable(rows: readonly ToolFailureRow[]): ReportTable {
  const hasModels = new Set(rows.map(row => row.model)).size > 1
  return {
    title: 'Failed searches and fetches',
    columns: [
      left('setting'),
      ...(hasModels ? [left('model')] : []),
      left('tool'),
      ...['calls', 'failed', 'share'].map(right),
      left('by error class'),
    ],
    rows: rows.map(row => [
      [row.setting, optionsText(row.options)].filter(part => part !== '').join(' '),
      ...(hasModels ? [row.model] : []),
      plural[row.tool],
      String(row.calls),
      String(row.failed),
      percent(row.share),
      classesText(row),
    ]),
    remarks: ['share: percent of the calls of all attempts. Calls that a budget refused do not count.'],
  }
}

function armOf({ setting, model, options }: ToolFailureRow): string {
  return [setting, model, optionsText(options)].filter(part => part !== '').join(' ')
}

function classesText({ classes }: ToolFailureRow): string {
  return Object.entries(classes)
    .map(([name, n]) => `${name} ${n}`)
    .join(', ')
}
