import { describe, expect, it } from 'vitest'
import { seededRandom } from '../../../src/core/runtime.ts'
import { meanInterval } from '../../../src/score/statistics/intervals.ts'
import { pairedDifference } from '../../../src/score/statistics/paired-difference.ts'
import {
  type Arrangement,
  arrangements,
  clusteredValues,
  type Distribution,
  drawPairs,
  drawScores,
  type Random,
  type Shape,
  trueMean,
} from './campaigns.ts'

/*
 * Counts how often 95% intervals contain the true value over made-up campaigns, and how often p is below 0.05 without a
 * difference. docs/decisions/0018-intervals-over-groups.md has the results for more shapes.
 */

/** Chosen before the first run. A case is judged on the campaigns of all three together. */
const seeds = [1, 2, 3]

/** The share of campaigns for which `holds` is true, with its binomial standard error (0.6 points at 95% of 1,500). */
function shareOf(holds: (random: Random) => boolean, perSeed = 500): { share: number; error: number } {
  let count = 0
  for (const seed of seeds) {
    const random = seededRandom(seed)
    for (let draw = 0; draw < perSeed; draw++) if (holds(random)) count++
  }
  const draws = seeds.length * perSeed
  const share = count / draws
  return { share, error: Math.sqrt((share * (1 - share)) / draws) }
}

/** Accepts a share that lies outside the bounds by at most two standard errors. */
function expectWithin({ share, error }: ReturnType<typeof shareOf>, low: number, high: number): void {
  expect(share).toBeGreaterThanOrEqual(low - 2 * error)
  expect(share).toBeLessThanOrEqual(high + 2 * error)
}

function shapesOf(
  distributions: readonly Distribution[],
  components: readonly number[],
  correlation: number,
): Shape[] {
  return distributions.flatMap(distribution =>
    components.flatMap(count =>
      (Object.keys(arrangements) as Arrangement[]).map(arrangement => ({
        ...{ distribution, components: count, arrangement, correlation },
      })),
    ),
  )
}

const title = '$distribution, $components components, $arrangement, correlation $correlation'
const even: readonly Distribution[] = ['even 0.50', 'skewed 0.25', 'high 0.976']
const skewed: readonly Distribution[] = ['skewed 0.10', 'skewed 0.90', 'half full 0.90', 'high skewed 0.975']
const rates: readonly Distribution[] = ['rate 0.50', 'rate 0.90', 'rate 0.976']

function meanCoverage(shape: Shape): ReturnType<typeof shareOf> {
  const truth = trueMean(shape.distribution)
  return shareOf(random => {
    const { low, high } = meanInterval(clusteredValues(drawScores(shape, random)), [0, 1])!
    return low! <= truth && truth <= high!
  })
}

describe('95% intervals of a mean', () => {
  it.each(shapesOf(even, [5, 12, 30], 0.3))(`cover 93% to 97%: ${title}`, shape => {
    expectWithin(meanCoverage(shape), 0.93, 0.97)
  })

  it.each(shapesOf(skewed, [8, 30], 0.9))(`cover at least 90% of very skewed scores: ${title}`, shape => {
    expectWithin(meanCoverage(shape), 0.9, 0.97)
  })

  it.each(shapesOf(rates, [8, 30], 0.3))(`cover at least 93% of rates: ${title}`, shape => {
    expectWithin(meanCoverage(shape), 0.93, 1)
  })
})

/** The arms of a campaign. The second loses a share of its score: `loss` on average, half to one and a half times that by component. */
function differenceOf(shape: Shape, loss: number, random: Random) {
  const pairs = drawPairs(shape, random)
  const losses = pairs.map(() => loss * (0.5 + random()))
  const from = clusteredValues(pairs.map(tasks => tasks.map(([score]) => score)))
  const to = clusteredValues(pairs.map((tasks, at) => tasks.map(([, score]) => score * (1 - losses[at]!))))
  return pairedDifference(from, to, [0, 1])!
}

function differenceCoverage(shape: Shape): ReturnType<typeof shareOf> {
  const truth = -0.3 * trueMean(shape.distribution)
  return shareOf(random => {
    const { low, high } = differenceOf(shape, 0.3, random)
    return low! <= truth && truth <= high!
  })
}

describe('paired differences', () => {
  it.each(shapesOf(['even 0.50', 'skewed 0.90', 'high 0.976'], [8, 12], 0.9))(
    `have intervals that cover 93% to 97%: ${title}`,
    shape => expectWithin(differenceCoverage(shape), 0.93, 0.97),
  )

  // The weak points that docs/statistics.md names.
  it.each(shapesOf(['skewed 0.25'], [8, 12], 0.9))(
    `have intervals that cover at least 91% when low scores are skewed: ${title}`,
    shape => expectWithin(differenceCoverage(shape), 0.91, 0.97),
  )
  it.each(shapesOf(['skewed 0.10'], [8, 12], 0.9))(
    `have intervals that cover at least 87% when very low scores are skewed: ${title}`,
    shape => expectWithin(differenceCoverage(shape), 0.87, 0.97),
  )

  // 30 components use random sign flips.
  const few = shapesOf(['even 0.50', 'skewed 0.25'], [8, 12], 0.3)
  const many = shapesOf(['even 0.50'], [30], 0.3)
  it.each([...few, ...many])(`have p below 0.05 in 4% to 6% of campaigns without one: ${title}`, shape => {
    const rejected = shareOf(
      random => differenceOf(shape, 0, random).pValue! <= 0.05,
      shape.components > 13 ? 500 : 1500,
    )
    expectWithin(rejected, 0.04, 0.06)
  })
})
