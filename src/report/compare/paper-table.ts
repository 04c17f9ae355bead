import { domainName } from '../tables/report-table.ts'

/** One number of a table as it is printed (a share in percent), its interval, and how many attempts it covers. */
export interface PaperCell {
  readonly domain: string
  /** The head of its column. */
  readonly metric: string
  readonly value: number | null
  readonly low: number | null
  readonly high: number | null
  readonly valueUnscoredAsZero: number | null
  readonly n: number
  readonly unscored: number
  /** Against the row that it is compared with, over the tasks scored in both; '' for none or too small a change. */
  readonly arrow: '' | '↑' | '↓'
}

export interface PaperRow {
  readonly model: string
  readonly label: string
  readonly n: number
  readonly unscored: number
  readonly cells: readonly PaperCell[]
}

export interface PaperTable {
  /** The id of its layout, such as table3; with a number more where profiles or judges differ. */
  readonly id: string
  readonly title: string
  readonly profile: string
  readonly judge: string
  readonly rows: readonly PaperRow[]
  readonly remark: string
  /** The facet whose values its blocks of columns are. */
  readonly by: string
}

/** The domains of a table, in reading order; the mean of the domains last. */
export function paperDomains(table: PaperTable): string[] {
  const domains = new Set(table.rows.flatMap(row => row.cells.map(cell => cell.domain)))
  return [...domains].sort(
    (a, b) => Number(a === 'allByDomain') - Number(b === 'allByDomain') || (a < b ? -1 : 1),
  )
}

export function paperDomainName(domain: string, facet: string): string {
  return domain === 'allByDomain' ? 'mean' : domainName(domain, facet)
}
