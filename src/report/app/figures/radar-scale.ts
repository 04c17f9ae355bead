/** Where the axes of a panel are: the first at the top, the others clockwise. */
export interface RadarScale {
  /** The middle of the panel, where every axis has its least value. */
  readonly x: number
  readonly y: number
  readonly radius: number
  /** The number of axes. */
  readonly axes: number
  readonly least: number
  readonly most: number
}

/** Returns the place of a value on an axis, moved sideways by some pixels. */
export function placeValue(scale: RadarScale, axis: number, value: number, aside = 0): [number, number] {
  const angle = (2 * Math.PI * axis) / scale.axes
  const length = (scale.radius * (value - scale.least)) / (scale.most - scale.least)
  return [
    scale.x + length * Math.sin(angle) + aside * Math.cos(angle),
    scale.y - length * Math.cos(angle) + aside * Math.sin(angle),
  ]
}
