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
/** For lines, which have no edge: each stands out from a white and from a black page. */
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

/** The fill of the part of that number, from 0. */
export function shadeOf(at: number): string {
  return shades[at % shades.length] ?? shades[0]
}

/** The same of a line. */
export function lineShadeOf(at: number): string {
  return lineShades[at % lineShades.length] ?? lineShades[0]
}

/** The ink that is read on a fill. */
export function inkOn(at: number): string {
  return darkShades.has(shadeOf(at)) ? 'white' : 'black'
}
