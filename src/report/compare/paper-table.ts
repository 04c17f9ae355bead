import type { MetricUnit } from '../../core/metric.ts'
import { nameDomain, nameFacet } from '../tables/columns.ts'

/** One number of a table in its printed unit (a share in percent), with its interval and the attempts that it covers. */
export interface PaperCell {
  readonly domain: string
  /** The key of its metric. */
  readonly metric: string
  readonly value: number | null
  readonly low: number | null
  readonly high: number | null
  /** Present when the interval is too narrow for such scores. */
  readonly unseenShare?: number
  readonly valueUnscoredAsZero: number | null
  /** The value with every item that a judge did not rate counted as wrong and as right. Null when none could move it. */
  readonly bounds: { readonly low: number; readonly high: number } | null
  readonly n: number
  /** The number of groups of tasks that share documents: the independent units of the interval. */
  readonly components: number
  readonly unscored: number
  /** The change against the base row, over the tasks scored in both. Empty for small changes and without a base row. */
  readonly arrow: '' | '↑' | '↓'
}

/** A column of a table, repeated for each domain. */
interface PaperColumn {
  /** The key of its metric. */
  readonly metric: string
  /** The label of its metric, as in all printed tables. */
  readonly label: string
  readonly unit: MetricUnit
}

/** One row of a table: an arm with its numbers. */
export interface PaperRow {
  readonly model: string
  readonly label: string
  readonly n: number
  readonly unscored: number
  /** The items of the scored attempts that a judge did not rate. */
  readonly unratedItems: number
  readonly cells: readonly PaperCell[]
}

/** A table in the layout of a benchmark's paper, for one scorer and judge. */
export interface PaperTable {
  /** The id of its layout, such as `table3`, with a number for further scorings: `table3-2`. */
  readonly id: string
  readonly title: string
  /** The benchmark whose paper has the layout. Null: a general layout. */
  readonly benchmark: string | null
  /** Whether attempts at tasks of other benchmarks are among its numbers. */
  readonly hasOtherTasks: boolean
  readonly scorer: string
  readonly judge: string
  readonly columns: readonly PaperColumn[]
  readonly rows: readonly PaperRow[]
  readonly remark: string
  /** The facet whose values are the blocks of columns. */
  readonly by: string
}

/** Returns the domains of a table in reading order, their mean last. */
export function listPaperDomains(table: PaperTable): string[] {
  const domains = new Set(table.rows.flatMap(row => row.cells.map(cell => cell.domain)))
  return [...domains].sort(
    (a, b) => Number(a === 'allByDomain') - Number(b === 'allByDomain') || (a < b ? -1 : 1),
  )
}

/** Names a domain in a column head. A number has the name of its facet: `depth 1`. */
export function namePaperDomain(domain: string, facet: string): string {
  if (domain === 'allByDomain') return 'mean'
  return /^-?\d[\d.]*$/.test(domain) ? `${nameFacet(facet)} ${domain}` : nameDomain(domain, facet)
}
