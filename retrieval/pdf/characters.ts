/** How PDFium marks a hyphen that parts a word at the end of a line. */
export const lineEndHyphen = 2

/** The bullet of Microsoft's Symbol font, in the private use area. */
const symbolFontBullet = 0xf0b7

const ligatures: readonly string[] = ['ff', 'fi', 'fl', 'ffi', 'ffl', 'st', 'st']

export function isSpace(code: number): boolean {
  return code === 32 || code === 9 || code === 0xa0 || code === 0x3000 || (code >= 0x2000 && code <= 0x200a)
}

export function isVisible(code: number): boolean {
  return code > 32 ? code !== 0xad && code !== 0xfeff && code !== 0xffff : code === lineEndHyphen
}

export function characterOf(code: number): string {
  if (code === lineEndHyphen || code === 0xfffe) return '-'
  if (code === symbolFontBullet) return '•'
  return ligatures[code - 0xfb00] ?? (code <= 0x10ffff ? String.fromCodePoint(code) : '\ufffd')
}

/** Where TeX's text fonts have ligatures, quotes and dashes: its T1 encoding, below code 16 its older OT1. */
const texGlyphs: ReadonlyMap<number, string> = new Map([
  [11, 'ff'],
  [12, 'fi'],
  [14, 'ffi'],
  [15, 'ffl'],
  [16, '“'],
  [17, '”'],
  [21, '–'],
  [22, '—'],
  [27, 'ff'],
  [28, 'fi'],
  [29, 'fl'],
  [30, 'ffi'],
  [31, 'ffl'],
])

/** Codes that a careless producer writes for the end of a line or a tab, which draw nothing. */
export function isLayoutCode(code: number): boolean {
  return code === 9 || code === 10 || code === 13
}

/** What stands for a drawn glyph of which only its code below 32 is known; in `texBitmap` fonts it may be told. */
export function unmappedCharacter(code: number, texBitmap: boolean): string {
  return (texBitmap ? texGlyphs.get(code) : undefined) ?? '\ufffd'
}
