export interface Column {
  readonly name: string
  readonly align: 'left' | 'right'
}

/** A table as every form of the report shows it; `title` names what its numbers hang on. */
export interface ReportTable {
  readonly title: string
  readonly columns: readonly Column[]
  readonly rows: readonly (readonly string[])[]
  /** How to read it, a line each. */
  readonly remarks: readonly string[]
}

export const left = (name: string): Column => ({ name, align: 'left' })
export const right = (name: string): Column => ({ name, align: 'right' })

/** Without the columns in which nothing is known: of attempts that nobody scored, most are such. */
export function knownColumns(table: ReportTable): ReportTable {
  const isKnown = (at: number): boolean =>
    table.columns[at]?.align === 'left' || table.rows.some(row => !['–', ''].includes(row[at] ?? ''))
  const kept = table.columns.map((_, at) => at).filter(isKnown)
  return {
    ...table,
    columns: kept.flatMap(at => table.columns[at] ?? []),
    rows: table.rows.map(row => kept.map(at => row[at] ?? '')),
  }
}

/** A facet's name in words: `task type`. */
export function facetName(facet: string): string {
  return facet.replace(/(?<=[a-z0-9])[A-Z]/g, letter => ` ${letter.toLowerCase()}`)
}

/** What a row is over: a value of the facet, all tasks, or the mean of the values' means. */
export function domainName(domain: string, facet: string): string {
  if (domain === 'all') return 'all tasks'
  return domain === 'allByDomain' ? `mean of ${facetName(facet)}s` : domain
}

/** Domain, then setting: what a reader compares stands one under the other. */
export function readingOrder<T extends { readonly domain: string }>(groups: readonly T[]): T[] {
  const domains = [...new Set(groups.map(group => group.domain))]
  const pooled = ['all', 'allByDomain']
  const order = [...domains.filter(domain => !pooled.includes(domain)), ...pooled]
  return [...groups].sort((a, b) => order.indexOf(a.domain) - order.indexOf(b.domain))
}
