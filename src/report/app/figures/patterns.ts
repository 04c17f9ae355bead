import type { RenderFunction } from '@observablehq/plot'
import { makeSvgMaker } from './svg-element.ts'

/** What the fill of a bar says: its colour is the setting, its pattern the model. */
interface FilledBar {
  readonly fill: string
  /** The number of its model, from 0. The first model has plain bars. */
  readonly model: number
}

/** Returns the fill of a bar of this figure. */
export function pickPatternFill(figureId: string, bar: FilledBar): string {
  return bar.model === 0 ? bar.fill : `url(#${namePattern(figureId, bar)})`
}

function namePattern(figureId: string, { fill, model }: FilledBar): string {
  return `pattern-${figureId}-${fill.slice(1)}-${model}`.replace(/[^\w-]/g, '-')
}

const size = 8

/** Angles of the stripes of the second model and of those after it. */
const angles = [45, -45, 0, 90] as const

/** Returns a mark that draws nothing, and defines the patterns that bars of this figure are filled with. */
export function drawPatterns(figureId: string, bars: readonly FilledBar[]): RenderFunction {
  return (_index, _scales, _values, _dimensions, context) => {
    const make = makeSvgMaker(context.document)
    const group = make('defs', {})
    const kinds = new Map(bars.filter(({ model }) => model > 0).map(bar => [namePattern(figureId, bar), bar]))
    for (const [id, { fill, model }] of kinds) {
      const turn = `rotate(${angles[(model - 1) % angles.length] ?? 0})`
      const pattern = make('pattern', {
        ...{ id, width: size, height: size, patternUnits: 'userSpaceOnUse', patternTransform: turn },
      })
      pattern.append(
        make('rect', { width: size, height: size, fill }),
        make('rect', { width: size / 2, height: size, fill: 'white', opacity: 0.55 }),
      )
      group.append(pattern)
    }
    return group
  }
}
