import { join } from 'node:path'
import { hashEmbedder } from '../retrieval/embeddings/hash.ts'
import { vectorStores } from '../retrieval/registry.ts'
import type { Bench, Figure } from './figure.ts'
import { madeWord, serveMadeCorpus } from './parts/made-corpus.ts'
import type { ReportCost, ReportCostInput } from './parts/make-report.ts'
import { runModule } from './parts/process.ts'
import type { CampaignCost, CampaignInput } from './parts/run-campaign.ts'
import { searchTimes } from './parts/search-times.ts'
import { growthExponent, rounded } from './parts/statistics.ts'
import { withTemporaryFolder } from './parts/temporary-folder.ts'

const factors = [1, 4, 16] as const
/** The target of costs that should grow as the input does, and of a search. */
const [mostExponent, mostOfSearch] = [1.05, 0.3]

const [attemptsAtFirst, stepsOfCampaign, attemptsOfTraces, stepsAtFirst, chunksAtFirst] = [
  250, 4, 100, 4, 2_000,
]
const [tasksOfDocuments, documentsAtFirst, corpusAtFirst, searches] = [10, 400, 2_500, 300]

/** How costs grow with the size of the input: processor time at 1, 4 and 16 times the size, and the fitted exponent. */
export const growth: Bench = {
  summary: `processor time at ${factors.join(', ')} times the attempts, trace length, documents, chunks and size of a corpus`,
  read: 'The value is the exponent of a power fitted to the three sizes: 1 is proportional. The start of a process lowers it.',
  why: 'Large runs should cost as much per attempt as small ones, and a search of a large corpus little more than one of a small corpus.',
  figures: [
    'growth-attempts',
    'growth-report',
    'growth-trace-length',
    'growth-documents',
    'growth-chunks',
    'growth-search',
  ],
  targets: {
    'growth-attempts': { atMost: mostExponent },
    'growth-report': { atMost: mostExponent },
    'growth-trace-length': { atMost: mostExponent },
    'growth-documents': { atMost: mostExponent },
    'growth-chunks': { atMost: mostExponent },
    'growth-search': { atMost: mostOfSearch },
  },
  async run() {
    const costs = {
      attempts: [] as number[],
      report: [] as number[],
      steps: [] as number[],
      documents: [] as number[],
      chunks: [] as number[],
      search: [] as number[],
    }
    for (const factor of factors) {
      const campaign = await runCosts(attemptsAtFirst * factor, stepsOfCampaign)
      costs.attempts.push(campaign.runMs)
      costs.report.push(campaign.reportMs)
      costs.steps.push((await runCosts(attemptsOfTraces, stepsAtFirst * factor)).runMs)
      costs.documents.push(await documentsCost(documentsAtFirst * factor))
      costs.chunks.push(await chunkCost(chunksAtFirst * factor))
      costs.search.push(await searchCost(corpusAtFirst * factor))
    }
    return [
      figureOf('growth-attempts', 'a run', attemptsAtFirst, 'attempts', costs.attempts),
      figureOf('growth-report', 'an HTML report', attemptsAtFirst, 'attempts', costs.report),
      figureOf('growth-trace-length', `${attemptsOfTraces} attempts`, stepsAtFirst, 'steps', costs.steps),
      figureOf(
        'growth-documents',
        `${tasksOfDocuments} attempts with the documents given`,
        documentsAtFirst,
        'documents',
        costs.documents,
      ),
      figureOf('growth-chunks', 'embedding and exact search', chunksAtFirst, 'chunks', costs.chunks),
      figureOf(
        'growth-search',
        `${searches} searches of a sealed web by HTTP`,
        corpusAtFirst,
        'documents',
        costs.search,
      ),
    ]
  },
}

/** Returns the processor time of a run without waits, and the time to make its report. */
async function runCosts(attempts: number, steps: number): Promise<{ runMs: number; reportMs: number }> {
  return await withTemporaryFolder(async folder => {
    const times = { turnMs: 0, webMs: 0, answerMs: 0 }
    const campaign: CampaignInput = { folder, attempts, steps, concurrency: 16, ...times }
    const { cpuMs } = await campaignCost(campaign)
    const run: ReportCostInput = { folder: join(folder, 'run') }
    const report = await runModule<ReportCost>('parts/make-report.js', run)
    return { runMs: cpuMs, reportMs: report.makeCpuMs }
  })
}

async function campaignCost(campaign: CampaignInput): Promise<CampaignCost> {
  const cost = await runModule<CampaignCost>('parts/run-campaign.js', campaign)
  if (cost.answered !== campaign.attempts)
    throw new Error(`only ${cost.answered} of ${campaign.attempts} attempts ended with an answer`)
  return cost
}

/** Returns the processor time of a run that gives its documents to a few tasks, all read for the first time. */
async function documentsCost(documents: number): Promise<number> {
  return await withTemporaryFolder(async folder => {
    const times = { turnMs: 0, webMs: 0, answerMs: 0 }
    const documentsPerTask = documents / tasksOfDocuments
    const campaign: CampaignInput = {
      ...{ folder, attempts: tasksOfDocuments, steps: 1, concurrency: 4, documentsPerTask },
      ...times,
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

function figureOf(figure: string, what: string, first: number, unit: string, ms: readonly number[]): Figure {
  const exponent = growthExponent(factors, ms)
  const limit = figure === 'growth-search' ? mostOfSearch : mostExponent
  const costs = ms.map((cost, at) => `${first * factors[at]!}: ${rounded(cost, 0)} ms`).join(', ')
  return {
    figure,
    value: rounded(exponent, 2),
    unit: 'exponent',
    against: `processor time of ${what} by ${unit}: ${costs}`,
    ratio: rounded(exponent / limit, 2),
  }
}
