/** One cell of a table of counts. */
export interface CountCell {
  readonly column: string
  readonly part: number
  /** Null for a plain count. */
  readonly whole: number | null
  /** The ends of the 95% interval of the share, over groups of tasks that share documents. Null when not computed. */
  readonly low: number | null
  readonly high: number | null
  /** A mean, 0 to 1, in place of the count; null when unknown. Absent in tables of counts. */
  readonly mean?: number | null
}

/** A table in the layout of a benchmark's paper that pools attempts, for one scorer and judge. */
export interface CountTable {
  /** The id of its layout, with a number for further scorings: `table5-2`. */
  readonly id: string
  readonly title: string
  readonly scorer: string
  readonly judge: string
  readonly columns: readonly string[]
  /** The names of the columns before the cells. */
  readonly heads: readonly string[]
  readonly rows: readonly { readonly names: readonly string[]; readonly cells: readonly CountCell[] }[]
  readonly remark: string
}

/** The columns and rows of a table. */
export type CountTableBody = Pick<CountTable, 'heads' | 'columns' | 'rows'>
