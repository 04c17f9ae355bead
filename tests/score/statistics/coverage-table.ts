import { seededRandom } from '../../../src/core/runtime.ts'
import type { ClusteredValue } from '../../../src/score/statistics/clusters.ts'
import { computeMeanInterval } from '../../../src/score/statistics/intervals.ts'
import { computePairedDifference } from '../../../src/score/statistics/paired-difference.ts'
import {
  clusteredValues,
  type Distribution,
  drawPairs,
  drawScores,
  type Random,
  trueMean,
} from './campaigns.ts'

/*
 * Simulates the tables of docs/statistics.md: how often intervals contain the true value, how often p is at most 0.05, and
 * how often the report marks the interval, by the number of groups with one task each.
 */

/** The columns of the tables: numbers of groups. */
export const groupCounts = [5, 8, 12, 20, 40] as const

/** What the campaigns of a row say, in percent. */
export interface SimulatedRow {
  readonly name: string
  readonly cells: readonly SimulatedCell[]
}

/** The share of campaigns that hold what the row counts, and the share that is marked as too narrow. */
export interface SimulatedCell {
  readonly share: number
  readonly marked: number
  /** The median width of the interval. */
  readonly width: number
  /** The share of campaigns without a mark that are wrong: that miss the truth, or detect what is not there. */
  readonly wrongUnmarked: number
}

const shapes: Readonly<Record<string, Distribution>> = {
  even: 'even 0.50',
  skewed: 'skewed 0.25',
  'mostly 100': 'mostly full 0.958',
  'all or nothing': 'rate 0.90',
  'high, small spread': 'high 0.976',
  'high, rare zeros': 'high with zeros 0.88',
}

interface Campaign {
  readonly holds: boolean
  readonly isWrong: boolean
  readonly isMarked: boolean
  readonly width: number
}

function simulate(
  name: string,
  campaigns: number,
  draw: (groups: number, random: Random) => Campaign,
): SimulatedRow {
  const cells = groupCounts.map((groups): SimulatedCell => {
    const random = seededRandom(1)
    const all = Array.from({ length: campaigns }, () => draw(groups, random))
    const share = (has: (campaign: Campaign) => boolean) => (100 * all.filter(has).length) / campaigns
    const widths = all.map(({ width }) => width).sort((a, b) => a - b)
    return {
      share: share(({ holds }) => holds),
      marked: share(({ isMarked }) => isMarked),
      width: 100 * widths[Math.floor(campaigns / 2)]!,
      wrongUnmarked: share(({ isWrong, isMarked }) => isWrong && !isMarked),
    }
  })
  return { name, cells }
}

/** Of the normal variables behind the scores of a pair. Single scores do not depend on it. */
const pairCorrelation = 0.7

const shapeIn = (distribution: Distribution, components: number) =>
  ({ distribution, components, arrangement: 'one task each', correlation: pairCorrelation }) as const

/** Drops attempts at random, as if they had no score, but keeps five. */
function withUnscored(values: readonly ClusteredValue[], share: number, random: Random): ClusteredValue[] {
  const kept = values.filter(() => random() >= share)
  return kept.length < 5 ? values.slice(0, 5) : kept
}

/** The coverage of intervals of means, without and with a fifth of the attempts unscored. */
export function meanRows(campaigns: number): SimulatedRow[] {
  return [0, 0.2].flatMap(unscored =>
    Object.entries(shapes).map(([name, distribution]) => {
      const truth = trueMean(distribution)
      return simulate(`${name}${unscored === 0 ? '' : ', 20% unscored'}`, campaigns, (groups, random) => {
        const values = clusteredValues(drawScores(shapeIn(distribution, groups), random))
        const { low, high, unseenShare } = computeMeanInterval(
          withUnscored(values, unscored, random),
          [0, 1],
        )!
        const holds = low! <= truth && truth <= high!
        return { holds, isWrong: !holds, isMarked: unseenShare !== undefined, width: high! - low! }
      })
    }),
  )
}

/** Pairs of two arms, a pair for each group. */
type Pairs = (groups: number, random: Random) => readonly (readonly [number, number])[]

const pairsOf =
  (distribution: Distribution, change = (score: number, _: Random) => score): Pairs =>
  (groups, random) =>
    drawPairs(shapeIn(distribution, groups), random).map(tasks => {
      const [from, to] = tasks[0]!
      return [from, change(to, random)]
    })

/** An arm that always has the mean of the other, whose scores are mostly 100. */
const flatPairs: Pairs = (groups, random) =>
  drawPairs(shapeIn('mostly full 0.958', groups), random).map(tasks => [
    trueMean('mostly full 0.958'),
    tasks[0]![0],
  ])

/** An arm that scores a fifth less on average: between nothing and two fifths. */
const lessByAFifth = (score: number, random: Random) => score * (1 - 0.4 * random())

function differenceRow(
  name: string,
  campaigns: number,
  { pairs, truth, holds }: { pairs: Pairs; truth: number; holds: 'covers' | 'detects' },
): SimulatedRow {
  return simulate(name, campaigns, (groups, random) => {
    const drawn = pairs(groups, random)
    const sides = ([0, 1] as const).map(side => clusteredValues(drawn.map(pair => [pair[side]])))
    const { low, high, pValue, unseenShare } = computePairedDifference(sides[0]!, sides[1]!, [0, 1])!
    // Without an interval, every difference is possible.
    const covers = low === null || high === null || (low <= truth && truth <= high)
    const detects = pValue! <= 0.05
    return {
      holds: holds === 'covers' ? covers : detects,
      isWrong: holds === 'covers' ? !covers : detects && truth === 0,
      isMarked: unseenShare !== undefined,
      width: (high ?? 1) - (low ?? -1),
    }
  })
}

/** The coverage of intervals of differences: a fifth less, on average. */
export function differenceRows(campaigns: number): SimulatedRow[] {
  return Object.entries(shapes)
    .filter(([, distribution]) => !distribution.startsWith('rate'))
    .map(([name, distribution]) =>
      differenceRow(`${name}, 20% less`, campaigns, {
        pairs: pairsOf(distribution, lessByAFifth),
        truth: -0.2 * trueMean(distribution),
        holds: 'covers',
      }),
    )
}

/** False positives for three kinds of arms without a difference. */
export function nullRows(campaigns: number): SimulatedRow[] {
  const row = (name: string, pairs: Pairs) =>
    differenceRow(name, campaigns, { pairs, truth: 0, holds: 'detects' })
  return [
    row('exchangeable, even', pairsOf('even 0.50')),
    row('exchangeable, both mostly 100', pairsOf('mostly full 0.958')),
    row('a flat arm against mostly 100', flatPairs),
  ]
}

/** Detected differences of a fifth. */
export function detectionRows(campaigns: number): SimulatedRow[] {
  return (['even', 'mostly 100', 'high, small spread'] as const).map(name =>
    differenceRow(`${name}, 20% less`, campaigns, {
      pairs: pairsOf(shapes[name]!, lessByAFifth),
      truth: -0.2 * trueMean(shapes[name]!),
      holds: 'detects',
    }),
  )
}

/** Writes one figure of the rows as a table in Markdown. */
export function rowsText(title: string, rows: readonly SimulatedRow[], figure: keyof SimulatedCell): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  return [
    line([title, ...groupCounts.map(count => `${count} groups`)]),
    line(['---', ...groupCounts.map(() => '---')]),
    ...rows.map(({ name, cells }) => line([name, ...cells.map(cell => cell[figure].toFixed(1))])),
  ].join('\n')
}
