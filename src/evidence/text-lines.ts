import { containsAtWords, type FoldedText, foldText } from '../text/fold.ts'

/** A line of a text, or two lines that a value spans. */
export interface NumberedLine {
  /** The number of the line, from 0. */
  readonly number: number
  /** UTF-16 positions in the text. */
  readonly start: number
  readonly end: number
}

/** The lines of a text, folded at the first search. */
export interface TextLines {
  /** Returns a line by its number, from 0. */
  at(number: number): NumberedLine | undefined
  /** The lines that contain any of the folded forms; the pairs of lines that do when no line does. */
  withText(forms: readonly string[]): readonly NumberedLine[]
  /** The lines from some lines before a line to some lines after its end, folded. */
  around(line: NumberedLine, before: number, after: number): readonly FoldedText[]
}

/** More places of a value are not compared with each other. */
const mostPlaces = 200

/** Splits a text into lines. */
export function splitLines(source: string): TextLines {
  const lines: NumberedLine[] = []
  for (let start = 0, number = 0; start <= source.length; number++) {
    const next = source.indexOf('\n', start)
    const end = next === -1 ? source.length : next
    lines.push({ number, start, end })
    start = end + 1
  }
  const textOf = ({ start, end }: NumberedLine): string => source.slice(start, end)
  let folded: FoldedText[] | null = null
  const foldedLines = (): FoldedText[] => (folded ??= lines.map(line => foldText(textOf(line))))
  let single: FoldedLines | null = null
  let pairs: FoldedLines | null = null
  return {
    at: number => lines[number],
    withText(forms) {
      single ??= searchLines(lines, foldedLines())
      const matches = single.withText(forms)
      if (matches.length > 0) return matches
      pairs ??= foldPairs(lines, textOf)
      return pairs.withText(forms)
    },
    around({ number }, before, after) {
      return foldedLines().slice(Math.max(0, number - before), number + after + 1)
    },
  }
}

/** Joins each line with text and the next line with text. */
function foldPairs(lines: readonly NumberedLine[], textOf: (line: NumberedLine) => string): FoldedLines {
  const filled = lines.filter(line => /\S/.test(textOf(line)))
  const pairs = filled.slice(0, -1).map((line, at) => ({ ...line, end: filled[at + 1]!.end }))
  return searchLines(
    pairs,
    pairs.map(pair => foldText(textOf(pair))),
  )
}

interface FoldedLines {
  withText(forms: readonly string[]): readonly NumberedLine[]
}

function searchLines(lines: readonly NumberedLine[], folded: readonly FoldedText[]): FoldedLines {
  const { joined, starts } = joinFolded(folded)
  return {
    withText(forms) {
      const lineNumbers = new Set<number>()
      for (const form of forms.filter(text => text !== '')) {
        for (let at = joined.indexOf(form); at !== -1 && lineNumbers.size < mostPlaces; ) {
          const line = findLastUpTo(starts, at)
          if (containsAtWords(folded[line]!, form)) lineNumbers.add(line)
          at = joined.indexOf(form, starts[line + 1] ?? joined.length)
        }
      }
      return [...lineNumbers].sort((a, b) => a - b).map(line => lines[line]!)
    },
  }
}

/** Joins folded texts for searching: one long text is searched much faster than thousands of short ones. `starts` are their positions. */
export function joinFolded(texts: readonly FoldedText[]): { joined: string; starts: number[] } {
  const starts: number[] = []
  let length = 0
  for (const { text } of texts) {
    starts.push(length)
    length += text.length + 1
  }
  return { joined: texts.map(({ text }) => text).join('\n'), starts }
}

/** The index of the last number that is not above `limit`, in an ascending list that begins with 0. */
export function findLastUpTo(ascending: readonly number[], limit: number): number {
  return countLeading(ascending, number => number <= limit) - 1
}

/** Counts the members at the start of a list for which a test is true. After the first for which it is false, it must stay false. */
export function countLeading<T>(sorted: readonly T[], test: (member: T) => boolean): number {
  let [from, to] = [0, sorted.length]
  while (from < to) {
    const middle = (from + to) >> 1
    if (test(sorted[middle]!)) from = middle + 1
    else to = middle
  }
  return from
}
