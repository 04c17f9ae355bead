/** A fenced code block. `start` and `end` are its bounds with the fences, in UTF-16 units. */
export interface Fence {
  readonly label: string
  readonly body: string
  readonly closed: boolean
  readonly start: number
  readonly end: number
}

/** A row of three or more backticks or tildes. */
interface FenceMark {
  readonly sign: string
  readonly length: number
  readonly start: number
  readonly end: number
  /** Alone on its line: the way in which CommonMark closes a block. */
  readonly isAlone: boolean
  /** At the start of its line, and only a label follows: the way in which CommonMark opens a block. */
  readonly isLabelled: boolean
  /** The last of an odd number of rows on its line: it is not the end of a code span. */
  readonly isOdd: boolean
  /** The first of two rows between which the whole line stands. */
  readonly holdsLine: boolean
}

/**
 * Finds the fenced blocks of a text, in order. As in CommonMark, a block closes at a row of its own sign that stands alone
 * on a line and is at least as long as the one that opened it. Models also write blocks that open in the middle of a
 * line, that close directly after the last row, and that never close before the next labelled one: these are blocks
 * too. The last block may be unclosed; it then extends to the end. Takes time in proportion to the length.
 */
export function findFences(text: string): Fence[] {
  const marks = readMarks(text)
  const findClosing = createClosingFinder(marks)
  const fences: Fence[] = []
  for (let at = 0; at < marks.length; ) {
    const opening = marks[at]!
    if (!opening.isAlone && !opening.isLabelled && !opening.isOdd && !opening.holdsLine) {
      at += 1
      continue
    }
    const next = opening.holdsLine ? at + 1 : findClosing(at)
    const closing = marks[next]
    const isReopened = closing?.isLabelled === true
    const end = closing === undefined ? text.length : isReopened ? closing.start : closing.end
    fences.push(
      readFence(text, opening, {
        end,
        bodyEnd: closing?.start ?? end,
        closed: end > (closing?.start ?? end),
      }),
    )
    at = isReopened ? next : next + 1
  }
  return fences
}

const markPattern = /`{3,}|~{3,}/g

/** Counts the rows of signs that may open or close a block. */
export function countFenceMarks(text: string): number {
  let count = 0
  markPattern.lastIndex = 0
  while (markPattern.test(text)) count++
  return count
}

/** What may stand before a block on its line: spaces, signs of quotes and of list items. */
const linePrefix = /^[ \t]*(?:>[ \t]*)*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)?$/
const longestPrefix = 40
const loneLabel = /^[ \t]*[\w/+.:-]+[ \t]*(?:\r|\n|$)/
const longestLabel = 100

/** Reads the rows of signs of a text. A row of the other sign on the same line belongs to the content. */
function readMarks(text: string): FenceMark[] {
  const rows = [...text.matchAll(markPattern)].map(match => ({
    sign: match[0][0]!,
    length: match[0].length,
    start: match.index,
    end: match.index + match[0].length,
  }))
  const marks: FenceMark[] = []
  for (let at = 0; at < rows.length; ) {
    const first = rows[at]!
    const lineEnd = findLineEnd(text, first.end)
    let next = at + 1
    while (next < rows.length && rows[next]!.start < lineEnd) next += 1
    const onLine = rows.slice(at, next).filter(({ sign }) => sign === first.sign)
    const startsLine = isLineStart(text, first.start)
    for (const [place, mark] of onLine.entries()) {
      const isLast = place === onLine.length - 1
      const isFirst = place === 0 && startsLine
      const endsLine = isLast && text.slice(mark.end, lineEnd).trim() === ''
      marks.push({
        ...mark,
        isAlone: isFirst && endsLine,
        isLabelled:
          isFirst && isLast && !endsLine && loneLabel.test(text.slice(mark.end, mark.end + longestLabel)),
        isOdd: isLast && onLine.length % 2 === 1,
        holdsLine: isFirst && onLine.length === 2 && text.slice(onLine[1]!.end, lineEnd).trim() === '',
      })
    }
    at = next
  }
  return marks
}

const lineBreak = /[\r\n]/g

function findLineEnd(text: string, from: number): number {
  lineBreak.lastIndex = from
  return lineBreak.exec(text)?.index ?? text.length
}

function isLineStart(text: string, position: number): boolean {
  if (position === 0 || text[position - 1] === '\n') return true
  const from = Math.max(0, position - longestPrefix)
  const before = text.slice(from, position)
  const line = before.slice(Math.max(before.lastIndexOf('\n'), before.lastIndexOf('\r')) + 1)
  return (line.length < before.length || from === 0) && linePrefix.test(line)
}

/**
 * Returns a function that finds the row which closes the block opened at an index; the number of rows when none does. A row
 * alone on its line closes it. When there is none before the next labelled block, the first row that ends no code
 * span does, or else that block. What a search has passed is kept, so that all searches together take linear time.
 */
function createClosingFinder(marks: readonly FenceMark[]): (opening: number) => number {
  const searched = new Map<string, { from: number; stop: number }>()
  return opening => {
    const { sign, length } = marks[opening]!
    const closes = (mark: FenceMark): boolean => mark.sign === sign && mark.length >= length
    const key = `${sign}${length}`
    const last = searched.get(key)
    let stop = opening + 1
    if (last !== undefined && last.from <= opening && opening < last.stop) stop = last.stop
    else {
      while (
        stop < marks.length &&
        !(closes(marks[stop]!) && (marks[stop]!.isAlone || marks[stop]!.isLabelled))
      )
        stop += 1
      searched.set(key, { from: opening, stop })
    }
    if (marks[stop]?.isAlone === true) return stop
    for (let at = opening + 1; at < stop; at += 1) if (closes(marks[at]!) && marks[at]!.isOdd) return at
    return stop
  }
}

function readFence(
  text: string,
  opening: FenceMark,
  { end, bodyEnd, closed }: { end: number; bodyEnd: number; closed: boolean },
): Fence {
  const label = /^[ \t]*([\w/+.-]*)/.exec(text.slice(opening.end, opening.end + longestLabel))!
  const bodyStart = opening.end + label[0].length
  const written = text.slice(bodyStart, Math.max(bodyStart, bodyEnd))
  const quotes = countQuotes(text, opening.start)
  const body =
    quotes > 0 ? removeQuotes(written, quotes) : removeIndent(written, measureIndent(text, opening.start))
  return { ...separateLabel(label[1]!, body), closed, start: opening.start, end }
}

/** Returns how many signs of quotes stand before a block on its line. */
function countQuotes(text: string, position: number): number {
  const before = text.slice(Math.max(0, position - longestPrefix), position)
  const line = before.slice(Math.max(before.lastIndexOf('\n'), before.lastIndexOf('\r')) + 1)
  return linePrefix.test(line) ? line.replace(/[^>]/g, '').length : 0
}

function removeQuotes(body: string, quotes: number): string {
  return body.replace(new RegExp(`(?<=[\\r\\n])[ \\t]{0,3}(?:> ?){1,${quotes}}`, 'g'), '')
}

/** Returns the indentation of a block: the spaces before its mark, including those of a list item. */
function measureIndent(text: string, position: number): number {
  const start = Math.max(0, position - longestPrefix)
  const before = `${start === 0 ? '\n' : ''}${text.slice(start, position)}`
  return /[\r\n]( *(?:(?:[-*+]|\d{1,9}[.)]) +)?)$/.exec(before)?.[1]?.length ?? 0
}

function removeIndent(body: string, indent: number): string {
  return indent === 0 ? body : body.replace(new RegExp(`(?<=[\\r\\n]) {1,${indent}}`, 'g'), '')
}

/**
 * An info string such as `csv title="x"` or `csv:out.csv`. It is not a row when only the next line contains
 * delimiters.
 */
const infoString = /^[^\r\n,\t;|，；]*(?:\r?\n|\r)(?=[^\r\n]*[,\t;|，；])/

/**
 * Separates the label from the content. A word after the mark is a label only when its line ends there. `csv` is a label
 * even when other text follows it.
 */
function separateLabel(word: string, rest: string): { label: string; body: string } {
  const lineEnds = /^[ \t]*(?:\r?\n|\r|$)/.exec(rest)
  if (lineEnds !== null) return { label: word, body: rest.slice(lineEnds[0].length) }
  if (!/^csv$/i.test(word)) return { label: '', body: word + rest }
  return { label: word, body: rest.replace(infoString, '').replace(/^ +/, '') }
}

/** Returns a text with the content of each block in its place. */
export function withoutFences(text: string): string {
  let out = ''
  let at = 0
  for (const { body, start, end } of findFences(text)) {
    out += text.slice(at, start) + body
    at = end
  }
  return out + text.slice(at)
}

/** Returns the text outside the blocks; each block is replaced by a blank line. */
export function removeFences(text: string, fences: readonly Fence[]): string {
  let out = ''
  let at = 0
  for (const fence of fences) {
    out += `${text.slice(at, fence.start)}\n\n`
    at = fence.end
  }
  return out + text.slice(at)
}
