import type { ToolKind } from '../../core/attempt.ts'
import type { ToolFailureRow } from '../model/report-rows.ts'
import { percent } from './numbers.ts'
import { left, type ReportTable, right } from './report-table.ts'

/** From this share of failed calls on, a report warns. */
const warningShare = 0.2

const plural: Readonly<Record<ToolKind, string>> = { search: 'searches', fetch: 'fetches' }

/** A warning for each arm of which a fifth or more of the searches or fetches failed. */
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

/** The table of all arms that called tools. */
export function toolFailureTable(rows: readonly ToolFailureRow[]): ReportTable {
  const hasModels = new Set(rows.map(row => row.model)).size > 1
  return {
    title: 'Searches and fetches that failed',
    columns: [
      left('setting'),
      ...(hasModels ? [left('model')] : []),
      left('tool'),
      ...['calls', 'failed', 'share'].map(right),
      left('by error class'),
    ],
    rows: rows.map(row => [
      [row.setting, row.variant].filter(part => part !== '').join(' '),
      ...(hasModels ? [row.model] : []),
      plural[row.tool],
      String(row.calls),
      String(row.failed),
      percent(row.share),
      classesText(row),
    ]),
    remarks: [
      'Percent of the calls that were made, over all attempts. A call that its budget refused is not made.',
    ],
  }
}

function armOf({ setting, model, variant }: ToolFailureRow): string {
  return [setting, model, variant].filter(part => part !== '').join(' ')
}

function classesText({ classes }: ToolFailureRow): string {
  return Object.entries(classes)
    .map(([name, n]) => `${name} ${n}`)
    .join(', ')
}
