import type { Series } from '../../figures/figure.ts'

/** Colours of settings and controls. Each is visible on a white and on a black page. */
const colours: Readonly<Record<string, string>> = {
  'closed-book': '#8768c0',
  offline: '#3f83b5',
  rag: '#b07b0a',
  'table-rag': '#c26a3d',
  'text-to-sql': '#b0629a',
  online: '#1a8a64',
}
const controlColours: Readonly<Record<string, string>> = {
  oracle: '#c2504c',
  random: '#877656',
  'found-only': '#6f7d33',
  'oracle-inject': '#2c949a',
}
const otherColour = '#707887'

/** Shapes and dashes distinguish models. */
const symbols = ['circle', 'square', 'triangle', 'diamond', 'star', 'cross'] as const
const dashes = ['', '7 4', '2 3', '10 3 2 3', '4 2', '1 3'] as const

/** The colour of the page, for edges that separate a line from what is below it. Saved figures get its value. */
export const pageColour = 'var(--back)'

/** How the marks of an arm look. */
export interface Look {
  readonly color: string
  readonly symbol: (typeof symbols)[number]
  readonly dash: string
}

/** Returns the look of an arm: the colour is the setting or the control, the shape and the dashes are the model. */
export function chooseLook({ setting, control, model }: Series): Look {
  const color = (control === null ? colours[setting] : controlColours[control]) ?? otherColour
  return {
    color,
    symbol: symbols[model % symbols.length] ?? 'circle',
    dash: dashes[model % dashes.length] ?? '',
  }
}
