import { join } from 'node:path'
import { hashEmbedder } from '../retrieval/embeddings/hash.ts'
import { vectorStores } from '../retrieval/registry.ts'
import type { Bench, Figure } from './figure.ts'
import type { ReportCost, ReportCostInput } from './parts/make-report.ts'
import { runModule } from './parts/process.ts'
import type { CampaignCost, CampaignInput } from './parts/run-campaign.ts'
import { growthExponent, rounded } from './parts/statistics.ts'
import { withTemporaryFolder } from './parts/temporary-folder.ts'

const factors = [1, 4, 16] as const
/** The target of costs that should grow as the input does. */
const mostExponent = 1.05

const [attemptsAtFirst, stepsOfCampaign, attemptsOfTraces, stepsAtFirst, chunksAtFirst] = [
  250, 4, 100, 4, 2_000,
]

/** How costs grow with the size of the input: processor time at 1, 4 and 16 times the size, and the fitted exponent. */
export const growth: Bench = {
  summary: `processor time at ${factors.join(', ')} times the attempts, trace length and chunks`,
  read: 'The value is the exponent of a power fitted to the three sizes: 1 is proportional. The start of a process lowers it.',
  why: 'Large runs should cost as much per attempt as small ones.',
  figures: ['growth-attempts', 'growth-report', 'growth-trace-length', 'growth-chunks'],
  targets: {
    'growth-attempts': { atMost: mostExponent },
    'growth-report': { atMost: mostExponent },
    'growth-trace-length': { atMost: mostExponent },
    'growth-chunks': { atMost: mostExponent },
  },
  async run() {
    const costs = {
      attempts: [] as number[],
      report: [] as number[],
      steps: [] as number[],
      chunks: [] as number[],
    }
    for (const factor of factors) {
      const campaign = await runCosts(attemptsAtFirst * factor, stepsOfCampaign)
      costs.attempts.push(campaign.runMs)
      costs.report.push(campaign.reportMs)
      costs.steps.push((await runCosts(attemptsOfTraces, stepsAtFirst * factor)).runMs)
      costs.chunks.push(await chunkCost(chunksAtFirst * factor))
    }
    return [
      figureOf('growth-attempts', 'a run', attemptsAtFirst, 'attempts', costs.attempts),
      figureOf('growth-report', 'an HTML report', attemptsAtFirst, 'attempts', costs.report),
      figureOf('growth-trace-length', `${attemptsOfTraces} attempts`, stepsAtFirst, 'steps', costs.steps),
      figureOf('growth-chunks', 'embedding and exact search', chunksAtFirst, 'chunks', costs.chunks),
    ]
  },
}

/** Returns the processor time of a run without waits, and the time to make its report. */
async function runCosts(attempts: number, steps: number): Promise<{ runMs: number; reportMs: number }> {
  return await withTemporaryFolder(async folder => {
    const times = { turnMs: 0, webMs: 0, answerMs: 0 }
    const campaign: CampaignInput = { folder, attempts, steps, concurrency: 16, ...times }
    const { cpuMs, answered } = await runModule<CampaignCost>('parts/run-campaign.js', campaign)
    if (answered !== attempts)
      throw new Error(`only ${answered} of ${attempts} attempts ended with an answer`)
    const run: ReportCostInput = { folder: join(folder, 'run') }
    const report = await runModule<ReportCost>('parts/make-report.js', run)
    return { runMs: cpuMs, reportMs: report.makeCpuMs }
  })
}

/** Returns the processor time to embed chunks and to search them once, in this process. */
async function chunkCost(chunks: number): Promise<number> {
  return await withTemporaryFolder(async cacheFolder => {
    const { signal } = new AbortController()
    const embedder = hashEmbedder()
    const texts = Array.from({ length: chunks }, (_, at) =>
      `Company ${at} reports revenue of ${at * 17} and total assets of ${at * 31}. `.repeat(12),
    )
    const store = await vectorStores.get('exact').load({ cacheFolder, chromaUrl: null })
    const query = await embedder.embedQuery('total assets', signal)
    const before = process.cpuUsage()
    const vectors = (): Promise<Float32Array[]> => embedder.embedChunks(texts, signal)
    await store.nearest({ name: `growth${chunks}`, texts, vectors }, query, 250, signal)
    const { user, system } = process.cpuUsage(before)
    await store.close()
    return (user + system) / 1_000
  })
}

function figureOf(figure: string, what: string, first: number, unit: string, ms: readonly number[]): Figure {
  const exponent = growthExponent(factors, ms)
  const costs = ms.map((cost, at) => `${first * factors[at]!}: ${rounded(cost, 0)} ms`).join(', ')
  return {
    figure,
    value: rounded(exponent, 2),
    unit: 'exponent',
    against: `processor time of ${what} by ${unit}: ${costs}`,
    ratio: rounded(exponent / mostExponent, 2),
  }
}
