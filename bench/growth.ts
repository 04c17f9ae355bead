import { join } from 'node:path'
import { hashEmbedder } from '../retrieval/embeddings/hash.ts'
import { vectorStores } from '../retrieval/registry.ts'
import type { Bench, BenchFigure } from './figure.ts'
import { madeWord, serveMadeCorpus } from './parts/made-corpus.ts'
import type { ReportCost, ReportCostInput } from './parts/make-report.ts'
import { runModule } from './parts/process.ts'
import type { BenchCampaign, CampaignCost } from './parts/run-campaign.ts'
import { searchTimes } from './parts/search-times.ts'
import { growthExponent, rounded } from './parts/statistics.ts'
import { withTemporaryFolder } from './parts/temporary-folder.ts'

const factors = [1, 4, 16] as const
const noWaits = { turnMs: 0, webMs: 0, answerMs: 0 }
const [attemptsOfTraces, tasksOfDocuments, searches] = [100, 10, 300]

interface GrowthCurve {
  /** What the processor time is of. */
  readonly what: string
  readonly unit: string
  /** The smallest size. */
  readonly size: number
  /** The target of the exponent. */
  readonly atMost: number
  /** Returns the processor time at a size, in milliseconds. */
  measure(size: number): Promise<number>
}

const proportional = 1.05
const growths: Readonly<Record<string, GrowthCurve>> = {
  'growth-attempts': {
    ...{ what: 'a run', unit: 'attempts', size: 250, atMost: proportional },
    measure: async attempts => (await runCosts(attempts, 4)).runMs,
  },
  'growth-report': {
    ...{ what: 'an HTML report', unit: 'attempts', size: 250, atMost: proportional },
    measure: async attempts => (await runCosts(attempts, 4)).reportMs,
  },
  'growth-trace-length': {
    ...{ what: `${attemptsOfTraces} attempts`, unit: 'steps', size: 4, atMost: proportional },
    measure: async steps => (await runCosts(attemptsOfTraces, steps)).runMs,
  },
  'growth-documents': {
    ...{ what: `${tasksOfDocuments} attempts with the documents given`, unit: 'documents', size: 400 },
    ...{ atMost: proportional, measure: documentsCost },
  },
  'growth-chunks': {
    ...{ what: 'embedding and exact search', unit: 'chunks', size: 2_000, atMost: proportional },
    measure: chunkCost,
  },
  'growth-search': {
    ...{ what: `${searches} searches of a sealed web by HTTP`, unit: 'documents', size: 2_500, atMost: 0.3 },
    measure: searchCost,
  },
}

/** How costs grow with the size of the input: processor time at 1, 4 and 16 times the size, and the fitted exponent. */
export const growth: Bench = {
  summary: `processor time at ${factors.join(', ')} times the attempts, trace length, documents, chunks and size of a corpus`,
  read: 'The value is the exponent of a power fitted to the three sizes: 1 is proportional. The start of a process lowers it.',
  why: 'Large runs should cost as much per attempt as small ones, and a search of a large corpus little more than one of a small corpus.',
  figures: Object.keys(growths),
  targets: Object.fromEntries(Object.entries(growths).map(([name, { atMost }]) => [name, { atMost }])),
  async run() {
    const figures: BenchFigure[] = []
    for (const [figure, { what, unit, size, atMost, measure }] of Object.entries(growths)) {
      const costs: number[] = []
      for (const factor of factors) costs.push(await measure(size * factor))
      const exponent = growthExponent(factors, costs)
      const bySize = costs.map((cost, at) => `${size * factors[at]!}: ${rounded(cost, 0)} ms`).join(', ')
      figures.push({
        ...{ figure, value: rounded(exponent, 2), unit: 'exponent', ratio: rounded(exponent / atMost, 2) },
        against: `processor time of ${what} by ${unit}: ${bySize}`,
      })
    }
    return figures
  },
}

/** Two figures need the costs of the same runs. */
const costsOfRuns = new Map<string, { runMs: number; reportMs: number }>()

/** Returns the processor time of a run without waits, and the time to make its report. */
async function runCosts(attempts: number, steps: number): Promise<{ runMs: number; reportMs: number }> {
  const key = `${attempts} ${steps}`
  const costs = costsOfRuns.get(key) ?? (await measureRun(attempts, steps))
  costsOfRuns.set(key, costs)
  return costs
}

async function measureRun(attempts: number, steps: number): Promise<{ runMs: number; reportMs: number }> {
  return await withTemporaryFolder(async folder => {
    const campaign: BenchCampaign = { folder, attempts, steps, concurrency: 16, ...noWaits }
    const { cpuMs } = await campaignCost(campaign)
    const run: ReportCostInput = { folder: join(folder, 'run') }
    const report = await runModule<ReportCost>('parts/make-report.js', run)
    return { runMs: cpuMs, reportMs: report.makeCpuMs }
  })
}

async function campaignCost(campaign: BenchCampaign): Promise<CampaignCost> {
  const cost = await runModule<CampaignCost>('parts/run-campaign.js', campaign)
  if (cost.answered !== campaign.attempts)
    throw new Error(`only ${cost.answered} of ${campaign.attempts} attempts ended with an answer`)
  return cost
}

/** Returns the processor time of a run that gives its documents to a few tasks, all read for the first time. */
async function documentsCost(documents: number): Promise<number> {
  return await withTemporaryFolder(async folder => {
    const documentsPerTask = documents / tasksOfDocuments
    const campaign: BenchCampaign = {
      ...{ folder, attempts: tasksOfDocuments, steps: 1, concurrency: 4, documentsPerTask },
      ...noWaits,
    }
    return (await campaignCost(campaign)).cpuMs
  })
}

/** Returns the processor time of searches, as a tool makes them, in this process. */
async function searchCost(documents: number): Promise<number> {
  const web = await serveMadeCorpus(documents)
  try {
    await searchTimes(web, { count: searches, seed: 1, word: madeWord })
    const before = process.cpuUsage()
    await searchTimes(web, { count: searches, seed: 2, word: madeWord })
    const { user, system } = process.cpuUsage(before)
    return (user + system) / 1_000
  } finally {
    await web.close()
  }
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
