import { areFiguresDifferent, type KeyFigures, readKeyFigures } from '../../text/key-figures.ts'
import { computeTokenSortRatio, sortTokens } from '../fuzzy/token-sort.ts'

/** The rule that matched a row of the answer with a gold row. */
type RowMatchRule = 'exact key' | 'normalised key' | 'similarity' | 'judge'

/** The row of the answer that a gold row was compared with. */
export interface RowMatch {
  /** 0-based data row of the answer. */
  readonly row: number
  readonly by: RowMatchRule
  /** 0 to 100, rounded; null unless similarity decided. */
  readonly similarity: number | null
  /** True when similarity matched two keys that differ in a figure, such as two years. Absent: false. */
  readonly figuresDiffer?: true
}

/** The figures of each part of a key. */
export type RowFigures = readonly KeyFigures[]

/** Reads the figures of a key, part by part. */
export const readRowFigures = (key: readonly string[]): RowFigures => key.map(readKeyFigures)

/** Whether two keys differ in a figure of any part, so that similarity must not match their rows. */
export const areRowFiguresDifferent = (left: RowFigures, right: RowFigures): boolean =>
  left.some((part, at) => areFiguresDifferent(part, right[at]!))

/** The key of a row: its parts, and the text that is compared. */
export interface RowKeyText {
  readonly parts: readonly string[]
  readonly text: string
}

/** What is needed to tell how two rows were matched. */
interface MatchedKeys {
  goldKey(goldRow: number): RowKeyText
  answerKey(row: number): RowKeyText
  /** The scorer's second form of a key; null when the scorer compares keys as they are. */
  readonly normalise: ((parts: readonly string[]) => string) | null
  /** Rows of the answer that a judge matched. */
  readonly judgedRows: ReadonlySet<number>
}

/**
 * Returns a function that describes how two rows were matched. All scorers try the rules in the same order, so the keys
 * alone show which rule decided, except for rows that a judge matched.
 */
export function createMatchDescriber({
  goldKey,
  answerKey,
  normalise,
  judgedRows,
}: MatchedKeys): (goldRow: number, row: number) => RowMatch {
  return (goldRow, row) => {
    if (judgedRows.has(row)) return { row, by: 'judge', similarity: null }
    const [gold, answer] = [goldKey(goldRow), answerKey(row)]
    if (gold.text === answer.text) return { row, by: 'exact key', similarity: null }
    const form = normalise?.(gold.parts) ?? ''
    if (form !== '' && form === normalise?.(answer.parts))
      return { row, by: 'normalised key', similarity: null }
    const similarity = Math.round(computeTokenSortRatio(sortTokens(gold.text), sortTokens(answer.text)))
    const isSame = !areRowFiguresDifferent(readRowFigures(gold.parts), readRowFigures(answer.parts))
    return { row, by: 'similarity', similarity, ...(isSame ? {} : { figuresDiffer: true }) }
  }
}
