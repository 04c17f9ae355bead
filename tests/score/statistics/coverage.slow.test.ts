import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { seededRandom } from '../../../src/core/runtime.ts'
import { computeMeanInterval } from '../../../src/score/statistics/intervals.ts'
import { computePairedDifference } from '../../../src/score/statistics/paired-difference.ts'
import { computeDetectableDifference } from '../../../src/score/statistics/power.ts'
import { packageRoot } from '../../../src/system/paths.ts'
import {
  type Arrangement,
  arrangements,
  clusteredValues,
  type Distribution,
  drawPairs,
  drawScores,
  normal,
  type Random,
  type Shape,
  trueMean,
} from './campaigns.ts'
import { detectionRows, differenceRows, groupCounts, meanRows, nullRows, rowsText } from './coverage-table.ts'

/*
 * Counts how often 95% intervals contain the true value over made-up campaigns, and how often p is below 0.05 without a
 * difference. docs/decisions/0018-intervals-over-groups.md has the results for more shapes. With TABLEHUNT_CAMPAIGNS, the
 * tables of docs/statistics.md are simulated with that many campaigns and printed.
 */

/** Chosen before the first run. A case is judged on the campaigns of all three together. */
const seeds = [1, 2, 3]

/** The share of campaigns for which `holds` is true, with its binomial standard error (0.7 points at 95% of 900). */
function shareOf(holds: (random: Random) => boolean, perSeed = 300): { share: number; error: number } {
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
const even: readonly Distribution[] = ['even 0.50', 'skewed 0.25']
const skewed: readonly Distribution[] = ['skewed 0.10', 'skewed 0.90', 'half full 0.90', 'high skewed 0.975']
const rates: readonly Distribution[] = ['rate 0.50', 'rate 0.90', 'rate 0.976']

function meanCoverage(shape: Shape): ReturnType<typeof shareOf> {
  const truth = trueMean(shape.distribution)
  return shareOf(random => {
    const { low, high } = computeMeanInterval(clusteredValues(drawScores(shape, random)), [0, 1])!
    return low! <= truth && truth <= high!
  })
}

describe('95% intervals of a mean', () => {
  it.each(shapesOf(even, [5, 12, 30], 0.3))(`cover 93% to 98%: ${title}`, shape => {
    expectWithin(meanCoverage(shape), 0.93, 0.98)
  })

  it.each(shapesOf(skewed, [8, 30], 0.9))(`cover at least 93% of very skewed scores: ${title}`, shape => {
    expectWithin(meanCoverage(shape), 0.93, 1)
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
  return computePairedDifference(from, to, [0, 1])!
}

function differenceCoverage(shape: Shape): ReturnType<typeof shareOf> {
  const truth = -0.3 * trueMean(shape.distribution)
  return shareOf(random => {
    const { low, high } = differenceOf(shape, 0.3, random)
    return low! <= truth && truth <= high!
  })
}

const campaigns = Number(process.env.TABLEHUNT_CAMPAIGNS ?? 80)
const documentedCampaigns = 1500

/** Returns the numbers in the rows of a table of docs/statistics.md. Of "95.3 → 96.8", the last. */
function documentedRows(title: string): Map<string, number[]> {
  const page = readFileSync(join(packageRoot, 'docs', 'statistics.md'), 'utf8').split('\n')
  const start = page.findIndex(line => line.startsWith(`| ${title} |`))
  const end = page.indexOf('', start)
  const rows = page.slice(start + 2, end).map(line => line.split('|').map(cell => cell.trim()))
  return new Map(
    rows.map(([, name, ...cells]) => [name!, cells.slice(0, -1).map(cell => Number(cell.split('→').at(-1)))]),
  )
}

describe('the tables of docs/statistics.md', () => {
  it.each([
    ['coverage of means', meanRows, 'share'],
    ['coverage of differences', differenceRows, 'share'],
    ['false positives', nullRows, 'share'],
    ['detected', detectionRows, 'share'],
  ] as const)('say what campaigns through the real functions give: %s', (title, simulate, figure) => {
    const rows = simulate(campaigns)
    if (process.env.TABLEHUNT_CAMPAIGNS !== undefined) {
      for (const shown of ['share', 'width', 'marked', 'wrongUnmarked'] as const)
        process.stdout.write(`${shown}\n${rowsText(title, rows, shown)}\n\n`)
    }
    const documented = documentedRows(title)
    expect([...documented.keys()]).toEqual(rows.map(({ name }) => name))
    for (const { name, cells } of rows) {
      for (const [at, cell] of cells.entries()) {
        const percent = documented.get(name)![at]!
        const spread = Math.max(0.005, (percent / 100) * (1 - percent / 100))
        const error = 100 * Math.sqrt(spread / campaigns + spread / documentedCampaigns)
        expect(Math.abs(cell[figure] - percent), `${name}, ${groupCounts[at]} groups`).toBeLessThan(4 * error)
      }
    }
  })
})

describe('detectable differences', () => {
  // The test is exact for normal differences, so that 80% is the aim for each number of groups and tests.
  it.each([
    [6, 1],
    [8, 1],
    [8, 4],
    [12, 4],
    [30, 1],
  ])('are detected in 75%% to 85%% of campaigns: %i groups, %i tests', (components, tests) => {
    const spread = 0.1
    const variance = spread ** 2 / components
    const strata = [{ ratio: 0, size: components }]
    const basis = {
      mean: 0,
      components,
      effectiveComponents: components,
      df: components - 1,
      variance,
      strata,
    }
    const difference = computeDetectableDifference(basis, tests)!
    const detected = shareOf(random => {
      const values = Array.from({ length: components }, () => [difference + spread * normal(random)])
      const base = clusteredValues(values.map(() => [0]))
      return computePairedDifference(base, clusteredValues(values), [-2, 2])!.pValue! * tests <= 0.05 + 1e-9
    })
    expectWithin(detected, 0.75, 0.85)
  })
})

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
      shape.components > 13 ? 300 : 900,
    )
    expectWithin(rejected, 0.04, 0.06)
  })
})
