import type { Arm, ArmOptions } from './arm.ts'
import type { Attempt } from './attempt.ts'
import type { Score } from './score.ts'
import type { Table } from './table.ts'

/** An attempt with its score by one scorer and judge. */
export interface TableAttempt {
  readonly attempt: Attempt
  /** Null when there is no score record. */
  readonly score: Score | null
  /** The group of tasks that share documents with the attempt's task. */
  readonly component: string
}

/** The attempts of one arm. */
export interface TableArm extends Arm {
  readonly attempts: readonly TableAttempt[]
}

/** What the own tables of a benchmark are made from: its attempts by one scorer and judge. */
export interface TableInput {
  readonly scorer: string
  /** The arms in the order of reports. */
  readonly arms: readonly TableArm[]
  /** Returns a short name for a model, which no other model of the arms has. */
  readonly shortModel: (model: string) => string
  /** Whether the user says that a model reasons; null when the user says nothing. */
  readonly isReasoning: ((model: string) => boolean) | null
}

/** What reports need to know about a benchmark. */
export interface BenchmarkTables {
  /** Tables and figures with the layout of those in the benchmark's paper. */
  readonly layouts: readonly TableLayout[]
  /** Says how the judge `rules`, which the paper does not have, changes its figures. Absent: not measured. */
  readonly rulesRemark?: string
  /** Makes tables of `report`. Their titles do not name scorer, judge and model, which the report adds. */
  readonly reportTables?: (input: TableInput) => readonly Table[]
  /** Makes tables of `compare`, each with an id. */
  readonly compareTables?: (input: TableInput) => readonly Table[]
}

/** The layout of a paper's table or figure, as data: its rows, and what the mean in each column is computed from. */
type TableLayout = ArmsLayout | RadarLayout | FacetCurveLayout | CorrelationsLayout

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
  /** Metrics of the scorer, `answered` or `success`, each a column. Those that the scorer does not have are left out. */
  readonly columns: readonly string[]
  /** True: the table has no block with the mean, because values of the facet have different ranges. */
  readonly withoutMean?: true
  /** How to read the table. */
  readonly remark?: string
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

/** The attempts of one arm with one name, such as a schema, or all of its attempts. */
export interface NamedAttempts {
  readonly name: string
  readonly arm: TableArm
  readonly attempts: readonly TableAttempt[]
}

/** Groups the attempts of each arm by name: the names in order, and under each the arms in theirs. All attempts come last, as `all`. */
export function groupByName(
  arms: readonly TableArm[],
  nameOf: (attempt: Attempt) => string,
): NamedAttempts[] {
  const names = new Set(arms.flatMap(({ attempts }) => attempts.map(({ attempt }) => nameOf(attempt))))
  const named = [...names].sort().flatMap(name =>
    arms.flatMap((arm): NamedAttempts[] => {
      const attempts = arm.attempts.filter(({ attempt }) => nameOf(attempt) === name)
      return attempts.length === 0 ? [] : [{ name, arm, attempts }]
    }),
  )
  return [...named, ...arms.map(arm => ({ name: 'all', arm, attempts: arm.attempts }))]
}
