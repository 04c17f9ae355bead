/** A column of a table. Line breaks in its name split the head over several lines. */
export interface Column {
  readonly name: string
  readonly align: 'left' | 'right'
}

/** A table of a report, for every output format. The title names what all of its numbers depend on. */
export interface ReportTable {
  readonly title: string
  readonly columns: readonly Column[]
  readonly rows: readonly (readonly string[])[]
  /** Explanations below the table, a line each. */
  readonly remarks: readonly string[]
}

/** Creates a left-aligned column. */
export const left = (name: string): Column => ({ name, align: 'left' })
/** Creates a right-aligned column. */
export const right = (name: string): Column => ({ name, align: 'right' })

/** Removes the number columns without any known value. Tables of unscored attempts have many such columns. */
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

/** Writes the name of a facet in words: `task type` for `taskType`. */
export function facetName(facet: string): string {
  return facet.replace(/(?<=[a-z0-9])[A-Z]/g, letter => ` ${letter.toLowerCase()}`)
}

/** Returns the name of a facet for several values. Names that end in `s`, such as `shots`, stay the same. */
export function facetNames(facet: string): string {
  const name = facetName(facet)
  return name.endsWith('s') ? name : `${name}s`
}

/** Names the domain of a row: a value of the facet, all tasks, or the mean of the values' means. */
export function domainName(domain: string, facet: string): string {
  if (domain === 'all') return 'all tasks'
  return domain === 'allByDomain' ? `mean of ${facetNames(facet)}` : domain
}

/** Sorts groups by domain, with the pooled ones last, so that the arms of a domain are next to each other. */
export function readingOrder<T extends { readonly domain: string }>(groups: readonly T[]): T[] {
  const domains = [...new Set(groups.map(group => group.domain))]
  const pooled = ['all', 'allByDomain']
  const order = [...domains.filter(domain => !pooled.includes(domain)), ...pooled]
  return [...groups].sort((a, b) => order.indexOf(a.domain) - order.indexOf(b.domain))
}
