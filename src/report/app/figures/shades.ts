/** Fills that alternate between dark and light. Parts also have numbers, so that colour is not needed to read them. */
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
/** Colours of lines, which have no outline. Each is visible on a white and on a black page. */
const lineShades = [
  '#1a8a64',
  '#b07b0a',
  '#c2504c',
  '#3f83b5',
  '#8768c0',
  '#877656',
  '#2c949a',
  '#c26a3d',
  '#6f7d33',
  '#b0629a',
  '#707887',
] as const

/** Returns the fill of the part with this number, counted from 0. */
export function pickPartShade(at: number): string {
  return shades[at % shades.length] ?? shades[0]
}

/** Returns the colour of the line with this number, counted from 0. */
export function pickLineShade(at: number): string {
  return lineShades[at % lineShades.length] ?? lineShades[0]
}

/** Returns the text colour that is readable on a fill of the form `#rrggbb`. */
export function pickTextColour(fill: string): string {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map(at => Number.parseInt(fill.slice(at, at + 2), 16))
  return 0.299 * red + 0.587 * green + 0.114 * blue > 140 ? 'black' : 'white'
}
