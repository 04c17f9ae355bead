import * as Plot from '@observablehq/plot'
import type { Figure } from '../../figures/figure.ts'
import { boundAxis, nameAxis, type Options } from './axes.ts'
import { chooseLook, pageColour } from './looks.ts'
import { drawPatterns, pickPatternFill } from './patterns.ts'
import { pickPartShade } from './shades.ts'

type Bars = Extract<Figure, { kind: 'bars' }>

/** From this many series on, a figure is split, and its rows are lower. */
export const mostBars = 12

/** A bar in drawn units. */
interface BarRow {
  /** The place of its panel. */
  readonly fx: number
  readonly fy: number
  readonly label: string
  readonly fill: string
  readonly model: number
  readonly value: number
  readonly low: number
  readonly high: number
  /** Undefined when unknown. */
  readonly floor: number | undefined
  readonly ceiling: number | undefined
  readonly title: string
}

function listBarRows(figure: Bars, names: readonly string[], panels: readonly Panel[]): BarRow[] {
  const scale = figure.axis.isPercent ? 100 : 1
  const places = new Map(panels.map(({ name, fx, fy }) => [name, { fx, fy }]))
  return figure.bars.map(({ panel, label, value, low, high, floor, ceiling }) => {
    const at = names.indexOf(label)
    const series = figure.series?.find(({ name }) => name === label)
    const look = series === undefined ? null : chooseLook(series)
    const shown = (amount: number): string => (scale * amount).toFixed(1)
    const interval = low === null || high === null ? '' : ` [${shown(low)}, ${shown(high)}]`
    return {
      ...places.get(panel)!,
      ...{ label, fill: look?.color ?? pickPartShade(at), model: series?.model ?? 0 },
      // A floor at the ceiling, as of keys that are given, is no second mark.
      floor: floor === undefined || floor === ceiling ? undefined : scale * floor,
      ceiling: ceiling === undefined ? ceiling : scale * ceiling,
      ...{ value: scale * value, low: scale * (low ?? value), high: scale * (high ?? value) },
      title: `${label}, ${panel}: ${shown(value)}${interval}${floor === undefined ? '' : `, floor ${shown(floor)}`}${ceiling === undefined ? '' : `, ceiling ${shown(ceiling)}`}`,
    }
  })
}

/** A panel with its place in the grid of panels. */
interface Panel {
  readonly name: string
  readonly fx: number
  readonly fy: number
}

/** The least pixels of a panel, the space above each row of panels, and that of the values beside the bars. */
const [leastPanel, panelGap, valueSpace] = [230, 46, 48]

/** Narrower figures have the name of each bar above it. */
const leastForNames = 600

/**
 * Returns the options of bars: each arm is a row with its name and its value. The panels are beside each other as far as
 * the width allows.
 */
export function makeBarOptions(figure: Bars, names: readonly string[], width: number): Options {
  const hasNamesAbove = width < leastForNames
  const { marginLeft, label } = hasNamesAbove
    ? { marginLeft: 10, label: null }
    : nameAxis(names, Math.min(420, width / 3))
  const panelNames = [...new Set(figure.bars.map(({ panel }) => panel))]
  const columns = Math.max(1, Math.min(panelNames.length, Math.floor((width - marginLeft) / leastPanel)))
  const panels = panelNames.map((name, at) => ({ name, fx: at % columns, fy: Math.floor(at / columns) }))
  const rows = listBarRows(figure, names, panels)
  const values = figure.bars.flatMap(({ value, low, high }) => [value, low ?? value, high ?? value])
  const rowHeight = hasNamesAbove ? 40 : names.length > mostBars ? 19 : 27
  const panelHeight = rowHeight * names.length
  const lines = Math.ceil(panels.length / columns)
  const at = { fx: 'fx', fy: 'fy', y: 'label' } as const
  return {
    ...{ width, marginLeft, marginTop: 26, marginRight: 4, marginBottom: 44 },
    height: 70 + lines * panelHeight + (lines - 1) * panelGap,
    x: {
      ...{ label: figure.unit, labelAnchor: 'center', labelArrow: 'none', grid: true, ticks: 5 },
      domain: [...boundAxis(figure.axis, values)],
      insetRight: valueSpace,
    },
    fx: { axis: null, paddingInner: columns === 1 ? 0 : 0.06, paddingOuter: 0 },
    fy: { axis: null, paddingInner: lines === 1 ? 0 : panelGap / (panelHeight + panelGap), paddingOuter: 0 },
    y: {
      ...{ label: null, domain: [...names], tickSize: 0, padding: 0.28 },
      ...(label === null ? { axis: null } : { tickFormat: label }),
    },
    marks: [
      Plot.text(panels, {
        ...{ fx: 'fx', fy: 'fy', text: 'name', frameAnchor: 'top-left', dy: -16, fontWeight: 600 },
      }),
      Plot.barX(rows, {
        ...{ ...at, x: 'value', stroke: 'currentColor', title: 'title' },
        fill: row => pickPatternFill(figure.id, row),
        insetTop: hasNamesAbove ? 13 : 0,
      }),
      drawPatterns(figure.id, rows),
      ...limitMarks(rows, hasNamesAbove, Math.min(20, 0.8 * rowHeight)),
      ...drawIntervals(rows, hasNamesAbove),
      Plot.text(rows, {
        ...{ ...at, frameAnchor: 'right', dy: hasNamesAbove ? barShift : 0, fontWeight: 600 },
        text: row => row.value.toFixed(1),
      }),
      ...(hasNamesAbove
        ? [Plot.text(rows, { ...at, frameAnchor: 'left', dx: 2, dy: -11, text: 'label' })]
        : []),
      Plot.ruleX([0]),
    ],
  }
}

/** So far is a bar below the middle of its row when its name is above it. */
const barShift = 7

/** The floor and the ceiling of each bar as brackets around what an answer can get. */
function limitMarks(rows: readonly BarRow[], isShifted: boolean, length: number): Plot.Markish[] {
  return (['floor', 'ceiling'] as const).map(limit =>
    Plot.vector(
      rows.filter(row => row[limit] !== undefined),
      {
        ...{ fx: 'fx', fy: 'fy', y: 'label', x: limit, dy: isShifted ? barShift : 0 },
        ...{ anchor: 'start', length, strokeWidth: 1.2, shape: drawBracket(limit === 'floor' ? 4 : -4) },
      },
    ),
  )
}

/** A bracket whose arms have a length and a direction. */
const drawBracket = (arms: number): Plot.VectorShapeImplementation => ({
  draw(context, length) {
    context.moveTo(arms, -length / 2)
    context.lineTo(0, -length / 2)
    context.lineTo(0, length / 2)
    context.lineTo(arms, length / 2)
  },
})

/** A whisker and its caps: a thin line with an edge in the colour of the page, which is visible on every shade. */
function drawIntervals(rows: readonly BarRow[], isShifted: boolean): Plot.Markish[] {
  const intervals = rows.filter(({ low, high }) => low < high)
  const at = { fx: 'fx', fy: 'fy', y: 'label', dy: isShifted ? barShift : 0 } as const
  const whisker = (stroke: string, strokeWidth: number): Plot.Markish[] => [
    Plot.ruleY(intervals, { ...at, x1: 'low', x2: 'high', stroke, strokeWidth }),
    ...['low', 'high'].map(x =>
      Plot.vector(intervals, {
        ...{ ...at, x, stroke, strokeWidth, length: 8, anchor: 'start', strokeLinecap: 'butt' },
        shape: cap,
      }),
    ),
  ]
  return [...whisker(pageColour, 3.4), ...whisker('currentColor', 1.4)]
}

/** A line across the end of a whisker. */
const cap: Plot.VectorShapeImplementation = {
  draw(context, length) {
    context.moveTo(0, -length / 2)
    context.lineTo(0, length / 2)
  },
}
