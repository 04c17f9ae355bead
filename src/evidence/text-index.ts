import { lruCache } from '../system/lru-cache.ts'
import { containsAtWords, containsInterrupted, type FoldedText, foldText } from '../text/fold.ts'
import { type ColumnTexts, indexColumns } from './column-text.ts'
import { indexNumbers, type NumberIndex } from './number-index.ts'
import { type NumberedLine, splitLines, type TextLines } from './text-lines.ts'

/** One thing that a text must contain to be evidence of a value. */
export type EvidenceNeedle =
  | { readonly kind: 'number'; readonly value: number; readonly scaled: boolean }
  /** Any of these folded forms, at word boundaries. */
  | { readonly kind: 'text'; readonly forms: readonly string[] }
  | {
      readonly kind: 'growth'
      readonly current: number
      readonly percent: number
      readonly tolerance: number
    }

/** A text prepared for many look-ups. Each part is prepared at its first use. */
export interface TextIndex {
  has(needle: EvidenceNeedle): boolean
  /** The lines that contain the needle. A text may begin on one line and end on the next. */
  linesWith(needle: EvidenceNeedle): readonly NumberedLine[]
  /** The lines from some lines before a line to some lines after it, folded. */
  around(line: NumberedLine, before: number, after: number): readonly FoldedText[]
}

/** How many lines before and after a value are searched for the names of its row and its column. */
export const linesOfRow = [4, 1] as const

/** In a text as short as a search result, searching again is faster than remembering. */
const shortChars = 2_000

/** Indexes one text. */
export function indexText(source: string): TextIndex {
  let numbers: NumberIndex | null = null
  let folded: FoldedText | null = null
  let lines: TextLines | null = null
  let columns: ColumnTexts | null = null
  const answers = new WeakMap<EvidenceNeedle, boolean>()
  const linesByNeedle = new WeakMap<EvidenceNeedle, readonly NumberedLine[]>()

  function look(needle: EvidenceNeedle): boolean {
    switch (needle.kind) {
      case 'number':
        numbers ??= indexNumbers(source)
        return numbers.has(needle.value, needle.scaled)
      case 'growth':
        numbers ??= indexNumbers(source)
        return numbers.hasGrowth(needle.current, needle.percent, needle.tolerance)
      case 'text': {
        const text = (folded ??= foldText(source))
        if (needle.forms.some(form => containsAtWords(text, form) || containsInterrupted(text, form)))
          return true
        columns ??= indexColumns(source)
        return columns.placesOf(needle.forms).length > 0
      }
      default:
        return needle satisfies never
    }
  }

  function find(needle: EvidenceNeedle): readonly NumberedLine[] {
    lines ??= splitLines(source)
    if (needle.kind === 'text') {
      const withText = lines.withText(needle.forms)
      if (withText.length > 0) return withText
      columns ??= indexColumns(source)
      return columns.placesOf(needle.forms).flatMap(({ first, last }) => {
        const [start, end] = [lines?.at(first), lines?.at(last)]
        return start === undefined || end === undefined ? [] : [{ ...start, end: end.end }]
      })
    }
    numbers ??= indexNumbers(source)
    const numbered =
      needle.kind === 'number'
        ? numbers.linesWith(needle.value, needle.scaled)
        : numbers.linesWithGrowth(needle.current, needle.percent, needle.tolerance)
    return numbered.flatMap(line => lines?.at(line) ?? [])
  }

  return {
    linesWith(needle) {
      const needleLines = linesByNeedle.get(needle) ?? find(needle)
      linesByNeedle.set(needle, needleLines)
      return needleLines
    },
    around: (line, before, after) => (lines ??= splitLines(source)).around(line, before, after),
    has(needle) {
      if (source.length < shortChars) return look(needle)
      const answer = answers.get(needle)
      if (answer !== undefined) return answer
      const hasMatch = look(needle)
      answers.set(needle, hasMatch)
      return hasMatch
    },
  }
}

/** Returns the index of a text. Recently used indexes are kept. */
export type TextIndexes = (text: string) => TextIndex

/**
 * Creates a cache of text indexes.
 *
 * @param maxChars the total length of the texts that are kept; an index takes about 10 bytes for each character
 */
export function createTextIndexes(maxChars = 30_000_000): TextIndexes {
  const indexes = lruCache<TextIndex>(maxChars)
  return text => indexes(text, () => indexText(text), text.length)
}
