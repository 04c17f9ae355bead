import type { Figure, RadarMark } from '../../figures/figure.ts'
import type { Look } from './looks.ts'
import { placeValue, type RadarScale } from './radar-scale.ts'
import type { MakeSvg } from './svg-element.ts'

/** A radar chart as data. */
export type Radar = Extract<Figure, { kind: 'radar' }>

/** An arm of a radar chart, with a mark for each axis. */
export interface RadarArm {
  readonly name: string
  /** Its number in the legend, from 1. */
  readonly number: number
  readonly look: Look
  readonly marks: readonly RadarMark[]
}

interface ArmTools {
  readonly make: MakeSvg
  readonly scale: RadarScale
  /** How many pixels the intervals are beside the axis, so that those of several arms are visible. */
  readonly aside: number
}

/** Draws the outline of an arm, its intervals and its points. */
export function drawArm(figure: Radar, arm: RadarArm, { make, scale, aside }: ArmTools): SVGElement[] {
  const { look, marks, name } = arm
  const places = marks.map(({ value }, at) => (value === null ? null : placeValue(scale, at, value)))
  const isWhole = !places.includes(null)
  const outline = make('path', {
    ...{ d: drawOutline(places), stroke: look.color, 'stroke-width': 2.25, 'stroke-dasharray': look.dash },
    ...{ 'stroke-linejoin': 'round', fill: isWhole ? look.color : 'none', 'fill-opacity': 0.08 },
  })
  const intervals = marks.flatMap(({ low, high }, at) => {
    if (low === null || high === null) return []
    const [[x1, y1], [x2, y2]] = [placeValue(scale, at, low, aside), placeValue(scale, at, high, aside)]
    return [make('line', { x1, y1, x2, y2, stroke: look.color, 'stroke-width': 3, 'stroke-opacity': 0.75 })]
  })
  const points = places.flatMap((place, at) => {
    if (place === null) return []
    const title = make('title', {}, `${name}, ${marks[at]!.axis}: ${formatValue(figure, marks[at]!)}`)
    return [drawSymbol(look, place, { make, children: [title] })]
  })
  return [outline, ...intervals, ...points]
}

/** Joins neighbouring axes with values. The outline is closed when all axes have one. */
function drawOutline(places: readonly ([number, number] | null)[]): string {
  if (!places.includes(null)) return `M${places.join('L')}Z`
  return places
    .map((place, at) => [place, places[(at + 1) % places.length] ?? null])
    .map(([from, to]) => (from === null || to === null ? '' : `M${from}L${to}`))
    .join('')
}

const symbolPaths: Readonly<Record<string, string>> = {
  circle: 'M-4.5,0A4.5,4.5,0,1,0,4.5,0A4.5,4.5,0,1,0,-4.5,0Z',
  square: 'M-4,-4H4V4H-4Z',
  triangle: 'M0,-5.5L5,3.5H-5Z',
  diamond: 'M0,-6L5,0L0,6L-5,0Z',
}

interface SymbolTools {
  readonly make: MakeSvg
  readonly children?: readonly SVGElement[]
}

/** Draws the shape of an arm at a place. Shapes that are not used for overlaid arms are circles. */
export function drawSymbol(
  look: Look,
  place: readonly number[],
  { make, children }: SymbolTools,
): SVGElement {
  const d = symbolPaths[look.symbol] ?? symbolPaths.circle!
  const attributes = { d, transform: `translate(${place})`, fill: look.color, stroke: 'currentColor' }
  return make('path', { ...attributes, 'stroke-width': 0.75 }, children)
}

/** Writes a value with its interval: `7.2 [6.1, 8.0]`, or `no value`. */
export function formatValue({ axis }: Radar, { value, low, high }: RadarMark): string {
  const text = (amount: number): string => ((axis.isPercent ? 100 : 1) * amount).toFixed(1)
  if (value === null) return 'no value'
  return low === null || high === null ? text(value) : `${text(value)} [${text(low)}, ${text(high)}]`
}
