import type { Score } from '../../core/score.ts'
import { listItems } from '../../core/score-items.ts'
import { averageKnown } from './clusters.ts'
import { pearson, spearman } from './correlation.ts'

/** The agreement of one measure between repeats of the same scoring, averaged over the pairs of repeats. */
export interface MeasureStability {
  readonly measure: string
  /** Attempts scored in every repeat. */
  readonly n: number
  /** Null when undefined in every pair, for example when all values are equal. */
  readonly pearson: number | null
  readonly spearman: number | null
}

/** How many items that a judge decided have different scores in the repeats. */
interface JudgedFlips {
  /** The number of items that a judge decided in some repeat. `flippedCells`: those with different scores. */
  readonly judgedCells: number
  readonly flippedCells: number
  readonly flippedShare: number | null
}

/** How stable repeated scoring is. */
export interface Stability extends JudgedFlips {
  readonly measures: readonly MeasureStability[]
}

/** The small part of a score that stability is computed from. */
export interface ScoreDigest {
  readonly attemptId: string
  readonly scorer: string
  readonly status: Score['status']
  readonly measures: Readonly<Record<string, number | null>>
  /** The scores of items that a judge decided, by place; null when the judge failed. */
  readonly judged: ReadonlyMap<string, number | null>
}

/** The metrics of an extraction that ask a judge. */
const judgeMetrics = new Set(['string_semantic', 'string_llm', 'array_llm'])

/** Extracts the digest of a score. */
export function makeScoreDigest(score: Score): ScoreDigest {
  const { attemptId, scorer, status, metrics } = score
  return { attemptId, scorer, status, measures: metrics, judged: mapJudged(score) }
}

function mapJudged(score: Score): Map<string, number | null> {
  const judged = new Map<string, number | null>()
  for (const [at, { rule, score: value }] of listItems(score).entries()) {
    if (rule === 'judge' || (rule === 'judge-failed' && score.extract === undefined))
      judged.set(String(at), value)
  }
  // A judge decides a list of an extraction as a whole, not its items.
  for (const node of score.extract?.nodes ?? []) {
    if (judgeMetrics.has(node.metric) && node.presence === 'both_present')
      judged.set(`${node.path} ${node.metric}`, node.score)
  }
  return judged
}

/**
 * Measures how much a judge's scoring varies when it is repeated (the AOE paper's Figure 7).
 *
 * @param repeats the scores of the same attempts by the same scorer, one list for each repeat
 */
export function measureJudgeStability(repeats: readonly (readonly ScoreDigest[])[]): Stability {
  const byAttempt = repeats.map(scores => new Map(scores.map(score => [score.attemptId, score])))
  const shared = [...(byAttempt[0]?.keys() ?? [])].filter(id =>
    byAttempt.every(scores => scores.get(id)?.status === 'scored'),
  )
  const first = shared.flatMap(id => byAttempt[0]?.get(id) ?? [])
  const names = new Set(first.flatMap(({ measures }) => Object.keys(measures)))
  return {
    measures: [...names].map(measure => measureStability(measure, byAttempt, shared)),
    ...countFlips(byAttempt, shared),
  }
}

type Repeats = readonly ReadonlyMap<string, ScoreDigest>[]

function measureStability(measure: string, repeats: Repeats, shared: readonly string[]): MeasureStability {
  const measured = (scores: ReadonlyMap<string, ScoreDigest>, id: string): number | null =>
    scores.get(id)?.measures[measure] ?? null
  const present = shared.filter(id => repeats.every(scores => measured(scores, id) !== null))
  const columns = repeats.map(scores => present.map(id => measured(scores, id)!))
  const pairs = columns.flatMap((left, i) => columns.slice(i + 1).map(right => [left, right] as const))
  const average = (correlate: (a: readonly number[], b: readonly number[]) => number | null): number | null =>
    averageKnown(pairs.map(([left, right]) => correlate(left, right)))
  return { measure, n: present.length, pearson: average(pearson), spearman: average(spearman) }
}

/**
 * Counts items with different scores. An item on which the judge failed in a repeat is left out; one that the judge
 * decided only in some repeats has flipped.
 */
function countFlips(repeats: Repeats, shared: readonly string[]): JudgedFlips {
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
