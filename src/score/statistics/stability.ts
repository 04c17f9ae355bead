import type { Score } from '../../core/score.ts'
import { meanOf } from './clusters.ts'
import { pearson, spearman } from './correlation.ts'

/** One measure's agreement between repeats of the same scoring, averaged over the pairs of repeats. */
export interface MeasureStability {
  readonly measure: string
  /** Attempts scored in every repeat. */
  readonly n: number
  /** Null where it is not defined in any pair, as when all values are the same. */
  readonly pearson: number | null
  readonly spearman: number | null
}

export interface Stability {
  readonly measures: readonly MeasureStability[]
  /** Cells that a judge settled in at least one repeat, and the share of them that did not get the same score in all. */
  readonly judgedCells: number
  readonly flippedShare: number | null
}

const measures: Readonly<Record<string, (score: Score) => number | null>> = {
  rowPrecision: score => score.row?.precision ?? null,
  rowRecall: score => score.row?.recall ?? null,
  rowF1: score => score.row?.f1 ?? null,
  cellPrecision: score => score.cell?.precision ?? null,
  cellRecall: score => score.cell?.recall ?? null,
  cellF1: score => score.cell?.f1 ?? null,
  schemaPrecision: score => score.schemaPrecision,
  overall: score => score.overall?.mean ?? null,
}

/**
 * How much a judge's scoring varies when it is repeated (the AOE paper's Figure 7).
 * @param repeats the scores of the same attempts, one list a repeat
 */
export function judgeStability(repeats: readonly (readonly Score[])[]): Stability {
  const byAttempt = repeats.map(scores => new Map(scores.map(score => [score.attemptId, score])))
  const shared = [...(byAttempt[0]?.keys() ?? [])].filter(id =>
    byAttempt.every(scores => scores.get(id)?.status === 'scored'),
  )
  return {
    measures: Object.entries(measures).map(([measure, measureOf]) =>
      stabilityOf(measure, measureOf, byAttempt, shared),
    ),
    ...flips(byAttempt, shared),
  }
}

function stabilityOf(
  measure: string,
  measureOf: (score: Score) => number | null,
  repeats: readonly ReadonlyMap<string, Score>[],
  shared: readonly string[],
): MeasureStability {
  const present = shared.filter(id => repeats.every(scores => measureOf(scores.get(id)!) !== null))
  const columns = repeats.map(scores => present.map(id => measureOf(scores.get(id)!)!))
  const pairs = columns.flatMap((left, i) => columns.slice(i + 1).map(right => [left, right] as const))
  const average = (of: (a: readonly number[], b: readonly number[]) => number | null): number | null => {
    const values = pairs.map(([left, right]) => of(left, right)).filter(value => value !== null)
    return values.length === 0 ? null : meanOf(values)
  }
  return { measure, n: present.length, pearson: average(pearson), spearman: average(spearman) }
}

function flips(
  repeats: readonly ReadonlyMap<string, Score>[],
  shared: readonly string[],
): { judgedCells: number; flippedShare: number | null } {
  let judgedCells = 0
  let flipped = 0
  for (const id of shared) {
    const tables = repeats.map(scores => scores.get(id)!.cells)
    for (const i of tables[0]!.keys()) {
      const cells = tables.map(cells => cells[i])
      if (!cells.some(cell => cell?.rule === 'judge')) continue
      judgedCells += 1
      if (cells.some(cell => cell?.score !== cells[0]?.score)) flipped += 1
    }
  }
  return { judgedCells, flippedShare: judgedCells === 0 ? null : flipped / judgedCells }
}
