/** A fenced code block. `start` and `end` are its bounds with the fences, in UTF-16 units. */
export interface Fence {
  readonly label: string
  readonly body: string
  readonly closed: boolean
  readonly start: number
  readonly end: number
}

const mark = /`{3,}|~{3,}/g

/**
 * Finds the fenced blocks of a text, in order. Blocks may open in the middle of a line or close directly after the
 * last row. The last block may be unclosed; it then extends to the end. A block closes at the next mark of its own
 * character.
 */
export function findFences(text: string): Fence[] {
  const fences: Fence[] = []
  const marks = [...text.matchAll(mark)]
  for (let i = 0; i < marks.length; i += 1) {
    const opening = marks[i]!
    const labelStart = opening.index + opening[0].length
    const label = /^[ \t]*([\w/+.-]*)/.exec(text.slice(labelStart, labelStart + 100))!
    const bodyStart = labelStart + label[0].length
    let next = i + 1
    while (next < marks.length && marks[next]![0][0] !== opening[0][0]) next += 1
    const closing = marks[next]
    const bodyEnd = closing?.index ?? text.length
    fences.push({
      ...labelAndBody(
        label[1]!,
        withoutIndent(text.slice(bodyStart, Math.max(bodyStart, bodyEnd)), indentOf(text, opening.index)),
      ),
      closed: closing !== undefined,
      start: opening.index,
      end: closing === undefined ? text.length : closing.index + closing[0].length,
    })
    i = next
  }
  return fences
}

const longestIndent = 40

/** The indentation of a block: the spaces before its mark, including those of a list item. */
function indentOf(text: string, mark: number): number {
  const start = Math.max(0, mark - longestIndent)
  const before = `${start === 0 ? '\n' : ''}${text.slice(start, mark)}`
  return /[\r\n]( *(?:(?:[-*+]|\d{1,9}[.)]) +)?)$/.exec(before)?.[1]?.length ?? 0
}

function withoutIndent(body: string, indent: number): string {
  return indent === 0 ? body : body.replace(new RegExp(`(?<=[\\r\\n]) {1,${indent}}`, 'g'), '')
}

/**
 * An info string such as `csv title="x"` or `csv:out.csv`. It is not a row when only the next line contains
 * delimiters.
 */
const infoString = /^[^\r\n,\t;|，；]*(?:\r?\n|\r)(?=[^\r\n]*[,\t;|，；])/

/**
 * A word after the mark is a label only when its line ends there. `csv` is a label even when other text
 * follows it.
 */
function labelAndBody(word: string, rest: string): { label: string; body: string } {
  const lineEnds = /^[ \t]*(?:\r?\n|\r|$)/.exec(rest)
  if (lineEnds !== null) return { label: word, body: rest.slice(lineEnds[0].length) }
  if (!/^csv$/i.test(word)) return { label: '', body: word + rest }
  return { label: word, body: rest.replace(infoString, '').replace(/^ +/, '') }
}

/** The text outside the blocks; each block is replaced by a blank line. */
export function textOutsideFences(text: string, fences: readonly Fence[]): string {
  let out = ''
  let at = 0
  for (const fence of fences) {
    out += `${text.slice(at, fence.start)}\n\n`
    at = fence.end
  }
  return out + text.slice(at)
}
