import * as Plot from '@observablehq/plot'
import type { Figure } from '../../figures/figure.ts'
import { nameAxis, type Options } from './axes.ts'
import { pickLossColour } from './loss-colours.ts'
import { pickPartShade, pickTextColour } from './shades.ts'

type Stacks = Extract<Figure, { kind: 'stacks' }>

/** Narrower parts of a bar have no number. */
const minNumberedPixels = 26

/** Returns the colour of a part of a stacked bar. Classes of items have their own. */
export function pickPartColour(part: string, at: number): string {
  return pickLossColour(part) ?? pickPartShade(at)
}

/** Returns the segments of stacked bars with their positions, in percent of the bar. */
function listStackRows({ segments }: Stacks, labels: readonly string[], names: readonly string[]) {
  return labels.flatMap(label => {
    let from = 0
    return segments
      .filter(segment => segment.label === label)
      .map(({ part, value }) => {
        const at = names.indexOf(part)
        const [start, end] = [from, from + 100 * value]
        from = end
        const number = String(at + 1)
        const title = `${label}, ${part}: ${(100 * value).toFixed(1)}%`
        return {
          label,
          start,
          end,
          middle: (start + end) / 2,
          fill: pickPartColour(part, at),
          number,
          share: value,
          title,
        }
      })
  })
}

/** Returns the options of stacked bars. */
export function makeStackOptions(figure: Stacks, names: readonly string[], width: number): Options {
  const labels = [...new Set(figure.segments.map(segment => segment.label))]
  const rows = listStackRows(figure, labels, names)
  const { marginLeft, label } = nameAxis(labels, Math.min(420, width / 3))
  const numbered = rows.filter(row => row.share * (width - marginLeft) >= minNumberedPixels)
  return {
    width,
    height: 74 + 36 * labels.length,
    marginTop: 12,
    marginBottom: 50,
    marginLeft,
    x: {
      label: 'share, %',
      labelAnchor: 'center',
      labelArrow: 'none',
      labelOffset: 42,
      domain: [0, 100],
      ticks: Math.min(10, Math.floor((width - marginLeft) / 50)),
      grid: true,
    },
    y: { label: null, domain: labels, tickFormat: label },
    marks: [
      Plot.barX(rows, {
        y: 'label',
        x1: 'start',
        x2: 'end',
        fill: row => row.fill,
        title: 'title',
        stroke: 'currentColor',
      }),
      Plot.text(numbered, { y: 'label', x: 'middle', text: 'number', fill: row => pickTextColour(row.fill) }),
    ],
  }
}
