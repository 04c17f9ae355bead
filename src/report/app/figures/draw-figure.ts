import * as Plot from '@observablehq/plot'
import type { Figure } from '../../figures/figure.ts'
import type { Options } from './axes.ts'
import { barOptions } from './bars.ts'
import { heatOptions } from './heat.ts'
import { lineOptions } from './lines.ts'
import { lineShadeOf } from './shades.ts'
import { partColour, stackOptions } from './stacks.ts'

/** A drawn figure, and the meaning of its numbered colours. */
export interface DrawnFigure {
  readonly svg: SVGSVGElement
  readonly legend: readonly { readonly number: number; readonly name: string; readonly color: string }[]
}

/** Draws a figure as one SVG image with one accessible name. */
export function drawFigure(figure: Figure, document: Document): DrawnFigure {
  const names = namesOf(figure)
  const svg = Plot.plot({
    marginLeft: 60,
    width: 1100,
    ...optionsOf(figure, names),
    document,
    style: { background: 'transparent', fontSize: '12px', whiteSpace: 'pre' },
    color: { type: 'identity' },
  }) as SVGSVGElement
  // The page's content security policy allows no style sheets but its own.
  svg.querySelector('style')?.remove()
  for (const name of innerNames)
    for (const part of svg.querySelectorAll(`[${name}]`)) part.removeAttribute(name)
  svg.setAttribute('role', 'img')
  svg.setAttribute('aria-label', `${figure.title}. ${figure.caption}`)
  return {
    svg,
    legend: names.map((name, at) => ({
      number: at + 1,
      name,
      color: figure.kind === 'lines' ? lineShadeOf(at) : partColour(name, at),
    })),
  }
}

/** A figure is one image with one accessible name, so the names of its parts are removed. */
const innerNames = ['aria-label', 'aria-description', 'aria-hidden'] as const

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
