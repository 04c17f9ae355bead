import { type Bench, type Figure, relativeTo } from './figure.ts'
import { runModule } from './parts/process.ts'
import { rounded } from './parts/statistics.ts'
import { withTemporaryFolder } from './parts/temporary-folder.ts'
import type { MadeBenchmark, MadeTasksCost, MadeTasksInput } from './parts/time-made-tasks.ts'

const benchmarks: readonly MadeBenchmark[] = ['longtablebench', 'structext', 'struc-bench']
const steps = ['generate', 'load', 'score'] as const
const limitMs = 20_000
const seed = 20_261_126

const nameOf = (benchmark: MadeBenchmark, step: (typeof steps)[number]): string =>
  `${benchmark}-${step}-1000-ms`

const names = benchmarks.flatMap(benchmark => steps.map(step => nameOf(benchmark, step)))

/** The time to generate, load and score 1,000 tasks of the benchmarks that need no documents of others. */
export const madeTasks: Bench = {
  summary: `1,000 tasks of ${benchmarks.join(', ')}: time to generate, to load with documents, and to score`,
  read: 'Half of the answers are gold; the others are damaged.',
  why: 'Large benchmarks should not take long before and after the calls of a model.',
  figures: names,
  targets: Object.fromEntries(names.map(name => [name, { atMost: limitMs }])),
  async run() {
    const figures: Figure[] = []
    for (const benchmark of benchmarks) figures.push(...(await measure(benchmark)))
    return figures
  },
}

async function measure(benchmark: MadeBenchmark): Promise<Figure[]> {
  const cost = await withTemporaryFolder(folder => {
    const input: MadeTasksInput = { benchmark, folder, seed }
    return runModule<MadeTasksCost>('parts/time-made-tasks.js', input)
  })
  const { goldScore, damagedScore } = cost
  // A perfect ROUGE of the published code is slightly below 1.
  if (goldScore < 0.999 || damagedScore > 0.99)
    throw new Error(`${benchmark}: gold scores ${goldScore}, and damaged answers ${damagedScore}`)
  const figure = (step: (typeof steps)[number], ms: number): Figure =>
    relativeTo(limitMs, { figure: nameOf(benchmark, step), value: rounded(ms, 0), unit: 'ms' })
  return [figure('generate', cost.generateMs), figure('load', cost.loadMs), figure('score', cost.scoreMs)]
}
