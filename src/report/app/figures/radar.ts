import { mostOverlaidArms } from '../../figures/figure.ts'
import { chooseLook } from './looks.ts'
import { drawSymbol, formatValue, type Radar, type RadarArm } from './radar-arm.ts'
import { type Drawn, drawPanel, lineHeight, nameLines, type PanelTools } from './radar-panel.ts'
import { makeSvgMaker } from './svg-element.ts'

/**
 * Looks of arms in one panel. The colours are visible on a white and on a black page, and distinct for readers with colour
 * blindness (from the palette of Okabe and Ito). Dashes and shapes are distinct, too.
 */
export const overlaidLooks = [
  { color: '#0072b2', dash: '', symbol: 'circle' },
  { color: '#d55e00', dash: '7 4', symbol: 'square' },
  { color: '#009e73', dash: '2 3', symbol: 'triangle' },
  { color: '#cc79a7', dash: '10 3 2 3', symbol: 'diamond' },
] as const

const [leastPanelWidth, mostPanelWidth, mostOverlaidWidth] = [290, 366, 540] as const
const mostColumns = 3
/** From this width on, the legend is beside the panel. Otherwise, it is below. */
const leastWidthWithSide = 760
/** The pixels between the panel and the legend beside it. */
const legendGap = 24

/** Draws a radar chart that is at most this wide: one panel, or one for each arm when there are many. */
export function drawRadar(figure: Radar, document: Document, width: number): SVGSVGElement {
  const arms = makeArms(figure)
  const make = makeSvgMaker(document)
  const { parts, ...size } =
    arms.length > mostOverlaidArms
      ? arrangePanels(figure, arms, { make, width })
      : overlayPanels(figure, arms, { make, width })
  const id = `${figure.id}-values`
  return make(
    'svg',
    {
      ...{ viewBox: `0 0 ${size.width} ${size.height}`, width: size.width, height: size.height },
      ...{ 'font-size': 12, fill: 'currentColor', 'aria-describedby': id },
    },
    [make('desc', { id }, describeRadar(figure, arms)), ...parts],
  ) as SVGSVGElement
}

/** Returns the arms in order, each with a mark for each axis. */
function makeArms({ marks, axes, series = [] }: Radar): RadarArm[] {
  const names = [...new Set(marks.map(({ label }) => label))]
  return names.map((name, at) => {
    const armSeries = series.find(candidate => candidate.name === name)
    const isOverlaid = names.length <= mostOverlaidArms || armSeries === undefined
    return {
      name,
      number: at + 1,
      look: isOverlaid ? overlaidLooks[at % overlaidLooks.length]! : chooseLook(armSeries),
      marks: axes.map(
        axis =>
          marks.find(mark => mark.label === name && mark.axis === axis) ?? {
            ...{ label: name, axis, value: null, low: null, high: null, n: 0 },
          },
      ),
    }
  })
}

/** The parts of a chart at their places, and its size. */
interface Laid {
  readonly parts: readonly SVGElement[]
  readonly width: number
  readonly height: number
}

function moveElement({ group }: Drawn, x: number, y: number): SVGElement {
  group.setAttribute('transform', `translate(${x},${y})`)
  return group
}

/** Draws a panel for each arm, all with the same scale. */
function arrangePanels(figure: Radar, arms: readonly RadarArm[], { make, width }: PanelTools): Laid {
  const columns = Math.max(1, Math.min(mostColumns, Math.floor(width / leastPanelWidth)))
  const panelWidth = Math.min(mostPanelWidth, width / columns)
  const panels = arms.map(arm => drawPanel(figure, [arm], { make, width: panelWidth }))
  const rowHeight = Math.max(...panels.map(({ height }) => height)) + lineHeight
  return {
    parts: panels.map((panel, at) =>
      moveElement(panel, panelWidth * (at % columns), rowHeight * Math.floor(at / columns)),
    ),
    width: panelWidth * columns,
    height: rowHeight * Math.ceil(arms.length / columns),
  }
}

/** Draws all arms in one panel, with a legend when there are several. */
function overlayPanels(figure: Radar, arms: readonly RadarArm[], { make, width }: PanelTools): Laid {
  const panelWidth = Math.min(mostOverlaidWidth, width)
  const panel = drawPanel(figure, arms, { make, width: panelWidth })
  if (arms.length === 1) return { parts: [moveElement(panel, 0, 0)], width: panelWidth, height: panel.height }
  if (width < leastWidthWithSide) {
    const legend = drawLegend(arms, { make, width: panelWidth })
    const parts = [moveElement(panel, 0, 0), moveElement(legend, 0, panel.height)]
    return { parts, width: panelWidth, height: panel.height + legend.height }
  }
  const legendAt = panelWidth + legendGap
  const legend = drawLegend(arms, { make, width: width - legendAt })
  const parts = [moveElement(panel, 0, 0), moveElement(legend, legendAt, (panel.height - legend.height) / 2)]
  return { parts, width, height: Math.max(panel.height, legend.height) }
}

/** Draws a row for each arm: its number, a sample of its line, and its name. */
function drawLegend(arms: readonly RadarArm[], { make, width }: PanelTools): Drawn {
  const [sampleAt, sampleWidth, textAt] = [18, 40, 68]
  let height = 0
  const rows = arms.flatMap(({ number, name, look }) => {
    const [top, lines] = [height, nameLines(name, width - textAt)]
    const middle = top + lineHeight / 2
    height += lines.length * lineHeight + 6
    return [
      make('text', { x: 2, y: top + 12, 'font-weight': 600 }, String(number)),
      make('line', {
        ...{ x1: sampleAt, x2: sampleAt + sampleWidth, y1: middle, y2: middle },
        ...{ stroke: look.color, 'stroke-width': 2.25, 'stroke-dasharray': look.dash },
      }),
      drawSymbol(look, [sampleAt + sampleWidth / 2, middle], { make }),
      ...lines.map((line, at) => make('text', { x: textAt, y: top + 12 + lineHeight * at }, line)),
    ]
  })
  return { group: make('g', {}, rows), height }
}

/** Writes all values in words, for screen readers. */
function describeRadar(figure: Radar, arms: readonly RadarArm[]): string {
  return arms
    .map(({ name, marks }) => {
      const values = marks.map(mark => `${mark.axis} ${formatValue(figure, mark)}`)
      return `${name}: ${values.join(', ')}.`
    })
    .join(' ')
}
