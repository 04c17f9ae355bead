import type { Attempt } from '../../core/attempt.ts'
import type { Registry } from '../../core/registry.ts'
import type { Score } from '../../core/score.ts'
import type { ScoredCell } from '../../core/scored-item.ts'
import type { Task } from '../../core/task.ts'
import { noJudge, rulesJudge } from '../contract/judge.ts'
import type { Scorer } from '../contract/scorer.ts'
import type { CsvTable } from '../pandas/csv.ts'
import type { ComparedCell } from './comparison.ts'
import { readGoldTable } from './gold-table.ts'
import type { RowMatch } from './row-match.ts'
import { isTableScorer } from './table-scorer.ts'

/** A gold cell that two scorerNames score differently. */
interface DifferentCell {
  readonly own: ScoredCell
  readonly other: ComparedCell
  readonly otherMatch: RowMatch | null
}

/** The cells that another scorer scores differently. */
export interface ScorerDifference {
  readonly scorer: string
  readonly cells: readonly DifferentCell[]
}

/** The answer of an attempt as a table, and its task; null when the task is not available. */
interface ScoredTable {
  readonly attempt: Attempt
  readonly answer: CsvTable
  readonly task: Task | null
}

/** Larger tables are not scored again, so that showing an attempt takes no longer than scoring it. */
const mostRowPairs = 1_000_000

/**
 * Scores an answer under another scorer to show where the two disagree: under `strict`, or under `aoe` when the
 * score is strict already. Calls no model and changes no record.
 *
 * @returns null when nothing can differ, when a model judged the score, for very large tables, for conversations, and
 * for answers that are not a table
 */
export async function scoreWithOther(
  score: Score,
  { attempt, answer, task }: ScoredTable,
  scorers: Registry<Scorer>,
): Promise<ScorerDifference | null> {
  const judge = score.judge === 'rules' ? rulesJudge : score.judge === 'none' ? noJudge : null
  if (judge === null || task?.gold.kind !== 'table' || !scorers.has(score.scorer)) return null
  if (score.status !== 'scored' || score.turns !== undefined || attempt.answer.csv === null) return null
  if (task.gold.rows.length * answer.rows.length > mostRowPairs) return null
  const name = score.scorer === 'strict' ? 'aoe' : 'strict'
  if (name === 'strict' && score.cells.every(isPlain)) return null
  const otherScorer = scorers.get(name)
  if (!isTableScorer(otherScorer)) return null
  const compared = await otherScorer.compare({ gold: readGoldTable(task.gold), answer, judge })
  const otherCells = new Map(compared.cells.map(cell => [placeCell(cell), cell]))
  const cells = score.cells.flatMap(own => {
    const otherCell = otherCells.get(placeCell(own))
    if (otherCell === undefined || own.score === null || otherCell.rating.score === own.score) return []
    return [{ own, other: otherCell, otherMatch: compared.matchOf(own.goldRow) }]
  })
  return cells.length === 0 ? null : { scorer: name, cells }
}

/**
 * Whether scorer strict scores the cell the same: its row has the gold row's exact key, and its text equals the
 * gold's.
 */
function isPlain({ score, predicted, gold, matched }: ScoredCell): boolean {
  return score === 1 && predicted === gold && matched?.by === 'exact key'
}

const placeCell = ({ goldRow, column }: { readonly goldRow: number; readonly column: string }): string =>
  `${goldRow} ${column}`
