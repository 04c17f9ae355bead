import type { MetricDefinition } from '../../core/metric.ts'
/** One bar with its interval. `panel` is the domain, `label` the arm. */
export interface Bar {
  readonly panel: string
  readonly label: string
  readonly value: number
  readonly low: number | null
  readonly high: number | null
  /** What the right keys with empty cells get at the same tasks, and what the gold gets. Absent when unknown. */
  readonly floor?: number
  readonly ceiling?: number
}

/** One part of a stacked bar. `label` is the arm, `value` the share of the bar. */
export interface Segment {
  readonly label: string
  readonly part: string
  readonly value: number
}

/** One point of a line. `panel` is the domain, `line` the arm. */
export interface LinePoint {
  readonly panel: string
  readonly line: string
  readonly x: number
  readonly y: number
  /** What a mean was computed from. Absent for a point without an interval. */
  readonly sample?: PointSample
}

/** The interval of a point, and the attempts behind it. */
interface PointSample {
  readonly low: number | null
  readonly high: number | null
  /** The values of `x` that the point stands for: both are `x` unless it is a bin. */
  readonly from: number
  readonly to: number
  /** Attempts with a value, and without one. */
  readonly n: number
  readonly unscored: number
  /** The number of groups of tasks that share documents. */
  readonly components: number
}

/** One cell of a heat map. */
interface HeatCell {
  readonly row: string
  readonly column: string
  /** From -1 to 1. */
  readonly value: number
}

/** How the marks of an arm look: its colour is the setting and control, its shape or dashes the model. */
export interface Series {
  /** Equal to the label or line of its marks. */
  readonly name: string
  readonly setting: string
  /** `oracle` or `random`. Null for an arm that is no control. */
  readonly control: string | null
  /** The number of its model, from 0. */
  readonly model: number
}

/** A level that does not depend on the horizontal axis, such as offline in a figure of context sizes. */
export interface Reference {
  readonly panel: string
  readonly line: string
  readonly y: number
}

/** One part of what RAG loses, in the unit of the metric. Positive: a loss, or for `earned` a gain over random chunks. */
export interface LossPart {
  readonly label: string
  readonly part: 'context' | 'retrieval' | 'earned'
  readonly value: number
  readonly low: number | null
  readonly high: number | null
}

/** The value of an arm on an axis of a radar chart. */
export interface RadarMark {
  /** The arm. */
  readonly label: string
  readonly axis: string
  /** Null when the arm has no value. */
  readonly value: number | null
  readonly low: number | null
  readonly high: number | null
  /** The number of scored attempts with a value. */
  readonly n: number
}

interface FigureCommon {
  readonly id: string
  readonly title: string
  /** What the figure shows. Also the description for screen readers. */
  readonly caption: string
  /** The arms of its marks. Absent when its marks are no arms. */
  readonly series?: readonly Series[]
  /** Shown folded: a part of a figure above it, such as one domain. */
  readonly isFolded?: boolean
}

/** The unit and bounds of an axis. A bound of null is taken from the values. */
export interface ValueAxis {
  readonly isPercent: boolean
  readonly least: number | null
  readonly most: number | null
}

/** A figure as data, for drawing and for its CSV. Shares are 0..1, as in JSON. */
export type Figure =
  | (FigureCommon & {
      readonly kind: 'bars'
      readonly bars: readonly Bar[]
      readonly unit: string
      readonly axis: ValueAxis
    })
  | (FigureCommon & {
      readonly kind: 'stacks'
      readonly segments: readonly Segment[]
      readonly parts: readonly string[]
    })
  | (FigureCommon & { readonly kind: 'heat'; readonly cells: readonly HeatCell[] })
  | (FigureCommon & {
      readonly kind: 'loss-parts'
      readonly parts: readonly LossPart[]
      readonly unit: string
      readonly axis: ValueAxis
    })
  | (FigureCommon & {
      readonly kind: 'radar'
      /** The names of the axes, from the top, clockwise. */
      readonly axes: readonly string[]
      /** A mark for each arm and axis, the arms in order. */
      readonly marks: readonly RadarMark[]
      /** The unit and bounds of every axis. */
      readonly axis: ValueAxis & { readonly least: number; readonly most: number }
    })
  | (FigureCommon & {
      readonly kind: 'lines'
      readonly points: readonly LinePoint[]
      readonly axis: ValueAxis
      readonly x: string
      readonly y: string
      /** The labels of the axes. Default: `x` and `y`. */
      readonly xName?: string
      readonly yName?: string
      /** The values of `x`, at equal distances, with their labels. Absent: a logarithmic axis. */
      readonly places?: readonly { readonly x: number; readonly label: string }[]
      /** Draws steps: each value holds until the next point. */
      readonly steps?: boolean
      readonly references?: readonly Reference[]
    })

/** More arms of a radar chart have a panel each, because their outlines would hide one another. */
export const mostOverlaidArms = 4

/** The axis of shares: 0 to 100%. */
export const shareAxis: ValueAxis = { isPercent: true, least: 0, most: 1 }

/** Returns the axis of a metric. */
export function makeMetricAxis({ unit, range: [least, most] }: MetricDefinition): ValueAxis {
  return { isPercent: unit === 'share', least, most }
}
