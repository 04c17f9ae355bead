import { escapeHtml } from './escape-html.ts'
import type { Figure } from './figures.ts'

type PlotLibrary = typeof import('@observablehq/plot')
type Options = NonNullable<Parameters<PlotLibrary['plot']>[0]>
type Bars = Extract<Figure, { kind: 'bars' }>
type Stacks = Extract<Figure, { kind: 'stacks' }>
type Heat = Extract<Figure, { kind: 'heat' }>
type Lines = Extract<Figure, { kind: 'lines' }>

/** A figure's SVG as text, every text in it escaped, and what its numbered colours mean. */
export interface DrawnFigure {
  readonly svg: string
  readonly legend: readonly { readonly number: number; readonly name: string; readonly color: string }[]
}
export type DrawFigure = (figure: Figure) => DrawnFigure

/** A figure is one image with one name: names of its parts would be no valid ones. */
const innerNames = / aria-(?:label|description|hidden)="[^"]*"/g

/** Dark and light by turns; each part carries its number too, so that no reader needs the hue. */
const shades = [
  '#1f7a5c',
  '#f2c14e',
  '#a63d40',
  '#a9c5d6',
  '#5c4b8a',
  '#ead9bb',
  '#33608c',
  '#f5a58a',
  '#6b705c',
  '#d4b5c0',
  '#2b2d42',
] as const
const darkShades = new Set<string>([shades[0], shades[2], shades[4], shades[6], shades[8], shades[10]])
/** A number is not drawn into a part narrower than this. */
const leastNumbered = 0.03

function shadeOf(at: number): string {
  return shades[at % shades.length] ?? shades[0]
}

function inkOn(at: number): string {
  return darkShades.has(shadeOf(at)) ? 'white' : 'black'
}

/** The names that the figure's colours and numbers stand for, in order. */
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

function barOptions(Plot: PlotLibrary, figure: Bars, names: readonly string[]): Options {
  const rows = figure.bars.map(bar => {
    const at = names.indexOf(bar.label)
    return {
      panel: bar.panel,
      number: String(at + 1),
      fill: shadeOf(at),
      value: 100 * bar.value,
      low: 100 * (bar.low ?? bar.value),
      high: 100 * (bar.high ?? bar.value),
    }
  })
  const ordered = names.map((_, at) => String(at + 1))
  return {
    height: 280,
    x: { label: null, domain: ordered },
    fx: { label: null, domain: [...new Set(rows.map(row => row.panel))] },
    y: { label: figure.unit, grid: true, domain: [0, 100] },
    marks: [
      Plot.barY(rows, {
        fx: 'panel',
        x: 'number',
        y: 'value',
        fill: row => row.fill,
        stroke: 'currentColor',
      }),
      Plot.ruleX(rows, { fx: 'panel', x: 'number', y1: 'low', y2: 'high', strokeWidth: 2 }),
      Plot.ruleY([0]),
    ],
  }
}

function stackOptions(Plot: PlotLibrary, figure: Stacks, names: readonly string[]): Options {
  const labels = [...new Set(figure.segments.map(segment => segment.label))]
  const rows = labels.flatMap(label => {
    let from = 0
    return figure.segments
      .filter(segment => segment.label === label)
      .map(segment => {
        const at = names.indexOf(segment.part)
        const [start, end] = [from, from + 100 * segment.value]
        from = end
        return {
          label,
          start,
          end,
          middle: (start + end) / 2,
          at,
          number: String(at + 1),
          share: segment.value,
        }
      })
  })
  const numbered = rows.filter(row => row.share >= leastNumbered)
  return {
    height: 60 + 44 * labels.length,
    marginLeft: 190,
    x: { label: 'share, %', domain: [0, 100], grid: true },
    y: { label: null, domain: labels },
    marks: [
      Plot.barX(rows, {
        y: 'label',
        x1: 'start',
        x2: 'end',
        fill: row => shadeOf(row.at),
        stroke: 'currentColor',
      }),
      Plot.text(numbered, { y: 'label', x: 'middle', text: 'number', fill: row => inkOn(row.at) }),
    ],
  }
}

function lineOptions(Plot: PlotLibrary, figure: Lines, names: readonly string[]): Options {
  const rows = figure.points.map(point => {
    const at = names.indexOf(point.line)
    return { panel: point.panel, number: String(at + 1), x: point.x, y: 100 * point.y, stroke: shadeOf(at) }
  })
  const ends = [...new Map(rows.map(row => [`${row.panel} ${row.number}`, row])).values()]
  return {
    height: 300,
    marginRight: 24,
    x: { label: figure.x, type: 'log' },
    fx: { label: null },
    y: { label: `${figure.y}, %`, domain: [0, 100], grid: true },
    marks: [
      Plot.lineY(rows, {
        fx: 'panel',
        x: 'x',
        y: 'y',
        z: 'number',
        stroke: row => row.stroke,
        strokeWidth: 2,
      }),
      Plot.dot(rows, { fx: 'panel', x: 'x', y: 'y', fill: row => row.stroke, stroke: 'currentColor' }),
      Plot.text(ends, { fx: 'panel', x: 'x', y: 'y', text: 'number', dx: 10 }),
    ],
  }
}

/** Darker is nearer to 1; each field says its number. */
function heatOptions(Plot: PlotLibrary, figure: Heat): Options {
  const rows = figure.cells.map(cell => ({
    ...cell,
    fill: `hsl(210 45% ${Math.round(92 - 60 * Math.max(0, cell.value))}%)`,
    ink: cell.value > 0.6 ? 'white' : 'black',
    text: cell.value.toFixed(3),
  }))
  return {
    height: 50 + 32 * new Set(rows.map(row => row.row)).size,
    width: 520,
    marginLeft: 140,
    x: { label: null, axis: 'top' },
    y: { label: null, domain: [...new Set(rows.map(row => row.row))] },
    marks: [
      Plot.cell(rows, { x: 'column', y: 'row', fill: row => row.fill, inset: 1 }),
      Plot.text(rows, { x: 'column', y: 'row', text: 'text', fill: row => row.ink }),
    ],
  }
}

function optionsOf(Plot: PlotLibrary, figure: Figure, names: readonly string[]): Options {
  switch (figure.kind) {
    case 'bars':
      return barOptions(Plot, figure, names)
    case 'stacks':
      return stackOptions(Plot, figure, names)
    case 'heat':
      return heatOptions(Plot, figure)
    case 'lines':
      return lineOptions(Plot, figure, names)
    default:
      return figure satisfies never
  }
}

/** Loads the plotting library, which nothing but the HTML report needs. */
export async function loadFigureDrawing(): Promise<DrawFigure> {
  const [Plot, { parseHTML }] = await Promise.all([import('@observablehq/plot'), import('linkedom')])
  const { document } = parseHTML('<html><body></body></html>')
  return figure => {
    const names = namesOf(figure)
    const drawn = Plot.plot({
      marginLeft: 60,
      width: 900,
      ...optionsOf(Plot, figure, names),
      document: document as unknown as NonNullable<Options['document']>,
      style: { background: 'transparent', fontSize: '12px' },
      color: { type: 'identity' },
    })
    // Written here, since the library that writes the rest leaves < in attributes as it is.
    const name = escapeHtml(`${figure.title}. ${figure.caption}`)
    return {
      svg: drawn.outerHTML
        .replaceAll(innerNames, '')
        .replace('<svg ', () => `<svg role="img" aria-label="${name}" `),
      legend: names.map((name, at) => ({ number: at + 1, name, color: shadeOf(at) })),
    }
  }
}
