import type { PlotOptions } from '@observablehq/plot'
import type { ValueAxis } from '../../figures/figure.ts'
import { displayWidth } from '../../tables/display-width.ts'
import { fitNames } from '../../tables/fit-names.ts'

/** What a figure passes to the plotting library. */
export type Options = PlotOptions

/** Returns the ends of an axis in drawn units, so that it contains all values. */
export function boundAxis(
  { isPercent, least, most }: ValueAxis,
  values: readonly number[],
): [number, number] {
  const scale = isPercent ? 100 : 1
  const low = least ?? Math.min(0, ...values)
  const high = most ?? Math.max(0, ...values)
  return [scale * low, roundTick(scale * (high > low ? high : low + 1))]
}

/** Rounds a bound such as 99.9999995 to the value that it stands for, so that the axis has a tick there. */
const roundTick = (bound: number): number => Math.round(bound * 1e6) / 1e6

/** Returns options that write an axis label along the axis, where it cannot overlap the name of a panel. */
export function setUpright(label: string) {
  return { label, labelAnchor: 'center', labelArrow: 'none', labelOffset: 48 } as const
}

/** Pixels of a column of text, and of the space beside the names of rows. */
const [columnPixels, besidePixels] = [7.2, 24]

/**
 * Returns the margin and the labels of rows. Long names are cut, and different names stay different.
 *
 * @param widestMargin - In pixels.
 */
export function nameAxis(
  names: readonly string[],
  widestMargin = 420,
): {
  readonly marginLeft: number
  readonly label: (name: string) => string
} {
  const shown = fitNames(names, Math.floor((widestMargin - besidePixels) / columnPixels))
  const widest = Math.max(...[...shown.values()].map(displayWidth))
  return { marginLeft: besidePixels + columnPixels * widest, label: name => shown.get(name) ?? name }
}
