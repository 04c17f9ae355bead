import { displayWidth, fitWidth, wrapLine } from '../../tables/display-width.ts'
import { drawArm, formatValue, type Radar, type RadarArm } from './radar-arm.ts'
import { placeValue, type RadarScale } from './radar-scale.ts'
import type { MakeSvg } from './svg-element.ts'

/** A part of a chart that still has to be moved to its place. */
export interface Drawn {
  readonly group: SVGElement
  readonly height: number
}

/** What the parts of a chart are drawn with. */
export interface PanelTools {
  readonly make: MakeSvg
  /** In pixels. */
  readonly width: number
}

export const lineHeight = 15
/** The width of a character of a text that is 12 pixels high. */
const charWidth = 6.2
/** Longer names of axes are wrapped, and longer words are cut. */
const [labelChars, wordChars] = [13, 18] as const
/** The pixels between the end of an axis and its name. */
const labelGap = 9
const leastRadius = 48
const rings = 5

/** Draws the axes with their names, and the arms of one panel. A single arm has its name above and its values. */
export function drawPanel(figure: Radar, arms: readonly RadarArm[], { make, width }: PanelTools): Drawn {
  const title = arms.length === 1 ? nameLines(arms[0]!.name, width) : []
  const labels = figure.axes.map((name, at) => [
    ...wrapLine(name, labelChars).map(line => fitWidth(line, wordChars)),
    ...listValueLines(figure, arms, at),
  ])
  const labelHeight = lineHeight * Math.max(...labels.map(({ length }) => length)) + labelGap
  const radius = scaleRadius(labels, width)
  const top = title.length * lineHeight + labelHeight
  const { least, most } = figure.axis
  const scale = { x: width / 2, y: top + radius, radius, axes: labels.length, least, most }
  const middle = { x: width / 2, 'text-anchor': 'middle', 'font-weight': 600 }
  const group = make('g', {}, [
    ...title.map((line, at) => make('text', { ...middle, y: 12 + at * lineHeight }, line)),
    ...drawGrid(figure, arms, { make, scale }),
    ...labels.map((lines, at) => drawLabel(lines, at, { make, scale })),
    ...arms.flatMap((arm, at) =>
      drawArm(figure, arm, { make, scale, aside: 5 * (at - (arms.length - 1) / 2) }),
    ),
  ])
  const lowest = Math.max(...labels.map((_, at) => placeValue(scale, at, most)[1]))
  return { group, height: lowest + labelHeight }
}

/** Returns the radius that leaves space for the labels on both sides. */
function scaleRadius(labels: readonly (readonly string[])[], width: number): number {
  const radii = labels.map((lines, at) => {
    const aside = Math.abs(Math.sin((2 * Math.PI * at) / labels.length))
    const space = width / 2 - charWidth * Math.max(...lines.map(displayWidth))
    return aside < 0.2 ? width / 2 : space / aside - labelGap
  })
  return Math.max(leastRadius, Math.min(...radii))
}

/** Wraps the name of an arm into lines of this width. */
export function nameLines(name: string, width: number): string[] {
  const columns = Math.floor(width / charWidth)
  return wrapLine(name, columns).map(line => fitWidth(line, columns))
}

/** Returns the text below the name of an axis: the value of a single arm, or the numbers of the arms without one. */
function listValueLines(figure: Radar, arms: readonly RadarArm[], axis: number): string[] {
  if (arms.length === 1) return [formatValue(figure, arms[0]!.marks[axis]!)]
  const missing = arms.filter(({ marks }) => marks[axis]!.value === null).map(({ number }) => number)
  return missing.length === 0 ? [] : [`no value: ${missing.join(', ')}`]
}

interface ScaleTools {
  readonly make: MakeSvg
  readonly scale: RadarScale
}

/** Draws the axes, and rings with their values. An axis without any value is dashed. */
function drawGrid({ axis }: Radar, arms: readonly RadarArm[], { make, scale }: ScaleTools): SVGElement[] {
  const grid = { stroke: 'currentColor', 'stroke-opacity': 0.3, fill: 'none' }
  const step = (axis.most - axis.least) / rings
  const levels = Array.from({ length: rings + 1 }, (_, at) => axis.least + step * at)
  const cornersOf = (level: number): [number, number][] =>
    Array.from({ length: scale.axes }, (_, at) => placeValue(scale, at, level))
  // Leaves space for the intervals of several arms.
  const aside = arms.length === 1 ? 6 : 12
  const number = { 'text-anchor': 'end', 'font-size': 10, 'fill-opacity': 0.8 }
  return [
    ...levels.slice(1).map(level => make('polygon', { ...grid, points: cornersOf(level).join(' ') })),
    ...cornersOf(axis.most).map(([x2, y2], at) => {
      const isEmpty = arms.every(({ marks }) => marks[at]!.value === null)
      const dashes = isEmpty ? { 'stroke-dasharray': '2 5' } : {}
      return make('line', { ...grid, ...dashes, x1: scale.x, y1: scale.y, x2, y2 })
    }),
    ...levels.map(level => {
      const [x, y] = placeValue(scale, 0, level)
      const shown = Number(((axis.isPercent ? 100 : 1) * level).toFixed(2))
      return make('text', { ...number, x: x - aside, y: y + 4 }, String(shown))
    }),
  ]
}

/** Writes the lines of a label outside the end of its axis. */
function drawLabel(lines: readonly string[], axis: number, { make, scale }: ScaleTools): SVGElement {
  const [x, y] = placeValue({ ...scale, least: 0, most: scale.radius }, axis, scale.radius + labelGap)
  const [right, down] = [(x - scale.x) / scale.radius, (y - scale.y) / scale.radius]
  const anchor = Math.abs(right) < 0.2 ? 'middle' : right > 0 ? 'start' : 'end'
  const last = lines.length - 1
  const rowsAbove = down < -0.9 ? last : down > 0.6 ? -0.6 : last / 2 - 0.3
  const rows = lines.map((line, at) => make('tspan', { x, y: y + lineHeight * (at - rowsAbove) }, line))
  return make('text', { 'text-anchor': anchor }, rows)
}
