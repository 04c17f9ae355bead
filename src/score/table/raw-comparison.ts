import { type Alignment, alignByName } from '../align/align-columns.ts'
import { alignWithJudge } from '../align/align-with-judge.ts'
import { asksAsPublished } from '../contract/judge.ts'
import type { JudgeTally } from '../judge/tally.ts'
import { type AlignedAnswer, alignedAnswer } from './aligned-answer.ts'
import type { TablesToCompare } from './comparison.ts'
import type { OpenCell } from './judge-cells.ts'
import { rewriteAsPublished } from './published-texts.ts'
import { type RawTable, rawAnswer, rawGold } from './raw-table.ts'

/** Gold and answer under the same columns, for scorers that compare values as written. */
export interface RawTables {
  readonly alignment: Alignment
  readonly aligned: AlignedAnswer
  readonly gold: RawTable
  readonly answer: RawTable
  /** Two matched cells. */
  cellAt(goldRow: number, row: number, target: number): OpenCell
}

/**
 * Aligns the answer's columns with the gold's.
 *
 * @param readsMarks whether the marks of sources in the answer are left out
 * @returns null when the judge failed
 */
export async function alignRawTables(
  tables: TablesToCompare,
  tally: JudgeTally,
  readsMarks: boolean,
): Promise<RawTables | null> {
  const { gold, judge } = tables
  const names = [...gold.keyColumns, ...gold.targetColumns]
  const answer = asksAsPublished(judge) ? await rewriteAsPublished(tables, judge, tally) : tables.answer
  if (answer === null) return null
  const alignment = asksAsPublished(judge)
    ? alignByName(names, answer.header)
    : await alignWithJudge(names, answer.header, judge, tally)
  if (alignment === null) return null
  const aligned = alignedAnswer(gold, answer, alignment)
  const [left, right] = [rawGold(gold), rawAnswer(gold, aligned, readsMarks)]
  return {
    alignment,
    aligned,
    gold: left,
    answer: right,
    cellAt: (goldRow, row, target) => ({
      column: gold.targetColumns[target]!,
      gold: left.targets[target]![goldRow]!,
      predicted: right.targets[target]![row]!,
    }),
  }
}
