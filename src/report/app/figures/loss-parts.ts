import * as Plot from '@observablehq/plot'
import type { Figure } from '../../figures/figure.ts'
import { nameAxis, type Options } from './axes.ts'
import { pickTextColour } from './shades.ts'

type LossParts = Extract<Figure, { kind: 'loss-parts' }>
type Part = LossParts['parts'][number]['part']

/** The parts in the order of the bar, with their meanings for the legend. */
export const lossPartNames: Readonly<Record<Part, string>> = {
  context: 'lost to the smaller context',
  retrieval: 'lost to retrieval',
  earned: 'earned back over random chunks',
}

const colours: Readonly<Record<Part, string>> = {
  context: '#5b9bd5',
  retrieval: '#c98a2b',
  earned: '#1f7a5c',
}

/** Returns the colour of a part. */
export function pickLossPartColour(part: Part): string {
  return colours[part]
}

const rowHeight = 58
const barHeight = 15
/** Where the bar of what retrieval earns begins, from the top of a row. The intervals of the losses are above it. */
const earnedTop = 29
/** The intervals, from the middle of a row. */
const intervalOffsets: Readonly<Record<Part, number>> = { context: -9, retrieval: -4, earned: 22 }

/** Returns the options of bars of what RAG loses: losses stacked from zero, what retrieval earns to the left below them. */
export function makeLossPartOptions(figure: LossParts): Options {
  const labels = [...new Set(figure.parts.map(({ label }) => label))]
  const rows = listLossPartRows(figure, labels)
  const ends = rows.flatMap(({ start, end, low, high }) => [start, end, low ?? end, high ?? end])
  const [least, most] = [Math.min(0, ...ends), Math.max(0, ...ends)]
  const wide = rows.filter(({ start, end }) => Math.abs(end - start) > 0.05 * (most - least))
  const upper = rows.filter(({ part }) => part !== 'earned')
  const lower = rows.filter(({ part }) => part === 'earned')
  const bar = { y: 'label', x1: 'start', x2: 'end', stroke: 'currentColor', title: 'title' } as const
  const interval = { y: 'label', x1: 'low', x2: 'high', strokeWidth: 3, title: 'title' } as const
  const { marginLeft, label } = nameAxis(labels)
  const fill = (row: LossPartRow): string => row.fill
  return {
    height: 62 + rowHeight * labels.length,
    marginTop: 12,
    marginBottom: 50,
    marginLeft,
    x: {
      ...{ label: figure.unit, labelAnchor: 'center', labelArrow: 'none', labelOffset: 42, grid: true },
      domain: [least, most],
    },
    y: { label: null, domain: labels, padding: 0, tickFormat: label },
    marks: [
      Plot.barX(upper, { ...bar, fill, insetTop: 3, insetBottom: rowHeight - barHeight - 3 }),
      Plot.barX(lower, { ...bar, fill, insetTop: earnedTop, insetBottom: rowHeight - barHeight - earnedTop }),
      ...Object.keys(lossPartNames).map(name => {
        const part = name as Part
        const partRows = rows.filter(row => row.part === part)
        return Plot.ruleY(partRows, { ...interval, stroke: colours[part], dy: intervalOffsets[part] })
      }),
      ...[upper, lower].map((halfRows, at) =>
        Plot.text(
          halfRows.filter(row => wide.includes(row)),
          {
            ...{ y: 'label', x: 'middle', text: 'shown', fontWeight: 600 },
            dy: (at === 0 ? 3 : earnedTop) + barHeight / 2 - rowHeight / 2,
            fill: row => pickTextColour(row.fill),
          },
        ),
      ),
      Plot.ruleX([0]),
    ],
  }
}

/** A part of a bar in drawn units. The interval is around its end. */
interface LossPartRow {
  readonly label: string
  readonly part: Part
  readonly start: number
  readonly end: number
  readonly middle: number
  readonly low: number | null
  readonly high: number | null
  readonly fill: string
  readonly shown: string
  readonly title: string
}

function listLossPartRows({ parts, axis }: LossParts, labels: readonly string[]): LossPartRow[] {
  const scale = axis.isPercent ? 100 : 1
  return labels.flatMap(label => {
    // Losses go to the right. A part that is a gain goes to the left, as the whole loss is their sum.
    const ends = { right: 0, left: 0 }
    return parts
      .filter(lossPart => lossPart.label === label)
      .map(({ part, value, low, high }) => {
        const sign = part === 'earned' ? -scale : scale
        const size = sign * value
        const side = size >= 0 ? 'right' : 'left'
        const start = part === 'earned' ? 0 : ends[side]
        const end = start + size
        if (part !== 'earned') ends[side] = end
        const text = (amount: number): string => (scale * amount).toFixed(1)
        const interval = low === null || high === null ? '' : ` [${text(low)}, ${text(high)}]`
        const bounds =
          low === null || high === null
            ? { low: null, high: null }
            : {
                low: start + Math.min(sign * low, sign * high),
                high: start + Math.max(sign * low, sign * high),
              }
        return {
          ...{ label, part, start, end, middle: (start + end) / 2, ...bounds, fill: colours[part] },
          shown: text(value),
          title: `${label}, ${lossPartNames[part]}: ${text(value)}${interval}`,
        }
      })
  })
}
