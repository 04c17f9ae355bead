/** The code that PDFium returns for a hyphen that divides a word at the end of a line. */
export const lineEndHyphen = 2

/** The bullet of Microsoft's Symbol font, in the private use area. */
const symbolFontBullet = 0xf0b7

const firstLigature = 0xfb00
const ligatures: readonly string[] = ['ff', 'fi', 'fl', 'ffi', 'ffl', 'st', 'st']

/** Whether a code is a space of any width. */
export function isSpace(code: number): boolean {
  return code === 32 || code === 9 || code === 0xa0 || code === 0x3000 || (code >= 0x2000 && code <= 0x200a)
}

/** Whether a code has a visible glyph. */
export function isVisible(code: number): boolean {
  return code > 32 ? code !== 0xad && code !== 0xfeff && code !== 0xffff : code === lineEndHyphen
}

/** Returns the text of a visible code. Ligatures become separate letters; an invalid code becomes U+FFFD. */
export function characterOf(code: number): string {
  if (code === lineEndHyphen || code === 0xfffe) return '-'
  if (code === symbolFontBullet) return '•'
  // An array index below zero is looked up like a name, which would take most of the time of this function.
  if (code < firstLigature) return String.fromCharCode(code)
  return ligatures[code - firstLigature] ?? (code <= 0x10ffff ? String.fromCodePoint(code) : '\ufffd')
}

const fractionSigns: ReadonlyMap<string, number> = new Map(
  Array.from('¼½¾⅐⅑⅒⅓⅔⅕⅖⅗⅘⅙⅚⅛⅜⅝⅞', sign => [sign.normalize('NFKC').replace('⁄', '/'), sign.charCodeAt(0)]),
)

/** Returns the code of the sign of a fraction such as `1/2`; null when it has no sign. */
export const fractionSign = (fraction: string): number | null => fractionSigns.get(fraction) ?? null

/** Ligatures, quotes and dashes of TeX's text fonts: from code 16 in its T1 encoding, below in the older OT1. */
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

/** Whether a code is a tab or a line end. Some programs write these codes into PDFs; they draw nothing. */
export function isLayoutCode(code: number): boolean {
  return code === 9 || code === 10 || code === 13
}

/**
 * Returns the text of a drawn glyph for which only a code below 32 is known: U+FFFD when it cannot be determined.
 *
 * @param isTexGlyph whether the glyph belongs to a bitmap font of TeX, whose encoding is known
 */
export function unmappedCharacter(code: number, isTexGlyph: boolean): string {
  return (isTexGlyph ? texGlyphs.get(code) : undefined) ?? '\ufffd'
}
