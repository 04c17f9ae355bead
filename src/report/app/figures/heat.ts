import * as Plot from '@observablehq/plot'
import type { Figure } from '../../figures/figure.ts'
import { displayWidth } from '../../tables/display-width.ts'
import type { Options } from './axes.ts'

type Heat = Extract<Figure, { kind: 'heat' }>

/** Returns the options of a heat map. Darker cells are nearer to 1, and each cell shows its number. */
export function heatOptions(figure: Heat): Options {
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
