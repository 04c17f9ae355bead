import * as Plot from '@observablehq/plot'
import type { Figure, Series } from '../../figures/figure.ts'
import { displayWidth } from '../../tables/display-width.ts'
import type { Options } from './axes.ts'
import { barOptions, mostBars } from './bars.ts'
import { lineOptions } from './lines.ts'
import { chooseLook } from './looks.ts'
import { lossPartColour, lossPartNames, lossPartOptions } from './loss-parts.ts'
import { drawRadar } from './radar.ts'
import { lineShade } from './shades.ts'
import { partColour, stackOptions } from './stacks.ts'

/** A drawn figure, and the meaning of its numbered colours. */
interface DrawnFigure {
  readonly svg: SVGSVGElement
  readonly legend: readonly {
    readonly number: number | null
    readonly name: string
    readonly color: string
  }[]
}

const fullWidth = 1100

/**
 * Draws a figure as one SVG image with one accessible name.
 *
 * @param width - The pixels that are available. Only radar charts adapt to it: other figures scroll sideways.
 */
export function drawFigure(figure: Figure, document: Document, width = fullWidth): DrawnFigure {
  const { svg, legend } =
    figure.kind === 'radar'
      ? { svg: drawRadar(figure, document, Math.min(width, fullWidth)), legend: [] }
      : drawPlot(figure, document)
  svg.setAttribute('role', 'img')
  svg.setAttribute('aria-label', `${figure.title}. ${figure.caption}`)
  return { svg, legend }
}

/** A figure that the plotting library draws. Radar charts are our own, with their legend in the image. */
type PlottedFigure = Exclude<Figure, { readonly kind: 'radar' }>

function drawPlot(figure: PlottedFigure, document: Document): DrawnFigure {
  const names = listNames(figure)
  const svg = Plot.plot({
    marginLeft: 60,
    width: fullWidth,
    ...plotOptions(figure, names),
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

/** Explains the numbers and colours of a figure. Dots are named on their axis, so that their legend is their settings. */
function makeLegend(figure: PlottedFigure, names: readonly string[]): DrawnFigure['legend'] {
  if (figure.kind === 'loss-parts') {
    const parts = [...new Set(figure.parts.map(({ part }) => part))]
    return parts.map(part => ({ number: null, name: lossPartNames[part], color: lossPartColour(part) }))
  }
  const series = figure.kind === 'stacks' ? [] : (figure.series ?? [])
  if (figure.kind === 'bars' && names.length > mostBars) return settingLegend(series)
  return names.map((name, at) => {
    const arm = series.find(candidate => candidate.name === name)
    const plain = figure.kind === 'lines' ? lineShade(at) : partColour(name, at)
    return { number: at + 1, name, color: arm === undefined ? plain : chooseLook(arm).color }
  })
}

function settingLegend(series: readonly Series[]): DrawnFigure['legend'] {
  const settings = new Map(
    series.map(arm => [arm.control === null ? arm.setting : `${arm.setting} ${arm.control}`, arm]),
  )
  return [...settings].map(([name, arm]) => ({ number: null, name, color: chooseLook(arm).color }))
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

function plotOptions(figure: PlottedFigure, names: readonly string[]): Options {
  switch (figure.kind) {
    case 'bars':
      return barOptions(figure, names)
    case 'stacks':
      return stackOptions(figure, names)
    case 'heat':
      return heatOptions(figure)
    case 'loss-parts':
      return lossPartOptions(figure)
    case 'lines':
      return lineOptions(figure, names)
    default:
      return figure satisfies never
  }
}

type Heat = Extract<Figure, { kind: 'heat' }>

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
