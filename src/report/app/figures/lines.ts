import * as Plot from '@observablehq/plot'
import type { Figure } from '../../figures/figure.ts'
import { boundAxis, type Options, setUpright } from './axes.ts'
import { chooseLook, type Look } from './looks.ts'
import { pickLineShade } from './shades.ts'

type Lines = Extract<Figure, { kind: 'lines' }>

/** So many places have a tick each, in panels of any width. */
const mostPlaces = 4

/** Dash patterns distinguish lines without colour. */
const dashes = ['', '7 4', '2 3', '10 3 2 3', '4 2', '1 3'] as const

/**
 * Returns how each line looks. The colour of an arm is its setting or control, as in bars. Where arms would look the same,
 * shapes and dashes are numbered among the lines of a colour. Without arms, colours and dashes are numbered.
 */
export function arrangeLooks({ series = [] }: Lines, names: readonly string[]): Look[] {
  const arms = names.map(name => series.find(candidate => candidate.name === name))
  const looks = arms.flatMap(arm => (arm === undefined ? [] : [JSON.stringify(chooseLook(arm))]))
  const areDistinct = new Set(looks).size === looks.length
  return arms.map((arm, at) => {
    if (arm === undefined)
      return { color: pickLineShade(at), symbol: 'circle', dash: dashes[at % dashes.length] ?? '' }
    if (areDistinct) return chooseLook(arm)
    const { color } = chooseLook(arm)
    const before = arms.slice(0, at).filter(peer => peer !== undefined && chooseLook(peer).color === color)
    return chooseLook({ ...arm, model: before.length })
  })
}

/** A point of a line in drawn units, with the number and colour of its line. */
interface LineRow {
  readonly panel: string
  readonly at: number
  readonly number: string
  readonly x: number
  readonly y: number
  /** The ends of the interval. Both are `y` when there is none. */
  readonly low: number
  readonly high: number
  readonly stroke: string
  readonly symbol: Look['symbol']
  readonly title: string
}

function listLineRows({ points, axis }: Lines, names: readonly string[], looks: readonly Look[]): LineRow[] {
  const scale = axis.isPercent ? 100 : 1
  return points.map(({ panel, line, x, y, sample }) => {
    const at = names.indexOf(line)
    const title = `${line}, ${panel}: ${(scale * y).toFixed(1)}${sampleText(sample, scale)} at ${x}`
    const { color: stroke = 'currentColor', symbol = 'circle' } = looks[at] ?? {}
    const [low, high] = [scale * (sample?.low ?? y), scale * (sample?.high ?? y)]
    return { panel, at, number: String(at + 1), x, y: scale * y, low, high, stroke, symbol, title }
  })
}

/** Returns the interval of a point and the attempts behind it: ` [40.1, 60.2], n = 12 (1 unscored)`. */
function sampleText(sample: Lines['points'][number]['sample'], scale: number): string {
  if (sample === undefined) return ''
  const { low, high, n, unscored } = sample
  const interval =
    low === null || high === null ? '' : ` [${(scale * low).toFixed(1)}, ${(scale * high).toFixed(1)}]`
  return `${interval}, n = ${n}${unscored === 0 ? '' : ` (${unscored} unscored)`},`
}

/** What lines over a logarithmic axis and lines over labelled places do in their own way. */
interface LineLayout {
  readonly width?: number
  readonly marginBottom: number
  readonly x: NonNullable<Options['x']>
  /** Between panels, as a share of their width. */
  readonly padding: number
  readonly marks: NonNullable<Options['marks']>
  /** Pixels from the last point of a line to its number. */
  readonly numberGap: number
}

/** Returns the options of lines. */
export function makeLineOptions(figure: Lines, names: readonly string[]): Options {
  const values = figure.points.map(({ y }) => y)
  const domain = boundAxis(figure.axis, values)
  const looks = arrangeLooks(figure, names)
  const rows = listLineRows(figure, names, looks)
  const panels = [...new Set(rows.map(row => row.panel))]
  const { x, padding, marks, numberGap, ...size } =
    figure.places === undefined
      ? scaleByLogarithm(figure, rows, looks)
      : placeEvenly(figure.places, rows, looks)
  const labels = listLineEnds(rows, panels, 0.06 * (domain[1] - domain[0]))
  return {
    height: 320,
    marginTop: 34,
    marginRight: numberGap + 8 + 8 * Math.max(1, ...labels.map(({ text }) => text.length)),
    ...size,
    x: { label: figure.xName ?? figure.x, labelAnchor: 'center', labelArrow: 'none', ...x },
    fx: { label: null, domain: panels, padding },
    y: { ...setUpright(figure.yName ?? figure.y), domain, grid: true },
    marks: [
      drawReferences(figure, names, looks),
      ...marks,
      Plot.text(labels, {
        ...{ fx: 'panel', x: 'x', y: 'at', text: 'text' },
        ...{ dx: numberGap - 4, textAnchor: 'start', fontWeight: 600 },
      }),
    ],
  }
}

function scaleByLogarithm({ steps }: Lines, rows: readonly LineRow[], looks: readonly Look[]): LineLayout {
  // With so few ticks, labels do not overlap.
  const ticks = Math.max(2, Math.round(8 / new Set(rows.map(row => row.panel)).size))
  const values = [...new Set(rows.map(row => row.x))]
  // Whole values, such as model calls, get whole ticks.
  const isWhole = values.length <= Math.max(ticks, mostPlaces) && values.every(Number.isInteger)
  return {
    marginBottom: 50,
    x: { type: 'log', labelOffset: 42, ticks: isWhole ? values : ticks, tickFormat: '~s' },
    padding: 0.16,
    marks: drawLines(rows, looks, steps === true),
    numberGap: 10,
  }
}

/** Puts the values at equal distances, below each its label of two lines. */
function placeEvenly(
  places: NonNullable<Lines['places']>,
  rows: readonly LineRow[],
  looks: readonly Look[],
): LineLayout {
  const labels = new Map(places.map(({ x, label }) => [x, label]))
  const gap = Math.min(5, mostShift / looks.length)
  return {
    width: Math.min(1100, 150 + 105 * places.length),
    marginBottom: 62,
    x: {
      ...{ type: 'point' as const, labelOffset: 56, domain: [...labels.keys()] },
      tickFormat: (x: number) => labels.get(x) ?? '',
    },
    padding: 0,
    marks: drawLinesWithIntervals(rows, looks, gap),
    numberGap: 10 + (looks.length * gap) / 2,
  }
}

/** The number at the end of a line, or of lines that end at the same height. */
interface EndLabel {
  readonly panel: string
  readonly x: number
  /** The height of the label. */
  readonly at: number
  readonly text: string
}

/** Returns the labels of the last points of the lines in each panel. `step` is the height of a label. */
function listLineEnds(rows: readonly LineRow[], panels: readonly string[], step: number): EndLabel[] {
  const last = [...new Map(rows.map(row => [`${row.panel} ${row.number}`, row])).values()]
  return panels.flatMap(panel => {
    const ends = last.filter(row => row.panel === panel).toSorted((a, b) => b.y - a.y)
    return separateLabels(groupSharedEnds(ends, step / 3), step)
  })
}

/** Groups ends of about the same height, whose numbers would be far from their lines if each had its own place. */
function groupSharedEnds(ends: readonly LineRow[], tolerance: number): (readonly LineRow[])[] {
  const groups: LineRow[][] = []
  for (const end of ends) {
    const group = groups.at(-1)
    if (group !== undefined && group[0]!.y - end.y < tolerance) group.push(end)
    else groups.push([end])
  }
  return groups
}

/** Moves labels up and down from their ends by as little as possible, so that they do not overlap. */
function separateLabels(groups: readonly (readonly LineRow[])[], step: number): EndLabel[] {
  const blocks: { readonly groups: (readonly LineRow[])[]; readonly centre: number }[] = []
  for (const group of groups) {
    let block = { groups: [group], centre: group.reduce((sum, { y }) => sum + y, 0) / group.length }
    for (let above = blocks.at(-1); above !== undefined; above = blocks.at(-1)) {
      const [ours, theirs] = [block.groups.length, above.groups.length]
      if (above.centre - block.centre >= (step * (ours + theirs)) / 2) break
      blocks.pop()
      const centre = (above.centre * theirs + block.centre * ours) / (ours + theirs)
      block = { groups: [...above.groups, ...block.groups], centre }
    }
    blocks.push(block)
  }
  return blocks.flatMap(({ groups: blockGroups, centre }) =>
    blockGroups.map((group, at) => {
      const { panel } = group[0]!
      const x = Math.max(...group.map(row => row.x))
      return { panel, x, at: centre + step * ((blockGroups.length - 1) / 2 - at), text: formatRanges(group) }
    }),
  )
}

/** Writes the numbers of lines, three and more in a row as a range: `1, 3–6`. */
function formatRanges(rows: readonly LineRow[]): string {
  const numbers = rows.map(({ at }) => at + 1).toSorted((a, b) => a - b)
  const runs: number[][] = []
  for (const number of numbers) {
    const run = runs.at(-1)
    if (run?.at(-1) === number - 1) run.push(number)
    else runs.push([number])
  }
  return runs.map(run => (run.length > 2 ? `${run[0]}–${run.at(-1)}` : run.join(', '))).join(', ')
}

function drawReferences({ references = [], axis }: Lines, names: readonly string[], looks: readonly Look[]) {
  const scale = axis.isPercent ? 100 : 1
  const rows = references.map(({ panel, line, y }) => {
    const stroke = looks[names.indexOf(line)]?.color ?? 'currentColor'
    return { panel, y: scale * y, stroke, title: `${line}, ${panel}: ${(scale * y).toFixed(1)}` }
  })
  return Plot.ruleY(rows, {
    ...{ fx: 'panel', y: 'y', strokeWidth: 2, strokeDasharray: '8 3', title: 'title' },
    stroke: row => row.stroke,
  })
}

function drawLines(
  rows: readonly LineRow[],
  looks: readonly Look[],
  isStepped: boolean,
): NonNullable<Options['marks']> {
  const place = { fx: 'panel', x: 'x', y: 'y' } as const
  const lines = looks.map(({ color, dash }, at) =>
    Plot.line(
      rows.filter(row => row.at === at),
      {
        ...place,
        stroke: color,
        strokeWidth: 2.5,
        strokeDasharray: dash,
        curve: isStepped ? 'step-after' : 'linear',
      },
    ),
  )
  const dots = Plot.dot(rows, {
    ...{ ...place, r: 3.5, title: 'title', stroke: 'currentColor' },
    fill: row => row.stroke,
    symbol: (row: LineRow) => row.symbol,
  })
  return isStepped ? lines : [...lines, dots]
}

/** Pixels between the intervals of the first and the last line at the same place. */
const mostShift = 70

/** Draws lines whose points have an interval, each line `gap` pixels beside the one before it. */
function drawLinesWithIntervals(
  rows: readonly LineRow[],
  looks: readonly Look[],
  gap: number,
): NonNullable<Options['marks']> {
  return looks.flatMap(({ color, dash, symbol }, at) => {
    const dots = rows.filter(row => row.at === at)
    const place = { fx: 'panel', x: 'x', dx: gap * (at - (looks.length - 1) / 2) } as const
    return [
      Plot.ruleX(dots, {
        ...place,
        y1: 'low',
        y2: 'high',
        stroke: color,
        strokeWidth: 2,
        strokeOpacity: 0.6,
      }),
      Plot.line(dots, { ...place, y: 'y', stroke: color, strokeWidth: 2, strokeDasharray: dash }),
      Plot.dot(dots, {
        ...{ ...place, y: 'y', r: 4, title: 'title', stroke: 'currentColor' },
        fill: color,
        symbol,
      }),
    ]
  })
}
