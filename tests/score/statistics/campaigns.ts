import { seededRandom } from '../../../src/core/runtime.ts'
import type { ClusteredValue } from '../../../src/score/statistics/clusters.ts'

/*
 * Draws made-up campaigns whose tasks share documents, to count how often an interval contains the true mean. The scores
 * of all tasks have the same distribution. Those of a component are correlated through a normal variable that they share.
 */

/** Returns a number between 0 and 1. */
export type Random = () => number

/** Distributions of scores, named by their kind and mean. Not all are fair to an interval: see docs/statistics.md. */
export const distributions = {
  'even 0.50': random => beta(2, 2, random),
  'skewed 0.25': random => beta(0.8, 2.4, random),
  'skewed 0.10': random => beta(0.5, 4.5, random),
  'skewed 0.90': random => beta(4.5, 0.5, random),
  'half full 0.90': random => (random() < 0.5 ? 1 : beta(4, 1, random)),
  'high 0.976': random => (random() < 0.5 ? 1 : 1 - 0.3 * beta(1.6, 8.4, random)),
  'high skewed 0.975': random => (random() < 0.55 ? 1 : 1 - beta(1, 17, random)),
  'mostly full 0.958': random => mostlyFull(random()) ?? 0.8 + 0.2 * random(),
  'high with zeros 0.88': random =>
    random() < 0.1 ? 0 : random() < 0.5 ? 1 : 1 - 0.3 * beta(1.6, 8.4, random),
  'rate 0.50': random => (random() < 0.5 ? 1 : 0),
  'rate 0.90': random => (random() < 0.9 ? 1 : 0),
  'rate 0.976': random => (random() < 0.976 ? 1 : 0),
} as const satisfies Readonly<Record<string, (random: Random) => number>>

/** Full for 85% of the scores and 0 for 3%. Null for the others. */
function mostlyFull(rank: number): number | null {
  if (rank < 0.85) return 1
  return rank < 0.88 ? 0 : null
}

/** The name of a distribution of scores. */
export type Distribution = keyof typeof distributions

/** Numbers of tasks per component. In the last one, a component has half of the tasks. */
export const arrangements = {
  'one task each': count => Array.from({ length: count }, () => 1),
  'one to four tasks': count => Array.from({ length: count }, (_, at) => 1 + (at % 4)),
  'one with half of the tasks': count => {
    const others = Array.from({ length: count - 1 }, (_, at) => 1 + (at % 3))
    return [others.reduce((sum, size) => sum + size, 0), ...others]
  },
} as const satisfies Readonly<Record<string, (components: number) => number[]>>

/** The name of an arrangement of tasks in components. */
export type Arrangement = keyof typeof arrangements

/** What campaigns are drawn from. */
export interface Shape {
  readonly distribution: Distribution
  readonly components: number
  readonly arrangement: Arrangement
  /** The correlation of the normal variables of two tasks of a component. */
  readonly correlation: number
}

const tableSize = 100_000
const tables = new Map<Distribution, { sorted: Float64Array; mean: number }>()

function tableOf(distribution: Distribution): { sorted: Float64Array; mean: number } {
  const known = tables.get(distribution)
  if (known !== undefined) return known
  const random = seededRandom(99)
  const sorted = Float64Array.from({ length: tableSize }, () => distributions[distribution](random)).sort()
  const table = { sorted, mean: sorted.reduce((sum, score) => sum + score, 0) / tableSize }
  tables.set(distribution, table)
  return table
}

/** The true mean of the scores of a distribution. */
export function trueMean(distribution: Distribution): number {
  return tableOf(distribution).mean
}

/** Draws the scores of one campaign, by component and task. */
export function drawScores(shape: Shape, random: Random): number[][] {
  return componentsOf(shape, random, score => score())
}

/** Draws the scores of two arms that are equally good, by component and task. */
export function drawPairs(shape: Shape, random: Random): (readonly [number, number])[][] {
  return componentsOf(shape, random, score => [score(), score()] as const)
}

function componentsOf<Task>(shape: Shape, random: Random, taskOf: (score: () => number) => Task): Task[][] {
  const { sorted } = tableOf(shape.distribution)
  const [common, own] = [Math.sqrt(shape.correlation), Math.sqrt(1 - shape.correlation)]
  return arrangements[shape.arrangement](shape.components).map(size => {
    const shared = normal(random)
    const score = (): number => {
      const rank = normalShare(common * shared + own * normal(random))
      return sorted[Math.min(tableSize - 1, Math.floor(tableSize * rank))]!
    }
    return Array.from({ length: size }, () => taskOf(score))
  })
}

/** Names the tasks and components of drawn scores. */
export function clusteredValues(scores: readonly (readonly number[])[]): ClusteredValue[] {
  return scores.flatMap((values, component) =>
    values.map((value, task) => ({
      ...{ cluster: `${component}.${task}`, component: String(component), value },
    })),
  )
}

/** Draws from the normal distribution. */
export function normal(random: Random): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
}

/** The normal distribution function; formula 26.2.17 of Abramowitz and Stegun, exact to 7 digits. */
function normalShare(z: number): number {
  const t = 1 / (1 + 0.2316419 * Math.abs(z))
  const factors = [0.31938153, -0.356563782, 1.781477937, -1.821255978, 1.330274429]
  const sum = factors.reduceRight((inner, factor) => t * (factor + inner), 0)
  const tail = (Math.exp(-(z ** 2) / 2) / Math.sqrt(2 * Math.PI)) * sum
  return z > 0 ? 1 - tail : tail
}

function beta(a: number, b: number, random: Random): number {
  const x = gamma(a, random)
  return x / (x + gamma(b, random))
}

/** Marsaglia and Tsang's method. */
function gamma(shape: number, random: Random): number {
  if (shape < 1) return gamma(shape + 1, random) * (1 - random()) ** (1 / shape)
  const d = shape - 1 / 3
  for (;;) {
    const drawn = normal(random)
    const v = (1 + drawn / Math.sqrt(9 * d)) ** 3
    if (v > 0 && Math.log(1 - random()) < drawn ** 2 / 2 + d - d * v + d * Math.log(v)) return d * v
  }
}
