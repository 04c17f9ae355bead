import type { Attempt } from '../../core/attempt.ts'
import type { ToolKind } from '../../core/tool-failures.ts'
import { percent } from '../tables/numbers.ts'
import { left, type ReportTable, right } from '../tables/report-table.ts'
import { compareKeys, groupBy } from './entries.ts'
import type { ToolFailureRow } from './report.ts'

/** From this share of failed calls on, a report warns. */
const warningShare = 0.2

/** One row for each arm and kind of tool that was called; none for attempts of versions that did not count. */
export function toolFailureRows(attempts: readonly Attempt[]): ToolFailureRow[] {
  const arms = groupBy(attempts, ({ setting, model, variant }) => JSON.stringify([setting, model, variant]))
  const keyed = [...arms.values()].map(own => ({ key: { ...own[0]!, profile: '', judge: '' }, own }))
  return keyed
    .sort((a, b) => compareKeys(a.key, b.key))
    .flatMap(({ own }) => [...rowOf(own, 'search'), ...rowOf(own, 'fetch')])
}

function rowOf(attempts: readonly Attempt[], tool: ToolKind): ToolFailureRow[] {
  const counted = attempts.flatMap(attempt => attempt.toolFailures?.[tool] ?? [])
  const calls = counted.reduce((sum, one) => sum + one.calls, 0)
  if (calls === 0) return []
  const byClass = new Map<string, number>()
  for (const [name, n] of counted.flatMap(one => Object.entries(one.failed)))
    byClass.set(name, (byClass.get(name) ?? 0) + n)
  const failed = [...byClass.values()].reduce((sum, n) => sum + n, 0)
  const { setting, model, variant } = attempts[0]!
  const classes = Object.fromEntries([...byClass].sort((a, b) => b[1] - a[1]))
  return [{ setting, model, variant, tool, calls, failed, share: failed / calls, classes }]
}

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
