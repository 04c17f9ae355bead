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
  /** Cells (of an extraction: fields) that a judge settled in a repeat, and how many did not get the same score in all. */
  readonly judgedCells: number
  readonly flippedCells: number
  readonly flippedShare: number | null
}

/** What of a score its stability hangs on: a small part of the record. */
export interface ScoreDigest {
  readonly attemptId: string
  readonly profile: string
  readonly status: Score['status']
  readonly measures: Readonly<Record<string, number | null>>
  /** The scores of cells that a judge settled, by place; null where the judge failed. */
  readonly judged: ReadonlyMap<string, number | null>
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
  fieldPassRate: score =>
    score.extract === undefined || !score.counts.nodes
      ? null
      : (score.counts.passedNodes ?? 0) / score.counts.nodes,
}

/** The metrics of an extraction that ask a judge. */
const judgeMetrics = new Set(['string_semantic', 'string_llm', 'array_llm'])

export function digestOf(score: Score): ScoreDigest {
  const judged = new Map<string, number | null>()
  for (const [at, cell] of score.cells.entries()) {
    if (cell.rule === 'judge' || cell.rule === 'judge-failed') judged.set(String(at), cell.score)
  }
  for (const node of score.extract?.nodes ?? []) {
    if (judgeMetrics.has(node.metric) && node.presence === 'both_present')
      judged.set(`${node.path} ${node.metric}`, node.score)
  }
  return {
    attemptId: score.attemptId,
    profile: score.profile,
    status: score.status,
    measures: Object.fromEntries(Object.entries(measures).map(([name, of]) => [name, of(score)])),
    judged,
  }
}

/**
 * How much a judge's scoring varies when it is repeated (the AOE paper's Figure 7).
 * @param repeats the scores of the same attempts under the same profile, one list a repeat
 */
export function judgeStability(repeats: readonly (readonly ScoreDigest[])[]): Stability {
  const byAttempt = repeats.map(scores => new Map(scores.map(score => [score.attemptId, score])))
  const shared = [...(byAttempt[0]?.keys() ?? [])].filter(id =>
    byAttempt.every(scores => scores.get(id)?.status === 'scored'),
  )
  return {
    measures: Object.keys(measures).map(measure => stabilityOf(measure, byAttempt, shared)),
    ...flips(byAttempt, shared),
  }
}

type Repeats = readonly ReadonlyMap<string, ScoreDigest>[]

function stabilityOf(measure: string, repeats: Repeats, shared: readonly string[]): MeasureStability {
  const measured = (scores: ReadonlyMap<string, ScoreDigest>, id: string): number | null =>
    scores.get(id)?.measures[measure] ?? null
  const present = shared.filter(id => repeats.every(scores => measured(scores, id) !== null))
  const columns = repeats.map(scores => present.map(id => measured(scores, id)!))
  const pairs = columns.flatMap((left, i) => columns.slice(i + 1).map(right => [left, right] as const))
  const average = (of: (a: readonly number[], b: readonly number[]) => number | null): number | null => {
    const values = pairs.map(([left, right]) => of(left, right)).filter(value => value !== null)
    return values.length === 0 ? null : meanOf(values)
  }
  return { measure, n: present.length, pearson: average(pearson), spearman: average(spearman) }
}

/** A cell on which the judge failed in a repeat has no score to compare; one that it settled in some alone has flipped. */
function flips(
  repeats: Repeats,
  shared: readonly string[],
): Pick<Stability, 'judgedCells' | 'flippedCells' | 'flippedShare'> {
  let judgedCells = 0
  let flippedCells = 0
  for (const id of shared) {
    const cells = repeats.map(scores => scores.get(id)!.judged)
    for (const place of new Set(cells.flatMap(judged => [...judged.keys()]))) {
      const scores = cells.map(judged => judged.get(place))
      if (scores.includes(null)) continue
      judgedCells += 1
      if (new Set(scores).size > 1) flippedCells += 1
    }
  }
  return { judgedCells, flippedCells, flippedShare: judgedCells === 0 ? null : flippedCells / judgedCells }
}
