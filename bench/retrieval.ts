import { type Bench, type Measurement, rounded } from './figure.ts'
import { benchDocuments } from './parts/environment.ts'
import { measureStores, type PythonChromaCost, type StoresCost } from './parts/measure-stores.ts'
import { callInProcess, repeat, withTemporaryFolder } from './parts/process.ts'
import { median } from './parts/statistics.ts'

/** Dimensions of vectors that are written without embedding, and the target in chunks per second. */
const written = new Map([
  [256, 2_200],
  [1_024, 1_500],
])
const nameFigure = (dimensions: number): string => `chroma-chunks-per-second-${dimensions}`

const pythonHint = 'to measure it here, name a Python with chromadb and numpy in TABLEHUNT_BENCH_PYTHON'

/** Indexing and search of real chunks with the embedder `hash`: a Chroma server compared with exact search of the same vectors. */
export const retrieval: Bench = {
  summary: 'chunks indexed per second, and Chroma compared with exact search of the same vectors, at k = 250',
  read: 'All ratios are relative to exact search in the same run. It shows what an approximate index costs and what it misses on these documents. The setting `rag` compares every chunk by default.',
  notes: [
    "Python's Chroma receives the same vectors and stores no texts. Each task has one collection there, and each document has one here. Both are queried once before the time to write ends.",
    'A document with at most k chunks needs no request to Chroma. Recall on documents of similar texts is lower (docs/decisions/0022).',
  ],
  figures: {
    'index-chunks-per-second': { unit: 'chunks / s' },
    ...Object.fromEntries(
      [...written].map(([dimensions, atLeast]) => [
        nameFigure(dimensions),
        { unit: 'chunks / s', target: { atLeast } },
      ]),
    ),
    'chroma-open-again-ms': { unit: 'ms' },
    'chroma-recall-at-250': { unit: 'share', target: { atLeast: 0.99 } },
    'chroma-recall-at-250-worst': { unit: 'share', target: { atLeast: 0.95 } },
    'chroma-query-p50-ms': { unit: 'ms', target: { atMost: 5 } },
    'chroma-query-p95-ms': { unit: 'ms', target: { atMost: 10 } },
  },
  async run() {
    const costs = await withTemporaryFolder(textsFolder =>
      repeat(3, () => withTemporaryFolder(cacheFolder => measureTurn({ textsFolder, cacheFolder }))),
    )
    return { ...compareIndexing(costs), ...compareQueries(costs) }
  },
}

async function measureTurn(folders: { textsFolder: string; cacheFolder: string }): Promise<StoresCost> {
  const url = new URL('parts/measure-stores.js', import.meta.url).href
  return (await callInProcess(url, measureStores, { ...folders, dimensions: [...written.keys()] })).result
}

/** Says what Python's Chroma reached in the same run, by default as the median. */
function describePeer(
  costs: readonly StoresCost[],
  read: (cost: PythonChromaCost) => number,
  summarise = median,
): string {
  const peers = costs.flatMap(({ python }) => python ?? [])
  if (peers.length === 0) return pythonHint
  return `Python's Chroma ${peers[0]!.chroma}, measured in the same run: ${rounded(summarise(peers.map(read)))}`
}

function compareIndexing(costs: readonly StoresCost[]): Record<string, Measurement> {
  const middle = (read: (cost: StoresCost) => number): number => median(costs.map(read))
  const chunks = middle(cost => cost.chunks)
  const perSecond = (ms: number): number => (chunks / ms) * 1_000
  const indexMs = middle(cost => cost.chroma.indexMs)
  const exactMs = middle(cost => cost.exact.indexMs)
  const openAgainMs = middle(cost => cost.openAgainMs)
  const writing = [...written].map(([dimensions, target], at): [string, Measurement] => {
    const value = perSecond(middle(cost => cost.writeMs[at]!))
    const peer = describePeer(costs, cost => cost.writtenPerSecond[at]!)
    const against = `random vectors, without embedding; ${peer}`
    return [nameFigure(dimensions), { value, against, ratio: value / target }]
  })
  return {
    'index-chunks-per-second': {
      value: perSecond(indexMs),
      against: `exact search (embedding only): ${rounded(perSecond(exactMs))}; ${chunks} chunks, ${benchDocuments().name}`,
      ratio: exactMs / indexMs,
    },
    ...Object.fromEntries(writing),
    'chroma-open-again-ms': {
      value: openAgainMs,
      against: `indexing: ${rounded(indexMs)} ms; one query of every document after a restart of the server`,
      ratio: openAgainMs / indexMs,
    },
  }
}

function compareQueries(costs: readonly StoresCost[]): Record<string, Measurement> {
  const recall = (name: 'recallMean' | 'recallWorst', what: string, summarise = median): Measurement => {
    const value = summarise(costs.map(cost => cost[name]))
    const peer = describePeer(costs, cost => cost[name], summarise)
    return { value, against: `exact search, ${what}; ${peer}`, ratio: value }
  }
  const time = (name: 'p50Ms' | 'p95Ms'): Measurement => {
    const value = median(costs.map(cost => cost.chroma[name]))
    const exactMs = median(costs.map(cost => cost.exact[name]))
    const peer = describePeer(costs, cost => cost[name])
    const against = `exact search: ${rounded(exactMs)} ms; one query over all documents of a task; ${peer}`
    return { value, against, ratio: value / exactMs }
  }
  const least = (values: readonly number[]): number => Math.min(...values)
  return {
    'chroma-recall-at-250': recall('recallMean', `${costs[0]!.queries} queries`),
    'chroma-recall-at-250-worst': recall('recallWorst', 'worst query of all repetitions', least),
    'chroma-query-p50-ms': time('p50Ms'),
    'chroma-query-p95-ms': time('p95Ms'),
  }
}
