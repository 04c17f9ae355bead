import type { Score } from '../core/score.ts'
import { pearson, spearman } from '../score/statistics.ts'

/** How one metric agrees between the repeats of a scoring, over attempts scored in both; means over pairs of repeats. */
export interface MetricStability {
  readonly metric: string
  readonly pearson: number | null
  readonly spearman: number | null
}

export interface Stability {
  readonly profile: string
  readonly repeats: number
  readonly metrics: readonly MetricStability[]
  /** Cells whose rule names a judge: how many, and how many got another score in some repeat. */
  readonly judgedCells: number
  readonly flippedCells: number
}

const metrics: Readonly<Record<string, (score: Score) => number | null>> = {
  'row precision': score => score.row?.precision ?? null,
  'row recall': score => score.row?.recall ?? null,
  'row F1': score => score.row?.f1 ?? null,
  'cell precision': score => score.cell?.precision ?? null,
  'cell recall': score => score.cell?.recall ?? null,
  'cell F1': score => score.cell?.f1 ?? null,
}

function pairsOf<T>(list: readonly T[]): [T, T][] {
  return list.flatMap((first, index) => list.slice(index + 1).map((second): [T, T] => [first, second]))
}

function meanOf(values: readonly (number | null)[]): number | null {
  const known = values.filter(value => value !== null)
  return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0) / known.length
}

/** The paper's Figure 7: correlations between repeats, and how many judged cells flipped. Repeats in the same order. */
export function stabilityOf(profile: string, repeats: readonly (readonly Score[])[]): Stability {
  const own = repeats.map(scores => scores.filter(score => score.profile === profile))
  const correlate = (read: (score: Score) => number | null, by: typeof pearson) =>
    meanOf(
      pairsOf(own).map(([a, b]) => {
        const both = a.flatMap((score, index) => {
          const [x, y] = [read(score), read(b[index]!)]
          return x === null || y === null ? [] : [[x, y] as const]
        })
        return by(
          both.map(([x]) => x),
          both.map(([, y]) => y),
        )
      }),
    )
  const cells = (own[0] ?? []).flatMap((score, at) =>
    score.cells.map((cell, index) => ({ cell, scores: own.map(scores => scores[at]?.cells[index]?.score) })),
  )
  const judged = cells.filter(({ cell }) => cell.rule.includes('judge'))
  return {
    profile,
    repeats: repeats.length,
    metrics: Object.entries(metrics).map(([metric, read]) => ({
      metric,
      pearson: correlate(read, pearson),
      spearman: correlate(read, spearman),
    })),
    judgedCells: judged.length,
    flippedCells: judged.filter(({ scores }) => new Set(scores).size > 1).length,
  }
}
