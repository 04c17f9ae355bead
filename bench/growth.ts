import { join } from 'node:path'
import { hashEmbedder } from '../retrieval/embeddings/hash.ts'
import { vectorStores } from '../retrieval/registry.ts'
import { type Bench, type Measurement, rounded } from './figure.ts'
import { type CampaignOptions, measureCampaign } from './parts/campaign.ts'
import { measureMaking } from './parts/make-report.ts'
import { startCpuClock, withTemporaryFolder } from './parts/process.ts'
import { growthExponent } from './parts/statistics.ts'
import { timeSearches, withSealedWeb } from './search.ts'

const factors = [1, 4, 16]

interface Growth {
  /** What the processor time is of, and by what it grows. */
  readonly what: string
  /** The smallest size. */
  readonly size: number
  /** The target of the exponent. */
  readonly atMost: number
  /** Returns the processor time at a size, in milliseconds. */
  measure(size: number): Promise<number>
}

const proportional = { atMost: 1.05 }
const growths: Readonly<Record<string, Growth>> = {
  'growth-attempts': {
    what: 'a run by attempts',
    size: 250,
    ...proportional,
    measure: async attempts => (await measureRun(attempts)).runMs,
  },
  'growth-report': {
    what: 'an HTML report by attempts',
    size: 250,
    ...proportional,
    measure: async attempts => (await measureRun(attempts)).reportMs,
  },
  'growth-trace-length': {
    what: '100 attempts by steps',
    size: 4,
    ...proportional,
    measure: steps => measureRunMs({ attempts: 100, steps, concurrency: 16 }),
  },
  'growth-documents': {
    what: '10 attempts with the documents given by documents',
    size: 400,
    ...proportional,
    measure: count => measureRunMs({ attempts: 10, steps: 1, concurrency: 4, documentsPerTask: count / 10 }),
  },
  'growth-chunks': {
    what: 'embedding and exact search by chunks',
    size: 2_000,
    ...proportional,
    measure: measureChunksMs,
  },
  'growth-search': {
    what: '300 searches of a sealed web by HTTP by documents',
    size: 2_500,
    atMost: 0.3,
    measure: measureSearchesMs,
  },
}

/** How costs grow with the size of the input: processor time at 1, 4 and 16 times the size, and the fitted exponent. */
export const growth: Bench = {
  summary: `processor time at ${factors.join(', ')} times the attempts, trace length, documents, chunks and size of a corpus`,
  read: 'The value is the exponent of a power fitted to the three sizes: 1 is proportional. The start of a process lowers it. Large runs should cost as much per attempt as small ones, and a search of a large corpus little more than one of a small corpus.',
  figures: Object.fromEntries(
    Object.entries(growths).map(([name, { atMost }]) => [name, { unit: 'exponent', target: { atMost } }]),
  ),
  async run() {
    const measurements: Record<string, Measurement> = {}
    for (const [name, { what, size, atMost, measure }] of Object.entries(growths)) {
      const costs: number[] = []
      for (const factor of factors) costs.push(await measure(size * factor))
      const bySize = costs.map((ms, at) => `${size * factors[at]!}: ${rounded(ms)} ms`).join(', ')
      const value = growthExponent(factors, costs)
      measurements[name] = { value, against: `processor time of ${what}: ${bySize}`, ratio: value / atMost }
    }
    return measurements
  },
}

/** Two figures need the costs of the same runs. */
const runCosts = new Map<number, { runMs: number; reportMs: number }>()

/** Returns the processor time of a run without waits, and the time to make its report. */
async function measureRun(attempts: number): Promise<{ runMs: number; reportMs: number }> {
  const measure = async (folder: string) => {
    const { cpuMs: runMs } = await measureCampaign({ folder, attempts, steps: 4, concurrency: 16 })
    return { runMs, reportMs: (await measureMaking(join(folder, 'run'))).cpuMs }
  }
  const costs = runCosts.get(attempts) ?? (await withTemporaryFolder(measure))
  runCosts.set(attempts, costs)
  return costs
}

async function measureRunMs(options: Omit<CampaignOptions, 'folder'>): Promise<number> {
  return await withTemporaryFolder(async folder => (await measureCampaign({ ...options, folder })).cpuMs)
}

async function measureSearchesMs(documents: number): Promise<number> {
  return await withSealedWeb(documents, async web => {
    await timeSearches(web, 1)
    const cpuClock = startCpuClock()
    await timeSearches(web, 2)
    return cpuClock()
  })
}

async function measureChunksMs(chunks: number): Promise<number> {
  return await withTemporaryFolder(async cacheFolder => {
    const { signal } = new AbortController()
    const embedder = hashEmbedder()
    const texts = Array.from({ length: chunks }, (_, at) =>
      `Company ${at} reports revenue of ${at * 17} and total assets of ${at * 31}. `.repeat(12),
    )
    const store = await vectorStores.get('exact').load({ cacheFolder, chromaUrl: null })
    const query = await embedder.embedQuery('total assets', signal)
    const cpuClock = startCpuClock()
    const vectors = () => embedder.embedChunks(texts, signal)
    await store.nearest({ name: `growth${chunks}`, texts, vectors }, query, 250, signal)
    const cpuMs = cpuClock()
    await store.close()
    return cpuMs
  })
}
