import * as Plot from '@observablehq/plot'
import type { Figure } from '../../figures/figure.ts'
import { displayWidth } from '../../tables/display-width.ts'
import type { Options } from './axes.ts'
import { makeBarOptions } from './bars.ts'
import { arrangeLooks, makeLineOptions } from './lines.ts'
import { lossPartNames, makeLossPartOptions, pickLossPartColour } from './loss-parts.ts'
import { drawRadar } from './radar.ts'
import { makeStackOptions, pickPartColour } from './stacks.ts'

/** A drawn figure, and the meaning of its numbered colours. */
interface DrawnFigure {
  readonly svg: SVGSVGElement
  readonly legend: readonly LegendEntry[]
}

interface LegendEntry {
  readonly number: number | null
  readonly name: string
  readonly color: string
  /** The dashes of a line, as in SVG. Absent: the entry is an area. */
  readonly dash?: string
}

const fullWidth = 1100

/**
 * Draws a figure as one SVG image with one accessible name.
 *
 * @param width - The pixels that are available. Bars, stacks and radar charts adapt to it: other figures scroll sideways.
 */
export function drawFigure(figure: Figure, document: Document, width = fullWidth): DrawnFigure {
  const { svg, legend } =
    figure.kind === 'radar'
      ? { svg: drawRadar(figure, document, Math.min(width, fullWidth)), legend: [] }
      : drawPlot(figure, document, Math.min(width, fullWidth))
  svg.setAttribute('role', 'img')
  svg.setAttribute('aria-label', `${figure.title}. ${figure.caption}`)
  return { svg, legend }
}

/** A figure that the plotting library draws. Radar charts are our own, with their legend in the image. */
type PlottedFigure = Exclude<Figure, { readonly kind: 'radar' }>

function drawPlot(figure: PlottedFigure, document: Document, width: number): DrawnFigure {
  const names = listNames(figure)
  const svg = Plot.plot({
    marginLeft: 60,
    width: fullWidth,
    ...makePlotOptions(figure, names, width),
    document,
    style: { background: 'transparent', fontSize: '12px', whiteSpace: 'pre' },
    color: { type: 'identity' },
    symbol: { type: 'identity' },
  }) as SVGSVGElement
  // The page's content security policy allows no style sheets but its own.
  svg.querySelector('style')?.remove()
  for (const name of innerNames)
    for (const part of svg.querySelectorAll(`[${name}]`)) part.removeAttribute(name)
  return { svg, legend: makeLegend(figure, names) }
}

/** Explains the numbers and colours of a figure. Bars have their names beside them. */
function makeLegend(figure: PlottedFigure, names: readonly string[]): DrawnFigure['legend'] {
  if (figure.kind === 'loss-parts') {
    const parts = [...new Set(figure.parts.map(({ part }) => part))]
    return parts.map(part => ({ number: null, name: lossPartNames[part], color: pickLossPartColour(part) }))
  }
  if (figure.kind === 'bars') return []
  if (figure.kind === 'lines')
    return arrangeLooks(figure, names).map(({ color, dash }, at) => ({
      ...{ number: at + 1, name: names[at] ?? '', color, dash },
    }))
  return names.map((name, at) => ({ number: at + 1, name, color: pickPartColour(name, at) }))
}

/** A figure is one image with one accessible name, so the names of its parts are removed. */
const innerNames = ['aria-label', 'aria-description', 'aria-hidden'] as const

/** Returns the names behind the figure's colours and numbers, in order. */
function listNames(figure: PlottedFigure): string[] {
  switch (figure.kind) {
    case 'bars':
      return [...new Set(figure.bars.map(bar => bar.label))]
    case 'stacks':
      return [...figure.parts]
    case 'heat':
    case 'loss-parts':
      return []
    case 'lines':
      return [...new Set([...figure.points, ...(figure.references ?? [])].map(({ line }) => line))]
    default:
      return figure satisfies never
  }
}

function makePlotOptions(figure: PlottedFigure, names: readonly string[], width: number): Options {
  switch (figure.kind) {
    case 'bars':
      return makeBarOptions(figure, names, width)
    case 'stacks':
      return makeStackOptions(figure, names, width)
    case 'heat':
      return makeHeatOptions(figure)
    case 'loss-parts':
      return makeLossPartOptions(figure)
    case 'lines':
      return makeLineOptions(figure, names)
    default:
      return figure satisfies never
  }
}

type Heat = Extract<Figure, { kind: 'heat' }>

/** Returns the options of a heat map. Darker cells are nearer to 1, and each cell shows its number. */
function makeHeatOptions(figure: Heat): Options {
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
