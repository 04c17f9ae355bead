/** Characters that take two columns of a terminal: East Asian wide and full-width forms, emoji. */
const wide =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}|[\u{20000}-\u{3fffd}]/u
const zeroWidth = /\p{M}|\p{Cf}|\p{Cc}/u

function charWidth(character: string): number {
  if (zeroWidth.test(character)) return 0
  return wide.test(character) ? 2 : 1
}

/** Columns that a text takes on a terminal. */
export function displayWidth(text: string): number {
  let width = 0
  for (const character of text) width += charWidth(character)
  return width
}

/** The text in at most so many columns, with `…` where something was cut. */
export function fitWidth(text: string, columns: number): string {
  if (displayWidth(text) <= columns) return text
  let kept = ''
  let width = 0
  for (const character of text) {
    if (width + charWidth(character) > columns - 1) break
    kept += character
    width += charWidth(character)
  }
  return `${kept}…`
}

export function padWidth(text: string, columns: number, side: 'left' | 'right'): string {
  const space = ' '.repeat(Math.max(0, columns - displayWidth(text)))
  return side === 'left' ? text + space : space + text
}
