import * as Plot from '@observablehq/plot'
import type { Figure, ValueAxis } from '../../figures/figure.ts'
import { displayWidth } from '../../tables/display-width.ts'
import { lineShadeOf, shadeOf, textColourOn } from './shades.ts'

type Options = Plot.PlotOptions
type Bars = Extract<Figure, { kind: 'bars' }>
type Stacks = Extract<Figure, { kind: 'stacks' }>
type Heat = Extract<Figure, { kind: 'heat' }>
type Lines = Extract<Figure, { kind: 'lines' }>

/** A drawn figure, and the meaning of its numbered colours. */
export interface DrawnFigure {
  readonly svg: SVGSVGElement
  readonly legend: readonly { readonly number: number; readonly name: string; readonly color: string }[]
}
/** A figure is one image with one accessible name, so the names of its parts are removed. */
const innerNames = ['aria-label', 'aria-description', 'aria-hidden'] as const

/** Narrower parts of a bar, as a share of it, have no number. */
const minNumberedShare = 0.03

/** Returns the names behind the figure's colours and numbers, in order. */
function namesOf(figure: Figure): string[] {
  switch (figure.kind) {
    case 'bars':
      return [...new Set(figure.bars.map(bar => bar.label))]
    case 'stacks':
      return [...figure.parts]
    case 'heat':
      return []
    case 'lines':
      return [...new Set(figure.points.map(point => point.line))]
    default:
      return figure satisfies never
  }
}

/** Returns the ends of an axis in drawn units, so that it contains all values. */
function axisDomain({ isPercent, least, most }: ValueAxis, values: readonly number[]): [number, number] {
  const scale = isPercent ? 100 : 1
  const low = least ?? Math.min(0, ...values)
  const high = most ?? Math.max(0, ...values)
  return [scale * low, scale * (high > low ? high : low + 1)]
}

function barOptions(figure: Bars, names: readonly string[]): Options {
  const scale = figure.axis.isPercent ? 100 : 1
  const values = figure.bars.flatMap(({ value, low, high }) => [value, low ?? value, high ?? value])
  const rows = figure.bars.map(bar => {
    const at = names.indexOf(bar.label)
    return {
      panel: bar.panel,
      number: String(at + 1),
      fill: shadeOf(at),
      value: scale * bar.value,
      low: scale * (bar.low ?? bar.value),
      high: scale * (bar.high ?? bar.value),
    }
  })
  const ordered = names.map((_, at) => String(at + 1))
  const interval = { fx: 'panel', x: 'number', y1: 'low', y2: 'high' } as const
  return {
    height: 290,
    marginTop: 34,
    x: { label: null, domain: ordered },
    fx: { label: null, domain: [...new Set(rows.map(row => row.panel))] },
    y: { ...upright(figure.unit), grid: true, domain: axisDomain(figure.axis, values) },
    marks: [
      Plot.barY(rows, {
        fx: 'panel',
        x: 'number',
        y: 'value',
        fill: row => row.fill,
        stroke: 'currentColor',
      }),
      // Black with a white edge is visible on every shade.
      Plot.ruleX(rows, { ...interval, stroke: 'white', strokeWidth: 5 }),
      Plot.ruleX(rows, { ...interval, stroke: 'black', strokeWidth: 2 }),
      Plot.ruleY([0]),
    ],
  }
}

/** Returns the segments of stacked bars with their positions, in percent of the bar. */
function stackRows({ segments }: Stacks, labels: readonly string[], names: readonly string[]) {
  return labels.flatMap(label => {
    let from = 0
    return segments
      .filter(segment => segment.label === label)
      .map(({ part, value }) => {
        const at = names.indexOf(part)
        const [start, end] = [from, from + 100 * value]
        from = end
        return { label, start, end, middle: (start + end) / 2, at, number: String(at + 1), share: value }
      })
  })
}

function stackOptions(figure: Stacks, names: readonly string[]): Options {
  const labels = [...new Set(figure.segments.map(segment => segment.label))]
  const rows = stackRows(figure, labels, names)
  const numbered = rows.filter(row => row.share >= minNumberedShare)
  return {
    height: 74 + 36 * labels.length,
    marginTop: 12,
    marginBottom: 50,
    marginLeft: Math.min(420, 24 + 7.2 * Math.max(...labels.map(displayWidth))),
    x: {
      label: 'share, %',
      labelAnchor: 'center',
      labelArrow: 'none',
      labelOffset: 42,
      domain: [0, 100],
      grid: true,
    },
    y: { label: null, domain: labels },
    marks: [
      Plot.barX(rows, {
        y: 'label',
        x1: 'start',
        x2: 'end',
        fill: row => shadeOf(row.at),
        stroke: 'currentColor',
      }),
      Plot.text(numbered, { y: 'label', x: 'middle', text: 'number', fill: row => textColourOn(row.at) }),
    ],
  }
}

/** Returns options that write an axis label along the axis, where it cannot overlap the name of a panel. */
function upright(label: string) {
  return { label, labelAnchor: 'center', labelArrow: 'none', labelOffset: 48 } as const
}

/** Moves the numbers at the ends of the lines of a panel apart, so that they do not overlap. */
function endsApart<T extends { readonly y: number }>(
  ends: readonly T[],
  step: number,
): (T & { readonly at: number })[] {
  let above = Number.POSITIVE_INFINITY
  return ends
    .toSorted((a, b) => b.y - a.y)
    .map(end => {
      above = Math.min(end.y, above - step)
      return { ...end, at: above }
    })
}

/** Dash patterns distinguish lines without colour. */
const dashes = ['', '7 4', '2 3', '10 3 2 3', '4 2', '1 3'] as const

/** A point of a line in drawn units, with the number and colour of its line. */
interface LineRow {
  readonly panel: string
  readonly at: number
  readonly number: string
  readonly x: number
  readonly y: number
  readonly stroke: string
}

function lineRows({ points, axis }: Lines, names: readonly string[]): LineRow[] {
  const scale = axis.isPercent ? 100 : 1
  return points.map(({ panel, line, x, y }) => {
    const at = names.indexOf(line)
    return { panel, at, number: String(at + 1), x, y: scale * y, stroke: lineShadeOf(at) }
  })
}

function lineOptions(figure: Lines, names: readonly string[]): Options {
  const values = figure.points.map(({ y }) => y)
  const domain = axisDomain(figure.axis, values)
  const rows = lineRows(figure, names)
  const panels = [...new Set(rows.map(row => row.panel))]
  // With so few ticks, labels do not overlap.
  const ticks = Math.max(2, Math.round(8 / panels.length))
  const places = [...new Set(rows.map(row => row.x))]
  return {
    height: 320,
    marginTop: 34,
    marginBottom: 50,
    marginRight: 26,
    x: {
      label: figure.xName ?? figure.x,
      type: 'log',
      labelAnchor: 'center',
      labelArrow: 'none',
      labelOffset: 42,
      // Whole values, such as model calls, get whole ticks.
      ticks: places.length <= ticks && places.every(Number.isInteger) ? places : ticks,
      tickFormat: '~s',
    },
    fx: { label: null, domain: panels, padding: 0.16 },
    y: { ...upright(figure.yName ?? figure.y), domain, grid: true },
    marks: [
      ...lineMarks(rows, { count: names.length, isStepped: figure.steps === true }),
      Plot.text(lineEnds(rows, panels, 0.06 * (domain[1] - domain[0])), {
        ...{ fx: 'panel', x: 'x', y: 'at', text: 'number' },
        ...{ dx: 10, fontWeight: 600 },
      }),
    ],
  }
}

/** Returns the last point of each line in each panel, with the height of its number. */
function lineEnds(rows: readonly LineRow[], panels: readonly string[], step: number) {
  const last = [...new Map(rows.map(row => [`${row.panel} ${row.number}`, row])).values()]
  return panels.flatMap(panel => {
    const ends = last.filter(row => row.panel === panel)
    return endsApart(ends, step)
  })
}

function lineMarks(
  rows: readonly LineRow[],
  { count, isStepped }: { readonly count: number; readonly isStepped: boolean },
): NonNullable<Options['marks']> {
  const place = { fx: 'panel', x: 'x', y: 'y' } as const
  const lines = Array.from({ length: count }, (_, at) => {
    const own = rows.filter(row => row.at === at)
    return Plot.line(own, {
      ...place,
      stroke: lineShadeOf(at),
      strokeWidth: 2.5,
      strokeDasharray: dashes[at % dashes.length] ?? '',
      curve: isStepped ? 'step-after' : 'linear',
    })
  })
  const dots = Plot.dot(rows, { ...place, r: 3, fill: row => row.stroke, stroke: 'currentColor' })
  return isStepped ? lines : [...lines, dots]
}

/** Returns the options of a heat map. Darker cells are nearer to 1, and each cell shows its number. */
function heatOptions(figure: Heat): Options {
  const rows = figure.cells.map(cell => ({
    ...cell,
    fill: `hsl(210 45% ${Math.round(92 - 60 * Math.max(0, cell.value))}%)`,
    ink: cell.value > 0.6 ? 'white' : 'black',
    text: cell.value.toFixed(3),
  }))
  return {
    height: 50 + 32 * new Set(rows.map(row => row.row)).size,
    width: 560,
    marginLeft: Math.min(320, 24 + 7.2 * Math.max(...rows.map(row => displayWidth(row.row)))),
    x: { label: null, axis: 'top' },
    y: { label: null, domain: [...new Set(rows.map(row => row.row))] },
    marks: [
      Plot.cell(rows, { x: 'column', y: 'row', fill: row => row.fill, inset: 1 }),
      Plot.text(rows, { x: 'column', y: 'row', text: 'text', fill: row => row.ink }),
    ],
  }
}

function optionsOf(figure: Figure, names: readonly string[]): Options {
  switch (figure.kind) {
    case 'bars':
      return barOptions(figure, names)
    case 'stacks':
      return stackOptions(figure, names)
    case 'heat':
      return heatOptions(figure)
    case 'lines':
      return lineOptions(figure, names)
    default:
      return figure satisfies never
  }
}

/** Draws a figure as one SVG image with one accessible name. */
export function drawFigure(figure: Figure, document: Document): DrawnFigure {
  const names = namesOf(figure)
  const svg = Plot.plot({
    marginLeft: 60,
    width: 1100,
    ...optionsOf(figure, names),
    document,
    style: { background: 'transparent', fontSize: '12px' },
    color: { type: 'identity' },
  }) as SVGSVGElement
  for (const name of innerNames)
    for (const part of svg.querySelectorAll(`[${name}]`)) part.removeAttribute(name)
  svg.setAttribute('role', 'img')
  svg.setAttribute('aria-label', `${figure.title}. ${figure.caption}`)
  return {
    svg,
    legend: names.map((name, at) => ({
      number: at + 1,
      name,
      color: figure.kind === 'lines' ? lineShadeOf(at) : shadeOf(at),
    })),
  }
}
