import type { ArmOptions } from './arm.ts'
import type { Score } from './score.ts'

/** What reports need to know about a benchmark. */
export interface BenchmarkTables {
  /** Tables with the layout of those in the benchmark's paper. */
  readonly layouts: readonly TableLayout[]
}

/** The layout of a paper's table or figure, as data: its rows, and what the mean or ratio in each column is computed from. */
export type TableLayout =
  | ArmsLayout
  | PooledLayout
  | SharesLayout
  | TallyLayout
  | MatrixLayout
  | RadarLayout
  | FacetCurveLayout
  | CorrelationsLayout

/**
 * A table of `compare`: a row for each arm, a block of columns for each value of a facet, and a block with their mean. Each
 * number is the mean of one metric over tasks. Trials are averaged within a task first.
 */
export interface ArmsLayout {
  readonly kind: 'arms'
  /** The name of its file in the folders of --csv and --latex: `table7`. */
  readonly id: string
  readonly title: string
  /** The paper and its table that has this layout. */
  readonly source: string
  /** The facet of which each value has a block. The default is the facet that the comparison groups by. */
  readonly by?: string
  readonly rows: LayoutRows
  readonly columns: readonly ArmsColumn[]
  /** True: the table has no block with the mean, because values of the facet have different ranges. */
  readonly withoutMean?: true
  /** How to read the table. */
  readonly remark?: string
}

/** A column of a block. */
export interface ArmsColumn {
  /** The name in tables, JSON and CSV. */
  readonly head: string
  /** A metric of the scorer, `answered` or `success`. The column is left out when the scorer has no such metric. */
  readonly metric: string
}

/** The rows of an ArmsLayout. */
export type LayoutRows =
  | {
      /** Every arm of these settings, or of all settings when absent. */
      readonly kind: 'arms'
      readonly settings?: readonly string[]
      /** Adds a row with the mean of the models' numbers for each setting and options that several models have. */
      readonly meanOfModels?: true
      /**
       * Several rows for each arm, each over a part of its attempts. When absent, there is one row over all
       * attempts.
       */
      readonly parts?: readonly { readonly label: string; readonly attempts: 'all' | 'answered' }[]
    }
  | {
      /** Each arm of the setting `base`, followed by the arms of the setting `compared` with the same options. */
      readonly kind: 'settings'
      readonly base: string
      readonly compared: string
      /** A change of more points than this gets an arrow. */
      readonly arrowsAbove: number
    }
  | {
      /** Each arm with this option, such as `{ cot: 'off' }`, followed by the arm without it. */
      readonly kind: 'option'
      readonly option: ArmOptions
      /** The end of the label of the arm without the option. */
      readonly label: string
      readonly arrowsAbove: number
    }

/** A table of `report`: for each arm, its attempts pooled by a facet, and all together. Unscored attempts do not count. */
export interface PooledLayout {
  readonly kind: 'pooled'
  /** The key of its rows in `report --json`. */
  readonly id: string
  /** The scorers whose records contain the counts. */
  readonly scorers: readonly string[]
  /** The facet by which attempts are pooled. The field of a row with its value has the same name. */
  readonly by: string
  /** The values of a row in `report --json`, besides `n`, `scored` and `unscored`. */
  readonly values: readonly PooledValue[]
  readonly tables: readonly PooledTableLayout[]
}

/** One value of a row. A key with a dot is nested: `items.recall`. */
export type PooledValue = { readonly key: string } /** How many attempts were answered. */ & (
  | { readonly kind: 'answered' }
  /** The answered attempts divided by the scored ones. */
  | { readonly kind: 'answered-share' }
  /** How many attempts have each name. Attempts with null are not counted. */
  | { readonly kind: 'tally'; of(score: Score): string | null }
  /** The sum of a count of the records. */
  | { readonly kind: 'sum'; readonly count: string }
  /** A share computed from all scores of the row, unscored ones included; null when it is not known. */
  | { readonly kind: 'share-of-all'; of(scores: readonly Score[]): number | null }
  /** The sum of one count divided by the sum of others. */
  | {
      readonly kind: 'ratio'
      readonly part: string
      readonly whole: readonly string[]
      /** Counts only these attempts. The default is all scored attempts. */
      readonly among?: 'answered'
      /** Adds a 95% interval over groups of tasks that share documents. */
      readonly interval?: true
    }
)

/** How the rows of a pooled layout are shown. */
export interface PooledTableLayout {
  readonly title: string
  readonly source: string
  readonly columns: readonly (
    | { readonly head: string; readonly key: string }
    /** A column with the total of a tally, followed by one for each name in it. */
    | { readonly head: string; readonly tally: string }
  )[]
  /** Shows only rows in which this tally has a name. */
  readonly only?: string
  /** A remark with a key is shown when the sum of that value is not 0. `{n}` stands for the sum. */
  readonly remarks: readonly (string | { readonly key: string; readonly text: string })[]
}

/**
 * A table of `compare` that pools attempts: a row for each arm and one for all arms, a column for each value of a facet, and
 * one for all values. Each cell is a part of a whole, such as the passed fields of all fields. Unscored attempts do not count.
 */
export interface SharesLayout {
  readonly kind: 'shares'
  /** The name of its file in the folders of --csv and --latex: `table5`. */
  readonly id: string
  readonly title: string
  readonly source: string
  /** The scorers whose records contain the counts. */
  readonly scorers: readonly string[]
  /** The facet of which each value has a column. */
  readonly by: string
  /** Counts of the records. */
  readonly part: string
  readonly whole: string
  /** Shows only arms with this option, such as `{ 'structured-output': 'on' }`, each after the same arm without it. */
  readonly option?: ArmOptions
  /** How to read the table. */
  readonly remark: string
}

/** A table of `compare` that counts names of attempts: a row for each name, a column for each arm. */
export interface TallyLayout {
  readonly kind: 'tally'
  readonly id: string
  readonly title: string
  readonly source: string
  readonly scorers: readonly string[]
  /** Returns the name of an attempt. Attempts with null are not counted. */
  of(score: Score): string | null
  readonly remark: string
}

/**
 * A table of `compare` with a row for each arm and blocks of columns. A cell is the mean of one metric over the answers with
 * one value of a facet, an option or the setting. Each question of a conversation is an answer. Unscored attempts do not
 * count.
 */
export interface MatrixLayout {
  readonly kind: 'matrix'
  readonly id: string
  readonly title: string
  readonly source: string
  readonly scorers: readonly string[]
  /** The key of the metric, which is a share. */
  readonly metric: string
  /** Uses only the attempts of these settings. */
  readonly settings?: readonly string[]
  /** Uses only the attempts with this value of a facet. */
  readonly only?: { readonly facet: string; readonly value: string }
  /** Adds a row for each value of an option. Otherwise, values of an option that is a dimension share a row. */
  readonly rowOption?: MatrixOption
  /** Puts rows of models that reason after rows of vanilla models, and adds a column with the group of each row. */
  readonly groupRows?: 'reasoning'
  readonly blocks: readonly MatrixBlock[]
  /** Adds a column with the mean over all answers, and one with the mean over all tasks. */
  readonly totals?: { readonly answers: string; readonly tasks: string }
  /** How to read the table. */
  readonly remark: string
}

/** An option of an arm, with the value of arms that do not name it. */
export interface MatrixOption {
  readonly option: string
  readonly default: string
}

/** A block of columns, one for each value. Columns without any number are left out. */
export interface MatrixBlock {
  readonly by: { readonly facet: string } | MatrixOption | { readonly setting: true }
  readonly values: readonly { readonly value: string; readonly head: string }[]
  /** The head of the column with the mean of the values' means. It is unknown when one of them is. */
  readonly mean?: string
  /** The head of the column with (maximum - minimum) / mean of the values' means. */
  readonly range?: string
}

/**
 * A table of `report` and `compare` with a row for each arm and a column for each of several metrics. Pages also draw it as a
 * radar chart with an axis for each metric. Each number is the mean of one metric over tasks, with its interval. Trials are
 * averaged within a task first.
 */
export interface RadarLayout {
  readonly kind: 'radar'
  /** The name of its file in the folders of --csv and --latex. */
  readonly id: string
  readonly title: string
  /** The paper and its figure that has these axes. */
  readonly source: string
  /** The scorers whose records contain the metrics. */
  readonly scorers: readonly string[]
  /**
   * The keys of the metrics, at least three, in the order of the axes: from the top, clockwise. A larger value is better, and
   * all metrics have the same two bounds. Otherwise, the chart is left out.
   */
  readonly axes: readonly string[]
  /** How to read the table and the chart. */
  readonly remark: string
}

/**
 * A figure of `report` and `compare`: the mean of the primary metric by a facet whose values are numbers, with a line for each
 * arm. Many different values are grouped into bins of about equal numbers of tasks.
 */
export interface FacetCurveLayout {
  readonly kind: 'facet-curve'
  /** The end of the name of the figure's files. */
  readonly id: string
  /** The paper and its figure with the same axes. */
  readonly source: string
  /** The facet. Attempts whose value is no number are left out. */
  readonly by: string
  /** The name of the axis: `characters of the text`. */
  readonly name: string
  /** How to read the figure. */
  readonly remark?: string
}

/**
 * A table of `report` and `compare`: Spearman's rank correlation of the primary metric with facets whose values are numbers.
 * It has a row for each arm and value of another facet, and one for all tasks.
 */
export interface CorrelationsLayout {
  readonly kind: 'correlations'
  readonly id: string
  readonly title: string
  readonly source: string
  /** The facet whose values have rows. */
  readonly by: string
  /** The facets with numbers. Each has a column. */
  readonly columns: readonly { readonly head: string; readonly facet: string }[]
}
