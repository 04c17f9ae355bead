import type { Attempt } from './attempt.ts'
import type { Score } from './score.ts'

/** What reports need to know of a benchmark. */
export interface BenchmarkTables {
  /** The tables of the benchmark's paper. */
  readonly layouts: readonly TableLayout[]
  /**
   * Facets of attempts whose records do not have them, as those of older versions.
   *
   * @param scores of all attempts at the same task
   */
  readonly olderFacets?: (attempt: Attempt, scores: readonly Score[]) => Readonly<Record<string, string>>
}

/** A table of a paper, as data: which rows it has, and what its columns are the mean or the ratio of. */
export type TableLayout = ArmsLayout | PooledLayout

/**
 * A table of `compare`: a row for each arm, a block of columns for each value of a facet, and the mean of the blocks.
 * Each number is a mean over tasks of one metric, trials averaged within a task first.
 */
export interface ArmsLayout {
  readonly kind: 'arms'
  /** The name of its file under --csv and --latex: `table7`. */
  readonly id: string
  readonly title: string
  /** The paper, and the table whose layout it follows. */
  readonly source: string
  /** The facet whose values the blocks are; absent: the one that the comparison groups by. */
  readonly by?: string
  readonly rows: LayoutRows
  readonly columns: readonly ArmsColumn[]
  /** How to read it. */
  readonly remark?: string
}

export interface ArmsColumn {
  /** The name in tables, JSON and CSV. */
  readonly head: string
  /** A metric of the scorer, `answered` or `success`. A column is left out where the scorer has no such metric. */
  readonly metric: string
}

export type LayoutRows =
  | {
      /** Every arm of these settings; of all settings where none is named. */
      readonly kind: 'arms'
      readonly settings?: readonly string[]
      /** Several rows for each arm, each over a part of its attempts; absent: one row over all. */
      readonly parts?: readonly { readonly label: string; readonly attempts: 'all' | 'answered' }[]
    }
  | {
      /** Each arm of setting `base`, then those of setting `compared` with the same options. */
      readonly kind: 'settings'
      readonly base: string
      readonly compared: string
      /** Changes of more points than this get an arrow. */
      readonly arrowsAbove: number
    }
  | {
      /** Each arm with this option, such as `cot=off`, then the one without it. */
      readonly kind: 'option'
      readonly option: string
      /** What the label of the arm without it ends in. */
      readonly label: string
      readonly arrowsAbove: number
    }

/** A table of `report`: attempts pooled by a facet, and all together, for each arm. Unscored attempts count nowhere. */
export interface PooledLayout {
  readonly kind: 'pooled'
  /** The key of its rows in `report --json`. */
  readonly id: string
  /** The scorers whose records have its counts. */
  readonly scorers: readonly string[]
  /** The facet by which attempts are pooled, and the field of rows with its value. */
  readonly by: string
  /** The values of a row in `report --json`, besides `n`, `scored` and `unscored`. */
  readonly values: readonly PooledValue[]
  readonly tables: readonly PooledTableLayout[]
}

/** One value of a row. A key with a point is nested: `items.recall`. */
export type PooledValue = { readonly key: string } & (
  | { readonly kind: 'answered' }
  /** Answered over scored attempts. */
  | { readonly kind: 'answered-share' }
  /** How many attempts have each of these names; null counts for none. */
  | { readonly kind: 'tally'; of(score: Score): string | null }
  /** The sum of a count of the records. */
  | { readonly kind: 'sum'; readonly count: string }
  /** The sum of one count over the sum of others. */
  | {
      readonly kind: 'ratio'
      readonly part: string
      readonly whole: readonly string[]
      /** Over these attempts alone; absent: all that are scored. */
      readonly among?: 'answered'
      /** With its bootstrap interval, clustered by task. */
      readonly interval?: true
    }
)

/** How the rows of a pooled layout are shown. */
export interface PooledTableLayout {
  readonly title: string
  readonly source: string
  readonly columns: readonly (
    | { readonly head: string; readonly key: string }
    /** A column with the total of a tally, then one for each name in it. */
    | { readonly head: string; readonly tally: string }
  )[]
  /** Only the rows in which this tally has a name. */
  readonly only?: string
  /** A remark with a key is shown where the sum of that value is not 0; `{n}` stands for the sum. */
  readonly remarks: readonly (string | { readonly key: string; readonly text: string })[]
}
