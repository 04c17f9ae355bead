/** Characters that are two columns wide on a terminal: East Asian wide and full-width forms, emoji. */
const wide =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}|[\u{20000}-\u{3fffd}]/u
const zeroWidth = /\p{M}|\p{Cf}|\p{Cc}/u

function measureChar(character: string): number {
  if (zeroWidth.test(character)) return 0
  return wide.test(character) ? 2 : 1
}

/** Returns the width of a text on a terminal, in columns. */
export function displayWidth(text: string): number {
  let width = 0
  for (const character of text) width += measureChar(character)
  return width
}

/** Returns the longest start of the characters that fits into these columns. */
function splitLongestStart(characters: readonly string[], columns: number): string[] {
  let width = 0
  const end = characters.findIndex(character => {
    width += measureChar(character)
    return width > columns
  })
  return end === -1 ? [...characters] : characters.slice(0, end)
}

/** Cuts a text to at most this many columns. A cut text ends in `…`. */
export function fitWidth(text: string, columns: number): string {
  if (displayWidth(text) <= columns) return text
  return `${splitLongestStart([...text], columns - 1).join('')}…`
}

/**
 * Cuts a text to at most this many columns, with `…` in place of its middle.
 *
 * @param startColumns - Columns kept of the start. The end gets the rest. Default: half of them.
 */
export function fitMiddle(
  text: string,
  columns: number,
  startColumns = Math.ceil((columns - 1) / 2),
): string {
  if (displayWidth(text) <= columns) return text
  const characters = [...text]
  const start = splitLongestStart(characters, startColumns)
  const end = splitLongestStart(characters.reverse(), columns - 1 - startColumns)
  return `${start.join('')}…${end.reverse().join('')}`
}

/** Pads a text to a width. `side` is the side on which the text is. */
export function padWidth(text: string, columns: number, side: 'left' | 'right'): string {
  const space = ' '.repeat(Math.max(0, columns - displayWidth(text)))
  return side === 'left' ? text + space : space + text
}

/** Wraps a text between words into lines of at most this many columns. A longer word gets its own line. */
export function wrapLine(text: string, columns: number): string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    if (line !== '' && displayWidth(line) + 1 + displayWidth(word) > columns) {
      lines.push(line)
      line = word
    } else line = line === '' ? word : `${line} ${word}`
  }
  return [...lines, line]
}
