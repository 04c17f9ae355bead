import type { MetricDefinition } from '../../core/metric.ts'
export interface Bar {
  readonly panel: string
  readonly label: string
  readonly value: number
  readonly low: number | null
  readonly high: number | null
}

export interface Segment {
  readonly label: string
  readonly part: string
  readonly value: number
}

export interface LinePoint {
  readonly panel: string
  readonly line: string
  readonly x: number
  readonly y: number
}

export interface HeatCell {
  readonly row: string
  readonly column: string
  /** -1 to 1. */
  readonly value: number
}

interface FigureCommon {
  readonly id: string
  readonly title: string
  /** What the figure says, for those who cannot see it. */
  readonly caption: string
}

/** How the values of an axis are drawn: shares as percent, between these bounds; null: as far as the values go. */
export interface ValueAxis {
  readonly isPercent: boolean
  readonly least: number | null
  readonly most: number | null
}

/** A figure as data; what draws it and what writes its CSV read the same. Values are as in JSON: shares are 0..1. */
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
      readonly kind: 'lines'
      readonly points: readonly LinePoint[]
      readonly axis: ValueAxis
      readonly x: string
      readonly y: string
      /** What the axes are called, where not by the fields' names. */
      readonly xName?: string
      readonly yName?: string
      /** A value holds until the next point. */
      readonly steps?: boolean
    })

export const shareAxis: ValueAxis = { isPercent: true, least: 0, most: 1 }

export function axisOf({ unit, range: [least, most] }: MetricDefinition): ValueAxis {
  return { isPercent: unit === 'share', least, most }
}

export function capitalised(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`
}
