import * as Plot from '@observablehq/plot'
import type { Figure } from '../../figures/figure.ts'
import { displayWidth } from '../../tables/display-width.ts'
import { axisDomain, nameAxis, type Options, upright } from './axes.ts'
import { chooseLook, type Look, pageColour } from './looks.ts'
import { patternFill, patterns } from './patterns.ts'
import { partShade } from './shades.ts'

type Bars = Extract<Figure, { kind: 'bars' }>

/** From this many series on, bars are too narrow: each series becomes a row of dots. */
export const mostBars = 12

/** A bar or a dot in drawn units. */
interface BarRow {
  readonly panel: string
  readonly label: string
  readonly number: string
  readonly fill: string
  readonly symbol: Look['symbol']
  readonly model: number
  readonly value: number
  readonly low: number
  readonly high: number
  /** Floor and ceiling, as far as they are known. */
  readonly limits: readonly number[]
  readonly title: string
}

function barRows(figure: Bars, names: readonly string[]): BarRow[] {
  const scale = figure.axis.isPercent ? 100 : 1
  return figure.bars.map(({ panel, label, value, low, high, floor, ceiling }) => {
    const at = names.indexOf(label)
    const series = figure.series?.find(({ name }) => name === label)
    const look = series === undefined ? null : chooseLook(series)
    const shown = (amount: number): string => (scale * amount).toFixed(1)
    const interval = low === null || high === null ? '' : ` [${shown(low)}, ${shown(high)}]`
    return {
      ...{ panel, label, number: String(at + 1), fill: look?.color ?? partShade(at) },
      ...{ symbol: look?.symbol ?? 'circle', model: series?.model ?? 0 },
      limits: [floor, ceiling].flatMap(limit => (limit === undefined ? [] : [scale * limit])),
      ...{ value: scale * value, low: scale * (low ?? value), high: scale * (high ?? value) },
      title: `${label}, ${panel}: ${shown(value)}${interval}${floor === undefined ? '' : `, floor ${shown(floor)}`}${ceiling === undefined ? '' : `, ceiling ${shown(ceiling)}`}`,
    }
  })
}

/** Returns the options of bars, or of rows of dots when there are many series. */
export function barOptions(figure: Bars, names: readonly string[]): Options {
  const values = figure.bars.flatMap(({ value, low, high }) => [value, low ?? value, high ?? value])
  const rows = barRows(figure, names)
  const domain = axisDomain(figure.axis, values)
  return names.length > mostBars
    ? dotOptions(figure, rows, { names, domain })
    : uprightBarOptions(figure, rows, { names, domain })
}

interface BarAxis {
  readonly names: readonly string[]
  readonly domain: readonly [number, number]
}

/** About the pixels of all bars of a figure, and of a digit of their values. */
const [barsWidth, digitWidth] = [860, 7]

/** Whether the value above each bar fits its width. The tables have the values, and each bar has its own as a title. */
function areValuesReadable(texts: readonly string[], bars: number): boolean {
  return digitWidth * Math.max(...texts.map(displayWidth)) <= barsWidth / bars
}

function uprightBarOptions(figure: Bars, rows: readonly BarRow[], { names, domain }: BarAxis): Options {
  const at = { fx: 'panel', x: 'number' } as const
  const panels = [...new Set(rows.map(row => row.panel))]
  const bars = panels.length * names.length
  const textOf = (row: BarRow): string => row.value.toFixed(figure.axis.isPercent ? 0 : 1)
  const isReadable = areValuesReadable(rows.map(textOf), bars)
  return {
    height: 300,
    marginTop: 34,
    x: { label: null, domain: names.map((_, at) => String(at + 1)) },
    fx: { label: null, domain: panels },
    // The inset keeps the value of a full bar below the name of its panel.
    y: { ...upright(figure.unit), grid: true, domain: [...domain], insetTop: 18 },
    marks: [
      Plot.barY(rows, {
        ...{ ...at, y: 'value', stroke: 'currentColor', title: 'title' },
        fill: row => patternFill(figure.id, row),
      }),
      patterns(figure.id, rows),
      Plot.tickY(listLimits(rows), { fx: 'panel', x: 'number', y: 'limit', ...limitLook }),
      ...intervalMarks(rows, barsWidth / bars),
      ...(isReadable ? valueMarks(rows, domain, textOf) : []),
      Plot.ruleY([0]),
    ],
  }
}

/** The floor and the ceiling of each bar as marks of their own. */
function listLimits(rows: readonly BarRow[]) {
  return rows.flatMap(({ limits, panel, number, label }) =>
    limits.map(limit => ({ panel, number, label, limit })),
  )
}

const limitLook = { stroke: 'currentColor', strokeWidth: 1.5, strokeDasharray: '3 2' } as const

/** A whisker and its caps: a thin line with an edge in the colour of the page, which is visible on every shade. */
function intervalMarks(rows: readonly BarRow[], barWidth: number): Plot.Markish[] {
  const intervals = rows.filter(({ low, high }) => low < high)
  const at = { fx: 'panel', x: 'number' } as const
  const capWidth = Math.min(9, barWidth / 2)
  const whisker = (stroke: string, strokeWidth: number): Plot.Markish[] => [
    Plot.ruleX(intervals, { ...at, y1: 'low', y2: 'high', stroke, strokeWidth }),
    ...['low', 'high'].map(y =>
      Plot.vector(intervals, {
        ...{ ...at, y, stroke, strokeWidth, length: capWidth, anchor: 'start', strokeLinecap: 'butt' },
        shape: cap,
      }),
    ),
  ]
  return [
    ...whisker(pageColour, 3.4),
    // The edge of the whisker must not hide the end of the bar.
    Plot.tickY(intervals, { ...at, y: 'value', stroke: 'currentColor' }),
    ...whisker('currentColor', 1.4),
  ]
}

/** A horizontal line across the end of a whisker. */
const cap: Plot.VectorShapeImplementation = {
  draw(context, length) {
    context.moveTo(-length / 2, 0)
    context.lineTo(length / 2, 0)
  },
}

/** The share of the axis that a value below a bar needs. */
const textShare = 0.08

/**
 * Writes each value beyond the whisker. A negative bar has it below, or above the bar's beginning where the axis ends too
 * soon. The inset of the axis leaves room above every bar.
 */
function valueMarks(
  rows: readonly BarRow[],
  [least, most]: readonly [number, number],
  textOf: (row: BarRow) => string,
): Plot.Markish[] {
  const isBelow = ({ value, low }: BarRow): boolean =>
    value < 0 && Math.min(value, low) - least > textShare * (most - least)
  const values = (labelled: readonly BarRow[], y: (row: BarRow) => number, dy: number): Plot.Markish =>
    Plot.text(labelled, { fx: 'panel', x: 'number', y, dy, text: textOf })
  return [
    values(
      rows.filter(row => !isBelow(row)),
      ({ value, high }) => Math.max(value, high, 0),
      -9,
    ),
    values(rows.filter(isBelow), ({ value, low }) => Math.min(value, low), 9),
  ]
}

/** Draws each series as a row with a dot and its interval, the panels side by side. */
function dotOptions(figure: Bars, rows: readonly BarRow[], { names, domain }: BarAxis): Options {
  const panels = [...new Set(rows.map(row => row.panel))]
  const labelled = panels.length === 1
  const { marginLeft, label } = nameAxis(names)
  return {
    height: 60 + 19 * names.length,
    marginTop: 34,
    marginBottom: 44,
    marginLeft,
    x: { label: figure.unit, labelAnchor: 'center', labelArrow: 'none', grid: true, domain: [...domain] },
    fx: { label: null, domain: panels },
    y: { label: null, domain: [...names], tickFormat: label },
    marks: [
      Plot.tickX(listLimits(rows), { fx: 'panel', y: 'label', x: 'limit', ...limitLook }),
      Plot.ruleY(rows, { fx: 'panel', y: 'label', x1: 'low', x2: 'high', strokeWidth: 2 }),
      Plot.dot(rows, {
        ...{ fx: 'panel', y: 'label', x: 'value', r: 4.5, stroke: 'currentColor', title: 'title' },
        fill: row => row.fill,
        symbol: (row: BarRow) => row.symbol,
      }),
      ...(labelled
        ? [
            Plot.text(rows, {
              ...{ fx: 'panel', y: 'label', x: 'high', dx: 8, textAnchor: 'start' },
              text: row => row.value.toFixed(1),
            }),
          ]
        : []),
    ],
  }
}
