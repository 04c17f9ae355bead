import type { Figure } from '../../figures/figure.ts'
import { mostBars } from './bars.ts'

/**
 * Splits a figure with more than `mostBars` arms: the arms that are no controls first, over all tasks, then the controls
 * and the domains, which are shown folded. Other figures stay whole.
 */
export function divideFigure(figure: Figure): Figure[] {
  const isControl = new Map(figure.series?.map(({ name, control }) => [name, control !== null]))
  if (figure.kind === 'bars') {
    if (new Set(figure.bars.map(({ label }) => label)).size <= mostBars) return [figure]
    const panels = [...new Set(figure.bars.map(({ panel }) => panel))]
    // All tasks are the last panel of bars.
    return panels.toReversed().flatMap(panel =>
      halveFigure(
        figure,
        panel,
        name => isControl.get(name) === true,
        isInPart => ({
          ...figure,
          bars: figure.bars.filter(bar => bar.panel === panel && isInPart(bar.label)),
        }),
      ).filter(part => part.kind !== 'bars' || part.bars.length > 0),
    )
  }
  if (figure.kind === 'stacks') {
    if (new Set(figure.segments.map(({ label }) => label)).size <= mostBars) return [figure]
    return halveFigure(
      figure,
      null,
      name => isControl.get(name) === true,
      isInPart => ({
        ...figure,
        segments: figure.segments.filter(({ label }) => isInPart(label)),
      }),
    ).filter(part => part.kind !== 'stacks' || part.segments.length > 0)
  }
  return [figure]
}

/** Returns the part without controls and the part with controls. */
function halveFigure(
  figure: Figure,
  panel: string | null,
  isControl: (name: string) => boolean,
  keep: (isInPart: (name: string) => boolean) => Figure,
): Figure[] {
  return [false, true].map(controls => {
    const words = [...(panel === null ? [] : [panel]), ...(controls ? ['controls'] : [])]
    const id = [figure.id, ...words].join('-').replaceAll(' ', '-')
    const title = words.length === 0 ? figure.title : `${figure.title}: ${words.join(', ')}`
    return { ...keep(name => isControl(name) === controls), id, title }
  })
}
