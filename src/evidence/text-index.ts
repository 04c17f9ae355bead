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

/** The parts of an index, each prepared at its first use. */
interface IndexParts {
  numbers(): NumberIndex
  folded(): FoldedText
  lines(): TextLines
  columns(): ColumnTexts
}

function prepareParts(source: string): IndexParts {
  let numbers: NumberIndex | null = null
  let folded: FoldedText | null = null
  let lines: TextLines | null = null
  let columns: ColumnTexts | null = null
  return {
    numbers: () => (numbers ??= indexNumbers(source)),
    folded: () => (folded ??= foldText(source)),
    lines: () => (lines ??= splitLines(source)),
    columns: () => (columns ??= indexColumns(source)),
  }
}

function containsNeedle(needle: EvidenceNeedle, parts: IndexParts): boolean {
  switch (needle.kind) {
    case 'number':
      return parts.numbers().has(needle.value, needle.scaled)
    case 'growth':
      return parts.numbers().hasGrowth(needle.current, needle.percent, needle.tolerance)
    case 'text': {
      const text = parts.folded()
      return (
        needle.forms.some(form => containsAtWords(text, form) || containsInterrupted(text, form)) ||
        parts.columns().placesOf(needle.forms).length > 0
      )
    }
    default:
      return needle satisfies never
  }
}

function findLines(needle: EvidenceNeedle, parts: IndexParts): readonly NumberedLine[] {
  const lines = parts.lines()
  if (needle.kind === 'text') {
    const withText = lines.withText(needle.forms)
    if (withText.length > 0) return withText
    const places = parts.columns().placesOf(needle.forms)
    return places.flatMap(({ first, last }) => {
      const [start, end] = [lines.at(first), lines.at(last)]
      return start === undefined || end === undefined ? [] : [{ ...start, end: end.end }]
    })
  }
  const numbered =
    needle.kind === 'number'
      ? parts.numbers().linesWith(needle.value, needle.scaled)
      : parts.numbers().linesWithGrowth(needle.current, needle.percent, needle.tolerance)
  return numbered.flatMap(line => lines.at(line) ?? [])
}

/** Indexes one text. */
export function indexText(source: string): TextIndex {
  const parts = prepareParts(source)
  const answers = new WeakMap<EvidenceNeedle, boolean>()
  const linesByNeedle = new WeakMap<EvidenceNeedle, readonly NumberedLine[]>()
  return {
    linesWith(needle) {
      const needleLines = linesByNeedle.get(needle) ?? findLines(needle, parts)
      linesByNeedle.set(needle, needleLines)
      return needleLines
    },
    around: (line, before, after) => parts.lines().around(line, before, after),
    has(needle) {
      if (source.length < shortChars) return containsNeedle(needle, parts)
      const answer = answers.get(needle) ?? containsNeedle(needle, parts)
      answers.set(needle, answer)
      return answer
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
